// The one table of the scenario file: every key with its forms, default, meaning and
// dimension, in the order of the effective file. To add a key, add a row there, a
// member in scenario.hpp, a line in read*.cpp (the words of a choice go into choices.hpp), and conditions
// between keys in rules_*.cpp; what a coupling scheme has stands in schemes.cpp.
#pragma once

#include "config/form.hpp"

namespace cosimo::config {

inline constexpr std::int64_t format_version = 1;
inline constexpr std::int64_t max_masses = 100'000'000;
inline constexpr std::int64_t max_threads = 1024;
inline constexpr std::int64_t max_order = 5;

/// The whole file as one section.
const Form& scenario_definition();

/// Chapters of their own: `units` (definition_units.cpp), `model` (definition_model.cpp with
/// definition_mechanism.cpp, definition_elements.cpp and definition_generators.cpp), `subsystems` and
/// `connections` (definition_subsystems.cpp), `couple` (definition_couple.cpp).
Key units_definition();
Key model_definition();
Key subsystems_definition();
Key connections_definition();
Key couple_definition();

}  // namespace cosimo::config
