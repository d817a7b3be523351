// One of several threads that go through the same piece of work, as code that knows of no threads sees it:
//
//   void fill(const Fellow& me) {
//     for (std::size_t i : share of me in size) x[i] = ...;
//     me.meet();                        // what everybody has filled is there
//     ...
//   }
//   fill({});                           // alone
//
// All fellows make the same calls with the same arguments. What is computed must not depend on how many there
// are.
#pragma once

#include <cstddef>

#include "core/ids.hpp"

namespace cosimo {

struct Fellow {
  std::size_t number = 0, count = 1;
  void (*meeting)(void* who) = nullptr;
  void* who = nullptr;

  bool leads() const { return number == 0; }
  void meet() const {
    if (count > 1) meeting(who);
  }
  /// Of `size` equal things, in whole multiples of `unit` but for the last.
  Range share(std::size_t size, std::size_t unit = 1) const {
    const std::size_t units = (size + unit - 1) / unit;
    const auto border = [&](std::size_t k) {
      const std::size_t at = units * k / count * unit;
      return at < size ? at : size;
    };
    return {border(number), border(number + 1)};
  }
  /// Of things with costs, given by their sums: sums[k] is that of the things before k.
  template <class Sums>
  Range share_by_cost(const Sums& sums) const {
    const std::size_t things = sums.size() - 1;
    const auto border = [&](std::size_t k) {
      std::size_t low = 0, high = things;  // the first whose middle is behind k shares
      while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if ((sums[middle] + sums[middle + 1] - 2 * sums[0]) * count < 2 * k * (sums[things] - sums[0]))
          low = middle + 1;
        else
          high = middle;
      }
      return low;
    };
    return {number == 0 ? 0 : border(number), number + 1 == count ? things : border(number + 1)};
  }
};

}  // namespace cosimo
