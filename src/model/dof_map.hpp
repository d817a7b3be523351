// From a body of the model to its coordinate in a part. Parts of a chain are intervals of bodies and need no
// table. Others have an array from their smallest body to their largest where that is not much longer than
// the part, or a hash table: never an array as long as the model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "partition/body_table.hpp"

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
    constexpr std::size_t much_longer = 16;
    const std::size_t span = high_.index() - low_.index() + 1;
    if (span <= much_longer * bodies.size())
      dense_.assign(span, -1);
    else
      sparse_ = BodyTable<std::int32_t>(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const bool fresh = place(bodies[i], static_cast<std::int32_t>(i));
      COSIMO_CHECK(fresh, "a body occurs twice in a part");
    }
  }

  /// Its coordinate, or -1 when the body is not in the part (or is the ground).
  std::int32_t operator()(BodyId body) const {
    if (body < low_ || body > high_) return -1;
    if (!dense_.empty()) return dense_[body.index() - low_.index()];
    if (sparse_.size() == 0) return body.value - low_.value;
    const std::int32_t* const found = sparse_.find(body);
    return found != nullptr ? *found : -1;
  }

  BodyId low() const { return low_; }    ///< smallest body of the part
  BodyId high() const { return high_; }  ///< largest body of the part

 private:
  bool place(BodyId body, std::int32_t at) {
    if (dense_.empty()) return sparse_.insert(body, at).second;
    std::int32_t& entry = dense_[body.index() - low_.index()];
    const bool fresh = entry < 0;
    entry = at;
    return fresh;
  }

  std::vector<std::int32_t> dense_;
  BodyTable<std::int32_t> sparse_{0};
  BodyId low_, high_;
};

}  // namespace cosimo
