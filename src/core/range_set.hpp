// Numbers as disjoint ranges in ascending order: which stretches of a long array are filled.
//
//   RangeSet filled;
//   for (Range gap : filled.missing(wanted)) fill(gap);
//   filled.add(wanted);
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.hpp"

namespace cosimo {

class RangeSet {
 public:
  RangeSet() = default;
  explicit RangeSet(Range range) { add(range); }

  bool empty() const { return ranges_.empty(); }
  std::span<const Range> ranges() const { return ranges_; }

  bool contains(std::size_t number) const {
    const auto after = first_beyond(number);
    return after != ranges_.begin() && number < (after - 1)->last;
  }

  /// Ranges that touch become one.
  void add(Range range) {
    if (range.size() == 0) return;
    std::vector<Range> merged;
    for (const Range& each : ranges_) {
      if (each.last >= range.first && each.first <= range.last)
        range = {std::min(each.first, range.first), std::max(each.last, range.last)};
      else
        merged.push_back(each);
    }
    const auto place = std::find_if(merged.begin(), merged.end(),
                                    [&](const Range& each) { return each.first > range.first; });
    merged.insert(place, range);
    ranges_ = std::move(merged);
  }

  /// What of `range` is not in the set, ascending.
  std::vector<Range> missing(Range range) const {
    std::vector<Range> gaps;
    for (const Range& each : ranges_) {
      if (each.last <= range.first) continue;
      if (each.first >= range.last) break;
      if (each.first > range.first) gaps.push_back({range.first, each.first});
      range.first = std::min(each.last, range.last);
    }
    if (range.first < range.last) gaps.push_back(range);
    return gaps;
  }

 private:
  std::vector<Range>::const_iterator first_beyond(std::size_t number) const {
    return std::upper_bound(ranges_.begin(), ranges_.end(), number,
                            [](std::size_t n, const Range& range) { return n < range.first; });
  }

  std::vector<Range> ranges_;
};

}  // namespace cosimo
