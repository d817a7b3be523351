// State to bytes and back, for tests of archive() members.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/archive.hpp"

namespace cosimo::testing {

using Bytes = std::vector<std::byte>;

template <class T>
Bytes archived(T& thing) {
  Archive a;
  thing.archive(a);
  return a.take();
}

/// All of the bytes must be used.
template <class T>
void load(std::span<const std::byte> bytes, T& thing) {
  Archive a(bytes);
  thing.archive(a);
  a.finish();
}

}  // namespace cosimo::testing
