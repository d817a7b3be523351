// A digest behind bytes that leave the program and come back: a damaged number of a state may be anything,
// and the code that takes it in trusts it.
//
//   bytes = sealed(out.take());              before they leave
//   Archive in(unsealed(bytes));             throws ArchiveError for bytes that are not what left
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "core/archive.hpp"
#include "core/digest.hpp"

namespace cosimo {

inline std::uint64_t digest_of(std::span<const std::byte> bytes) {
  return digest({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

inline std::vector<std::byte> sealed(std::vector<std::byte> bytes) {
  const std::uint64_t sum = digest_of(bytes);
  const std::size_t end = bytes.size();
  bytes.resize(end + sizeof sum);
  std::memcpy(bytes.data() + end, &sum, sizeof sum);
  return bytes;
}

/// The bytes that were sealed: a view.
inline std::span<const std::byte> unsealed(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  if (bytes.size() < sizeof sum) throw ArchiveError("the data end early");
  const auto inside = bytes.first(bytes.size() - sizeof sum);
  std::memcpy(&sum, bytes.data() + inside.size(), sizeof sum);
  if (digest_of(inside) != sum) throw ArchiveError("the data are damaged");
  return inside;
}

}  // namespace cosimo
