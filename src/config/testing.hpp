// A short scenario with cuts, and what settings make of it; for tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config::testing {

/// "key=value", as after --set.
using Settings = std::vector<std::string>;

inline constexpr const char* cut_chain = R"(cosimo: 1
model: {chain: {masses: 100, mass: 1, spring: {c: 100}}}
simulate: {end: 1, output: 0.1}
partition: {parts: 4}
)";

inline Scenario parse(const Settings& settings) {
  return parse_scenario(cut_chain, "scenario", settings);
}

/// Empty when nothing was chosen.
template <class E>
std::string word(const std::optional<E>& value) {
  return value ? std::string(word_of(*value)) : "";
}

/// Empty when the settings are accepted.
inline std::vector<Fault> faults_of(const Settings& settings) {
  try {
    parse(settings);
  } catch (const Error& error) {
    return error.faults();
  }
  return {};
}

}  // namespace cosimo::config::testing
