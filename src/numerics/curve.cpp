#include "numerics/curve.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/check.hpp"

namespace cosimo {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Of the greater slope beside it: smaller kinks are rounding.
constexpr double least_kink = 1e-9;

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
  for (std::size_t i = 0; i < times_.size(); ++i)
    COSIMO_CHECK(
        std::isfinite(times_[i]) && std::isfinite(values_[i]) && (i == 0 || times_[i - 1] < times_[i]),
        "the points of a curve");
  if (shape_.between == Between::cubic) cubic_.emplace(times_, values_);
  integrate();
  make_digest();
}

double Curve::slope(std::size_t i) const {
  return (values_[i + 1] - values_[i]) / (times_[i + 1] - times_[i]);
}

Jet Curve::at(double t) const {
  if (t < times_.front()) return {shape_.before == Outside::hold ? values_.front() : 0.0};
  if (t >= times_.back()) {
    const bool holds = shape_.after == Outside::hold || t == times_.back();
    return {holds ? values_.back() : 0.0};
  }
  if (cubic_) {
    const MonotoneCubic::Value y = cubic_->at(t);
    return {y.y, y.slope, cubic_->curvature(t)};
  }
  const auto i = static_cast<std::size_t>(std::ranges::upper_bound(times_, t) - times_.begin()) - 1;
  const double d = slope(i);
  return {values_[i] + d * (t - times_[i]), d};
}

Timetable Curve::breaks(Breaks which) const {
  const std::size_t last = times_.size() - 1;
  if (which == Breaks::curvature) return Timetable(times_);
  std::vector<double> instants;
  if (jumps(0, shape_.before)) instants.push_back(times_.front());
  if (jumps(last, shape_.after)) instants.push_back(times_.back());
  if (which == Breaks::value) return Timetable(std::move(instants));
  if (shape_.between == Between::linear) {
    double before = 0;
    for (std::size_t i = 0; i <= last; ++i) {
      const double after = i < last ? slope(i) : 0;
      if (std::fabs(after - before) > least_kink * std::max(std::fabs(after), std::fabs(before)))
        instants.push_back(times_[i]);
      before = after;
    }
    return Timetable(std::move(instants));
  }
  const double mean = (times_.back() - times_.front()) / static_cast<double>(last);
  for (std::size_t i = 0; i < last; ++i)
    if (times_[i + 1] - times_[i] < 0.5 * mean) instants.insert(instants.end(), {times_[i], times_[i + 1]});
  const auto smaller = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
  instants.push_back(times_[static_cast<std::size_t>(
      std::max_element(values_.begin(), values_.end(), smaller) - values_.begin())]);
  Timetable table(std::move(instants));
  table.bound(times_.front(), times_.back(), 2 * mean);
  return table;
}

void Curve::integrate() {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < times_.size(); ++i) {
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
