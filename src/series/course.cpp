#include "series/course.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace cosimo::series {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Function>
double trapezoid(const Course& course, Function&& f) {
  const std::vector<double>& t = *course.t;
  double sum = 0;
  for (std::size_t i = 1; i < t.size(); ++i)
    sum += (t[i] - t[i - 1]) * (f(course.y[i - 1]) + f(course.y[i])) / 2;
  return sum;
}

/// Between two points of different sign.
double crossing(const Course& course, std::size_t i) {
  const double t0 = (*course.t)[i], t1 = (*course.t)[i + 1];
  return t0 + (t1 - t0) * (course.y[i] / (course.y[i] - course.y[i + 1]));
}

}  // namespace

Course window(const Course& course, double from, double to) {
  const std::vector<double>& t = *course.t;
  std::vector<double> times{from}, y{value_at(course, from)};
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] > from && t[i] < to) times.push_back(t[i]), y.push_back(course.y[i]);
  if (to > from) times.push_back(to), y.push_back(value_at(course, to));
  return {std::make_shared<const std::vector<double>>(std::move(times)), std::move(y)};
}

double integral(const Course& course) {
  return trapezoid(course, [](double y) { return y; });
}
double mean(const Course& course) {
  return integral(course) / (course.end() - course.begin());
}
double mean_square(const Course& course) {
  return trapezoid(course, [](double y) { return y * y; }) / (course.end() - course.begin());
}
double deviation(const Course& course) {
  const double middle = mean(course);
  return std::sqrt(trapezoid(course, [&](double y) { return (y - middle) * (y - middle); }) /
                   (course.end() - course.begin()));
}

namespace {

/// How long the lines are at this level or below, or only below it.
double time_below(const Course& course, double level, bool with_level) {
  const std::vector<double>& t = *course.t;
  double sum = 0;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const auto [low, high] = std::minmax(course.y[i - 1], course.y[i]);
    if (level > high || (with_level && level == high))
      sum += t[i] - t[i - 1];
    else if (level > low)
      sum += (t[i] - t[i - 1]) * ((level - low) / (high - low));
  }
  return sum;
}

}  // namespace

double quantile(const Course& course, double fraction) {
  // Between the levels of the points the time grows along a straight line; level pieces make it jump.
  if (!(course.end() > course.begin())) return nan;
  std::vector<double> levels = course.y;
  std::ranges::sort(levels);
  const double wanted = fraction * time_below(course, levels.back(), true);
  const auto reached = std::ranges::partition_point(
      levels, [&](double level) { return time_below(course, level, true) < wanted; });
  if (reached == levels.end()) return levels.back();
  if (reached == levels.begin()) return *reached;
  const double low = *std::prev(reached), high = *reached;
  const double before = time_below(course, low, true), after = time_below(course, high, false);
  return after > wanted ? low + (high - low) * ((wanted - before) / (after - before)) : high;
}

double value_at(const Course& course, double at) {
  const std::vector<double>& t = *course.t;
  const auto after = std::ranges::lower_bound(t, at);
  if (after == t.end()) return at == t.back() ? course.y.back() : nan;
  const auto i = static_cast<std::size_t>(after - t.begin());
  if (*after == at) return course.y[i];
  if (i == 0) return nan;
  return course.y[i - 1] + (course.y[i] - course.y[i - 1]) * ((at - t[i - 1]) / (t[i] - t[i - 1]));
}

Stretches above(const Course& course, bool closed) {
  const std::vector<double>& t = *course.t;
  const auto holds = [&](std::size_t i) { return closed ? course.y[i] >= 0 : course.y[i] > 0; };
  Stretches out;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const bool before = i > 0 && holds(i - 1);
    if (holds(i) == before) continue;
    const double where = i == 0 ? t[0] : crossing(course, i - 1);
    if (before)
      out.back().end = where;
    else
      out.push_back({where, t.back()});
  }
  return out;
}

Stretches both(const Stretches& a, const Stretches& b) {
  Stretches out;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double begin = std::max(a[i].begin, b[j].begin), end = std::min(a[i].end, b[j].end);
    const bool instant = a[i].begin == a[i].end || b[j].begin == b[j].end;
    if (begin < end || (instant && begin == end)) out.push_back({begin, end});
    a[i].end < b[j].end ? ++i : ++j;
  }
  return out;
}

Stretches either(const Stretches& a, const Stretches& b) {
  Stretches all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::stable_sort(all, {}, &Stretch::begin);
  Stretches out;
  for (const Stretch& next : all) {
    if (!out.empty() && next.begin <= out.back().end)
      out.back().end = std::max(out.back().end, next.end);
    else
      out.push_back(next);
  }
  return out;
}

}  // namespace cosimo::series
