// What a scenario file says, and what it may say.
#pragma once

#include <string>
#include <vector>

#include "cosimo/cosimo.hpp"

namespace cosimo {

/// The scenario with every default written out: it gives the same run, to the bit.
const std::string& effective_text(const Scenario& scenario);

/// One key of scenario files, from the definitions that validate them.
struct ScenarioKey {
  std::string key;        ///< "control.rtol"; N is the number of a list's entry: "model.bodies.N.mass"
  std::string meaning;    ///< one line
  std::string value;      ///< what may be written, in words
  std::string fallback;   ///< default as YAML, or in words; empty: none
  std::string dimension;  ///< "time", "force/length"; empty: a pure number or no number
  std::vector<std::string> words{};  ///< values that are words
  bool section = false;              ///< it is written as keys of its own
  bool in_list = false;              ///< there is an N in it
  bool required = false;
};
/// In the order of the reference. What several keys share (`{uniform: ...}` and the like) is not taken apart.
std::vector<ScenarioKey> scenario_keys();

}  // namespace cosimo
