// What processes of a series say to each other, and what the folder remembers: frames. One is a small JSON
// document with an array of numbers behind it, and a checksum over both, so that a torn or damaged one is
// known for what it is.
//
//   "CSF1" | u32 bytes of the document | u32 numbers | u32 CRC-32C | document, UTF-8 | numbers, float64
//
// All little-endian. The checksum is of the two lengths, the document and the numbers. Numbers keep their
// bits, which decimal text would cost more for and which JSON has no word for (NaN).
//
//   FrameReader reader;
//   reader.feed(bytes);                     as they come: any pieces
//   while (auto frame = reader.next()) ...
//   if (reader.damaged()) ...               what follows cannot be trusted
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cosimo::series {

using Json = nlohmann::json;

struct Frame {
  Json head;
  std::vector<double> numbers{};
};

inline constexpr std::size_t frame_prefix = 16;  ///< bytes before the document
inline constexpr std::uint32_t longest_head = 64U << 20U, most_numbers = 128U << 20U;

/// The bytes of a frame. Text that is no UTF-8 (names of files) is carried with marks in place of it.
std::string encoded(const Frame& frame);

class FrameReader {
 public:
  void feed(std::string_view bytes) { buffer_.append(bytes); }
  /// The next whole frame; none: more bytes are needed, or the stream is damaged.
  std::optional<Frame> next();
  bool damaged() const { return damaged_; }
  /// Bytes of whole frames taken so far.
  std::size_t consumed() const { return consumed_; }

 private:
  std::string buffer_;
  std::size_t at_ = 0, consumed_ = 0;
  bool damaged_ = false;
};

}  // namespace cosimo::series
