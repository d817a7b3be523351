// The numbers that measures ask of a course or of a condition.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "series/measure_tree.hpp"
#include "series/spectrum.hpp"

namespace cosimo::series {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Arguments = std::span<const double>;

constexpr Question of_course(std::string_view name, double (*f)(const Course&, Arguments),
                             std::string_view undefined, std::size_t arguments = 0) {
  return {name, Gives::course, arguments, arguments, f, nullptr, undefined};
}
constexpr Question of_condition(std::string_view name, double (*f)(const Stretches&, Arguments),
                                std::string_view undefined, std::size_t most = 0) {
  return {name, Gives::condition, 0, most, nullptr, f, undefined};
}

constexpr std::string_view no_time = "no time passes in these results";

constexpr std::array all{
    of_course(
        "max", [](const Course& x, Arguments) { return *std::ranges::max_element(x.y); }, ""),
    of_course(
        "min", [](const Course& x, Arguments) { return *std::ranges::min_element(x.y); }, ""),
    of_course(
        "initial", [](const Course& x, Arguments) { return x.y.front(); }, ""),
    of_course(
        "final", [](const Course& x, Arguments) { return x.y.back(); }, ""),
    of_course(
        "integral", [](const Course& x, Arguments) { return integral(x); }, ""),
    of_course(
        "mean", [](const Course& x, Arguments) { return mean(x); }, no_time),
    of_course(
        "rms", [](const Course& x, Arguments) { return std::sqrt(mean_square(x)); }, no_time),
    of_course(
        "deviation", [](const Course& x, Arguments) { return deviation(x); }, no_time),
    of_course(
        "quantile",
        [](const Course& x, Arguments a) { return a[0] >= 0 && a[0] <= 1 ? quantile(x, a[0]) : nan; },
        "the fraction must be from 0 to 1, and time must pass", 1),
    of_course(
        "at", [](const Course& x, Arguments a) { return value_at(x, a[0]); },
        "the results do not reach that time", 1),
    of_course(
        "frequency", [](const Course& x, Arguments) { return dominant_frequency(x); },
        "nothing oscillates there, or there are fewer than 8 output times"),
    of_course(
        "spectrum", [](const Course& x, Arguments a) { return amplitude(x, a[0]); },
        "there is less than one period of that frequency in the results, or fewer than 8 output times", 1),
    of_condition(
        "first",
        [](const Stretches& x, Arguments a) { return !x.empty()  ? x.front().begin
                                                     : a.empty() ? nan
                                                                 : a[0]; },
        "it never holds; a second argument says what the measure is then, as in first(x > 3, 10)", 1),
    of_condition(
        "count", [](const Stretches& x, Arguments) { return static_cast<double>(x.size()); }, ""),
    of_condition(
        "duration",
        [](const Stretches& x, Arguments) {
          double sum = 0;
          for (const Stretch& s : x) sum += s.end - s.begin;
          return sum;
        },
        ""),
};

}  // namespace

std::span<const Question> questions() {
  return all;
}

const Question* find_question(std::string_view name) {
  const auto found = std::ranges::find(all, name, &Question::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace cosimo::series
