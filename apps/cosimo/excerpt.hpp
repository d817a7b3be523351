// The line of a file that a fault is about, with a caret under the place:
//
//      4 |   mass: -1
//        |         ^~
#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"
#include "terminal.hpp"

namespace cosimo::cli {

/// `line`: the text of the line that `fault` names. Long lines are shown around the place alone. A place that
/// the line does not have gives the line without a caret.
std::string excerpt(const Fault& fault, std::string_view line, const Look& look);

/// The same with the line read from the file that the fault names; empty: it names none that can be read.
std::string excerpt(const Fault& fault, const Look& look);

}  // namespace cosimo::cli
