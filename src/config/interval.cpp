#include "config/interval.hpp"

#include <charconv>
#include <cmath>

namespace cosimo::config {

std::optional<Interval> parse_interval(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number > 0) || !std::isfinite(number)) return std::nullopt;
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  while (unit.ends_with(' ')) unit.remove_suffix(1);
  Interval interval;
  if (unit == "steps" || unit == "step") {
    if (number != std::floor(number) || number > 1e15) return std::nullopt;
    interval.steps = static_cast<std::int64_t>(number);
    return interval;
  }
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : 0;
  if (factor == 0) return std::nullopt;
  interval.seconds = factor * number;
  return interval;
}

}  // namespace cosimo::config
