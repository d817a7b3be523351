// Conditions between the values of a scenario: lengths of lists, labels within the
// model, settings that exclude each other. A rule whose values are at fault keeps quiet.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "config/check.hpp"
#include "config/faults.hpp"
#include "config/schemes.hpp"

namespace cosimo::config {

void check_model_rules(const Value& root, Faults& faults);
void check_run_rules(const Value& root, Faults& faults);
void check_couple_rules(const Value& root, Faults& faults);
void check_scheme_rules(const Value& root, Faults& faults);
void check_solve_rules(const Value& root, Faults& faults);

/// Settings that follow from others: partition.parts, partition.method, couple.scheme, couple.decomposition,
/// control.estimator, control.rtol, control.order. Defaults of settings that the scheme or the decomposition
/// does not have are taken back.
void resolve(Checked& checked);
void resolve_coupling(const Value& root, Value& couple, Value& control);  ///< its part for two sections

/// Whether this word stands there; false when nothing valid does.
bool has_word(const Value* value, std::string_view word);

/// What `couple.decomposition` makes of the cuts.
struct CutKinds {
  bool known = false;  ///< false: left to the run, or at fault
  bool overlap = false;
  bool force_displacement = false;  ///< some cuts are
};
CutKinds cut_kinds(const Value* decomposition);

/// The settings of `couple:` in effect that an estimator may not go together with (config/schemes.hpp).
Names estimator_settings(const SchemeTraits& scheme, const Value& couple);

/// Complains about a value, or about one entry of a list.
void complain(Faults& faults, const Value& value, std::string problem, std::string remedy);
void complain(Faults& faults, const Value& value, std::size_t entry, std::string problem, std::string remedy);

/// Labels (bodies, parts) must lie in low..high and stand once. `what` names them in the plural.
void check_labels(Faults& faults, const Value& labels, std::int64_t low, std::int64_t high,
                  const std::string& what);

}  // namespace cosimo::config
