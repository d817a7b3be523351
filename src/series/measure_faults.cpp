#include "series/measure_faults.hpp"

#include <algorithm>
#include <vector>

#include "core/nearest.hpp"
#include "numerics/expression.hpp"

namespace cosimo::series {

void fail_at(std::size_t place, const std::string& problem, const std::string& remedy) {
  throw ExpressionError(problem, remedy, place);
}

void fail_function(std::string_view name, std::size_t place) {
  std::vector<std::string_view> names(function_names().begin(), function_names().end());
  for (const Question& question : questions()) names.push_back(question.name);
  names.insert(names.end(), {"sum", "der"});
  const std::string best(nearest(name, names));
  fail_at(
      place, "there is no function '" + std::string(name) + "'",
      (best.empty() ? "" : "did you mean " + best + "? ") + std::string("all functions: docs/measures.md"));
}

void need_count(std::string_view function, std::size_t place, std::size_t count, std::size_t least,
                std::size_t most) {
  most = std::max(least, most);
  if (count >= least && count <= most) return;
  const std::string wanted =
      least == most ? std::to_string(least) : std::to_string(least) + " or " + std::to_string(most);
  fail_at(
      place,
      std::string(count < least ? "too few" : "too many") + " arguments of '" + std::string(function) + "'",
      "give " + wanted);
}

void need_value(const MeasureNode& part) {
  if (part.gives == Gives::condition)
    fail_at(part.begin, "a condition over time is no number",
            "ask one of it: first(...), count(...) or duration(...)");
}

void need_condition(const MeasureNode& part) {
  if (part.gives != Gives::condition)
    fail_at(part.begin, "not a condition over time", "compare it with something, such as x > 3");
}

void need_number(const MeasureNode& part, const std::string& what) {
  need_value(part);
  if (part.gives == Gives::course)
    fail_at(part.begin, "a course where " + what + " belongs", "ask a number of it, such as max(...)");
}

void need_first(const MeasureNode& part, std::string_view function, Gives wanted) {
  if (part.gives == wanted) return;
  if (wanted == Gives::condition)
    fail_at(part.begin, "'" + std::string(function) + "' asks when a condition holds",
            "compare with something, as in " + std::string(function) + "(x > 3)");
  need_value(part);
  fail_at(part.begin, "'" + std::string(function) + "' needs a course, and this is a number",
          "name a column of the results in it, such as wheel.x");
}

}  // namespace cosimo::series
