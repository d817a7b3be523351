// How often something happens in a run: "60 s", "5 min", "2 h", "60" (seconds), or "500 steps".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cosimo::config {

struct Interval {
  double seconds = 0;      ///< of wall time; 0: counted in steps
  std::int64_t steps = 0;  ///< macro steps
};

/// Nothing when the text is no interval above zero.
std::optional<Interval> parse_interval(std::string_view text);

}  // namespace cosimo::config
