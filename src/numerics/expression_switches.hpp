// Where a formula switches: the texts of formulas whose signs change there.
//
//   max(a, b), min(a, b)      (a)-(b), for every two arguments
//   abs(a), sign(a), step(a)  a
//   a < b, and all comparisons    (a)-(b)
//   if(c, ...), c ? ...       the comparisons of c, or c itself where it has none
//   floor(a), ceil(a)         sin(pi a);  mod(a, b): sin(pi a / b)
#pragma once

#include <string>
#include <vector>

namespace cosimo {

/// `text` is a formula that was found right (numerics/expression.hpp). Each is listed once.
std::vector<std::string> switch_formulas(const std::string& text);

}  // namespace cosimo
