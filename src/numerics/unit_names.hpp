// What the units of results are called.
#pragma once

#include <string>
#include <string_view>

namespace cosimo {

/// All empty: nobody said what numbers mean.
struct UnitNames {
  std::string length, mass, time, angle, force;

  bool empty() const { return length.empty(); }
  /// Of `force/length` and the like `N/mm`; `energy` and `power` have their own names where there are some.
  /// Empty without names, and for pure numbers.
  std::string of(std::string_view dimension) const;
};

}  // namespace cosimo
