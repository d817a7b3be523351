#include "numerics/curve.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/check.hpp"

namespace cosimo {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Of the greater slope beside it: smaller kinks are rounding.
constexpr double least_kink = 1e-9;

/// Two points at neighbouring numbers are a jump: the value of the first one holds up to the second.
bool neighbours(double a, double b) {
  return b == std::nextafter(a, never);
}

}  // namespace

Timetable::Timetable(std::vector<double> instants) : instants_(std::move(instants)) {
  sort();
}

void Timetable::sort() {
  std::ranges::sort(instants_);
  const auto twice = std::ranges::unique(instants_);
  instants_.erase(twice.begin(), twice.end());
}

void Timetable::bound(double begin, double end, double longest) {
  stretches_.push_back({begin, end, longest});
  instants_.insert(instants_.end(), {begin, end});
  sort();
}

void Timetable::merge(const Timetable& other) {
  instants_.insert(instants_.end(), other.instants_.begin(), other.instants_.end());
  stretches_.insert(stretches_.end(), other.stretches_.begin(), other.stretches_.end());
  sort();
}

Timetable Timetable::of(double scale, double shift) const {
  if (scale == 0) return {};
  const auto when = [&](double argument) { return (argument - shift) / scale; };
  Timetable out;
  for (const double instant : instants_) out.instants_.push_back(when(instant));
  for (const Stretch& s : stretches_) {
    const auto [begin, end] = std::minmax({when(s.begin), when(s.end)});
    out.stretches_.push_back({begin, end, s.longest / std::fabs(scale)});
  }
  out.sort();
  return out;
}

double Timetable::next(double t) const {
  const auto after = std::ranges::upper_bound(instants_, t);
  return after == instants_.end() ? never : *after;
}

double Timetable::longest_step(double t) const {
  double longest = never;
  for (const Stretch& s : stretches_)
    if (s.begin <= t && t < s.end) longest = std::min(longest, s.longest);
  return longest;
}

Curve::Curve(std::vector<double> times, std::vector<double> values, const CurveShape& shape)
    : times_(std::move(times)), values_(std::move(values)), shape_(shape) {
  COSIMO_CHECK(times_.size() >= 2 && values_.size() == times_.size(), "a curve through less than two points");
  // A first or last value that is not a number stands one number beside the next point: there is no curve
  // beyond.
  const std::size_t last = times_.size() - 1;
  for (std::size_t i = 0; i <= last; ++i)
    COSIMO_CHECK(std::isfinite(times_[i]) && (std::isfinite(values_[i]) || i == 0 || i == last) &&
                     (i == 0 || times_[i - 1] < times_[i]),
                 "the points of a curve");
  if (shape_.between == Between::cubic) {
    const auto first = static_cast<std::size_t>(std::isnan(values_.front()));
    const std::size_t count = last + 1 - first - static_cast<std::size_t>(std::isnan(values_.back()));
    cubic_.emplace(std::span(times_).subspan(first, count), std::span(values_).subspan(first, count));
  }
  integrate();
  make_digest();
}

double Curve::slope(std::size_t i) const {
  return (values_[i + 1] - values_[i]) / (times_[i + 1] - times_[i]);
}

Jet Curve::at(double t) const {
  if (t < times_.front()) return {shape_.before == Outside::hold ? values_.front() : 0.0};
  // What begins at the last point must not see its value: there it jumps to zero, as steps do.
  if (t >= times_.back()) return {shape_.after == Outside::hold ? values_.back() : 0.0};
  if (cubic_ && t >= cubic_->first()) {
    const MonotoneCubic::Value y = cubic_->at(t);
    return {y.y, y.slope, cubic_->curvature(t)};
  }
  const auto i = static_cast<std::size_t>(std::ranges::upper_bound(times_, t) - times_.begin()) - 1;
  if (neighbours(times_[i], times_[i + 1])) return {values_[i]};
  const double d = slope(i);
  return {values_[i] + d * (t - times_[i]), d};
}

Timetable Curve::breaks(Breaks which) const {
  const std::size_t last = times_.size() - 1;
  const auto jumps_to = [&](std::size_t i) { return i > 0 && neighbours(times_[i - 1], times_[i]); };
  std::vector<double> instants;
  if (which == Breaks::curvature) {
    for (std::size_t i = 0; i <= last; ++i)
      if (i == last || !jumps_to(i + 1)) instants.push_back(times_[i]);
    return Timetable(std::move(instants));
  }
  // Methods look at the end of a step as well: it must still see the value before the jump.
  const auto jump_at = [&](double t) { instants.insert(instants.end(), {std::nextafter(t, -never), t}); };
  if (jumps(0, shape_.before)) jump_at(times_.front());
  if (jumps(last, shape_.after)) jump_at(times_.back());
  for (std::size_t i = 1; i <= last; ++i)
    if (jumps_to(i) && values_[i] != values_[i - 1]) jump_at(times_[i]);
  if (which == Breaks::value) return Timetable(std::move(instants));
  if (shape_.between == Between::linear) {
    double before = 0;
    for (std::size_t i = 0; i <= last; ++i) {
      if (i < last && jumps_to(i + 1)) continue;
      const double after = i < last ? slope(i) : 0;
      if (std::fabs(after - before) > least_kink * std::max(std::fabs(after), std::fabs(before)))
        instants.push_back(times_[i]);
      before = after;
    }
    return Timetable(std::move(instants));
  }
  const double mean = (times_.back() - times_.front()) / static_cast<double>(last);
  for (std::size_t i = 0; i < last; ++i)
    if (times_[i + 1] - times_[i] < 0.5 * mean && !jumps_to(i + 1))
      instants.insert(instants.end(), {times_[i], times_[i + 1]});
  std::size_t greatest = 0;
  for (std::size_t i = 1; i <= last; ++i)
    if (std::isnan(values_[greatest]) || std::fabs(values_[i]) > std::fabs(values_[greatest])) greatest = i;
  instants.push_back(times_[greatest]);
  Timetable table(std::move(instants));
  table.bound(times_.front(), times_.back(), 2 * mean);
  return table;
}

void Curve::integrate() {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < times_.size(); ++i) {
    if (std::isnan(values_[i]) || std::isnan(values_[i + 1])) continue;
    sum += 0.5 * (values_[i] + values_[i + 1]) * (times_[i + 1] - times_[i]);
    greatest_integral_ = std::max(greatest_integral_, std::fabs(sum));
  }
}

void Curve::make_digest() {
  const auto add = [&](std::uint64_t word) { digest_ = std::rotl((digest_ ^ word) * 0x100000001b3ULL, 29); };
  for (const auto word :
       {static_cast<std::uint64_t>(shape_.between), static_cast<std::uint64_t>(shape_.before),
        static_cast<std::uint64_t>(shape_.after)})
    add(word);
  for (const auto* numbers : {&times_, &values_})
    for (const double number : *numbers) add(std::bit_cast<std::uint64_t>(number + 0.0));
}

}  // namespace cosimo
