// The equal division: `count` things in a row, cut into `parts` contiguous shares whose
// sizes differ by at most one, the larger ones first. 10 into 4: 3, 3, 2, 2.
#pragma once

#include <algorithm>
#include <cstddef>

namespace cosimo {

/// Where share k begins; k == parts gives count.
constexpr std::size_t share_begin(std::size_t count, std::size_t parts, std::size_t k) {
  return k * (count / parts) + std::min(k, count % parts);
}

}  // namespace cosimo
