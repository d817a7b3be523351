// A measure as a tree, between those who read it, tie it to names and evaluate it (series/measure.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/formula.hpp"
#include "series/course.hpp"

namespace cosimo::series {

/// What a part of a measure gives.
enum class Gives { number, course, condition };

enum class Act {
  constant,
  time,
  column,
  operation,  ///< one of formulas, at every time
  function,   ///< of one argument, at every time
  compare,    ///< a course with another one: part 0 - part 1 is above zero, or not below
  both,
  either,
  combine,  ///< sum(...), and max and min of several, by `operation`
  slice,
  element,
  ask,       ///< one number of a course or of a condition
  spectrum,  ///< the curve
};

/// A function that asks one number of a course, or of the stretches where a condition holds.
struct Question {
  std::string_view name;
  Gives of;
  std::size_t least, most;  ///< arguments after the first
  double (*course)(const Course&, std::span<const double> arguments);
  double (*condition)(const Stretches&, std::span<const double> arguments);
  std::string_view undefined;  ///< what is the matter where the answer is not a number
};
/// nullptr: there is none.
const Question* find_question(std::string_view name);
std::span<const Question> questions();

struct MeasureNode {
  Act act = Act::constant;
  Gives gives = Gives::number;
  std::size_t begin = 0, end = 0;  ///< where it is in the text
  std::vector<MeasureNode> parts{};
  double number = 0;       ///< constant
  std::string name{};      ///< column, with a star in a pattern
  std::size_t column = 0;  ///< place among those that are read, when bound
  Operation operation = Operation::add;
  const Function* function = nullptr;
  const Question* question = nullptr;
  bool closed = false;   ///< compare: equality is enough
  bool star = false;     ///< a name below has one, and nothing there takes all that it stands for together
  bool gathers = false;  ///< it does so itself: its only part has a star
  std::optional<long> from{}, to{};  ///< slice and element: places
  long step = 1;
  std::size_t window_from = 0, window_to = 0;  ///< ask, spectrum: parts with these times; 0: none
};

/// Throws ExpressionError.
MeasureNode read_measure(std::string_view text);

/// One node for every column behind a star; columns have their places in `columns`, to which they are added.
/// Throws ExpressionError for unknown names.
MeasureNode bind_measure(MeasureNode tree, std::span<const std::string> names,
                         std::vector<std::size_t>& columns);

}  // namespace cosimo::series
