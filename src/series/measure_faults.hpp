// What is wrong with a measure, said once for all readers of its parts: each throws ExpressionError.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "series/measure_tree.hpp"

namespace cosimo::series {

[[noreturn]] void fail_at(std::size_t place, const std::string& problem, const std::string& remedy);
[[noreturn]] void fail_function(std::string_view name, std::size_t place);  ///< there is none of this name
void need_count(std::string_view function, std::size_t place, std::size_t count, std::size_t least,
                std::size_t most = 0);
void need_value(const MeasureNode& part);      ///< no condition
void need_condition(const MeasureNode& part);  ///< nothing else
/// A number, and no course; `what` says what for.
void need_number(const MeasureNode& part, const std::string& what);
/// The first argument of a function that asks something is a course, or a condition.
void need_first(const MeasureNode& part, std::string_view function, Gives wanted);

}  // namespace cosimo::series
