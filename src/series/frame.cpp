#include "series/frame.hpp"

#include <algorithm>
#include <cstring>

#include "results/crc32c.hpp"

namespace cosimo::series {

namespace {

constexpr std::string_view magic = "CSF1";

void put(std::string& out, std::uint32_t value) {
  char bytes[4];
  std::memcpy(bytes, &value, 4);  // this kind of machine is little-endian
  out.append(bytes, 4);
}

std::uint32_t get(const char* bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, 4);
  return value;
}

}  // namespace

std::string encoded(const Frame& frame) {
  const std::string head = frame.head.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out(magic);
  put(out, static_cast<std::uint32_t>(head.size()));
  put(out, static_cast<std::uint32_t>(frame.numbers.size()));
  put(out, 0);
  out += head;
  const std::size_t numbers = frame.numbers.size() * sizeof(double);
  if (numbers > 0) out.append(reinterpret_cast<const char*>(frame.numbers.data()), numbers);
  std::uint32_t sum = crc32c(std::as_bytes(std::span(out).subspan(4, 8)));
  sum = crc32c(std::as_bytes(std::span(out).subspan(frame_prefix)), sum);
  std::memcpy(out.data() + 12, &sum, 4);
  return out;
}

std::optional<Frame> FrameReader::next() {
  if (damaged_ || buffer_.size() - at_ < frame_prefix) return std::nullopt;
  const char* const begin = buffer_.data() + at_;
  const std::uint32_t head = get(begin + 4), count = get(begin + 8);
  if (std::string_view(begin, 4) != magic || head > longest_head || count > most_numbers) {
    damaged_ = true;
    return std::nullopt;
  }
  const std::size_t numbers = count * sizeof(double), size = frame_prefix + head + numbers;
  if (buffer_.size() - at_ < size) return std::nullopt;
  const std::span<const char> bytes(begin, size);
  const std::uint32_t sum =
      crc32c(std::as_bytes(bytes.subspan(frame_prefix)), crc32c(std::as_bytes(bytes.subspan(4, 8))));
  Frame frame;
  frame.head = Json::parse(begin + frame_prefix, begin + frame_prefix + head, nullptr, false);
  if (sum != get(begin + 12) || !frame.head.is_object()) {
    damaged_ = true;
    return std::nullopt;
  }
  frame.numbers.resize(count);
  if (count > 0) std::memcpy(frame.numbers.data(), begin + frame_prefix + head, numbers);
  at_ += size;
  consumed_ += size;
  if (at_ == buffer_.size() || at_ > std::max(std::size_t{1} << 20U, buffer_.size() / 2)) {
    buffer_.erase(0, at_);
    at_ = 0;
  }
  return frame;
}

}  // namespace cosimo::series
