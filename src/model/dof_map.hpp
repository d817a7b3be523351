// From a body of the model to its coordinate in a part. Parts of a chain are
// intervals of bodies and need no table; others use a sorted one, never an array as
// long as the model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"

namespace cosimo {

class DofMap {
 public:
  explicit DofMap(const std::vector<BodyId>& bodies) {
    COSIMO_CHECK(!bodies.empty(), "a part needs at least one body");
    const auto [low, high] = std::minmax_element(bodies.begin(), bodies.end());
    low_ = *low;
    high_ = *high;
    bool interval = true;
    for (std::size_t i = 0; i < bodies.size(); ++i) interval &= bodies[i].index() == low_.index() + i;
    if (interval) return;
    table_.reserve(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
      table_.push_back({bodies[i], static_cast<std::int32_t>(i)});
    std::sort(table_.begin(), table_.end());
    for (std::size_t i = 1; i < table_.size(); ++i)
      COSIMO_CHECK(table_[i - 1].first < table_[i].first, "a body occurs twice in a part");
  }

  /// Its coordinate, or -1 when the body is not in the part (or is the ground).
  std::int32_t operator()(BodyId body) const {
    if (body < low_ || body > high_) return -1;
    if (table_.empty()) return body.value - low_.value;
    const auto at = std::lower_bound(table_.begin(), table_.end(), body,
                                     [](const auto& entry, BodyId wanted) { return entry.first < wanted; });
    return at != table_.end() && at->first == body ? at->second : -1;
  }

  BodyId low() const { return low_; }    ///< smallest body of the part
  BodyId high() const { return high_; }  ///< largest body of the part

 private:
  std::vector<std::pair<BodyId, std::int32_t>> table_;
  BodyId low_, high_;
};

}  // namespace cosimo
