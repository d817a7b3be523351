#include "core/archive.hpp"

#include "core/digest.hpp"

namespace cosimo {

void Archive::raw(void* data, std::size_t bytes) {
  if (bytes == 0) return;
  if (loading_) {
    if (bytes > in_.size() - at_) throw ArchiveError("the data end early");
    std::memcpy(data, in_.data() + at_, bytes);
    at_ += bytes;
    return;
  }
  const std::size_t end = out_.size();
  out_.resize(end + bytes);
  std::memcpy(out_.data() + end, data, bytes);
}

std::size_t Archive::length(std::size_t n, std::size_t least) {
  auto count = static_cast<std::uint64_t>(n);
  raw(&count, sizeof count);
  // A damaged length must not ask for more memory than there are bytes to fill it.
  if (loading_ && least > 0 && count > (in_.size() - at_) / least) throw ArchiveError("the data end early");
  return static_cast<std::size_t>(count);
}

void Archive::mismatch(std::size_t found, std::size_t expected) {
  throw ArchiveError("the data hold " + std::to_string(found) + " numbers where " + std::to_string(expected) +
                     " are expected");
}

void Archive::section(std::string_view name) {
  std::uint64_t mark = digest(name);
  raw(&mark, sizeof mark);
  if (mark != digest(name)) throw ArchiveError("the data hold something else than " + std::string(name));
}

void Archive::finish() const {
  if (loading_ && at_ != in_.size())
    throw ArchiveError(std::to_string(in_.size() - at_) + " bytes are left over");
}

}  // namespace cosimo
