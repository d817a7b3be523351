// Conditions between the values of a scenario: lengths of lists, labels within the
// model, settings that exclude each other. A rule whose values are at fault keeps quiet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "config/check.hpp"
#include "config/choices.hpp"
#include "config/faults.hpp"
#include "config/schemes.hpp"

namespace cosimo::config {

void check_model_rules(const Value& root, Faults& faults);      ///< and that there is one model
void check_mechanism_rules(const Value& root, Faults& faults);  ///< of models given by their bodies
void check_generator_rules(const Value& root, Faults& faults);
void check_signal_rules(const Value& root, Faults& faults);  ///< of `subsystems` and `connections`
/// A sensor that connections may begin at: its value follows from places and velocities.
bool sensor_follows_from_state(const Value& sensors, std::string_view name);
void check_run_rules(const Value& root, Faults& faults);
void check_couple_rules(const Value& root, Faults& faults);
void check_scheme_rules(const Value& root, Faults& faults);
void check_solve_rules(const Value& root, Faults& faults);

/// Member of a section, also one at fault; null when absent.
const Value* any_member(const Value& section, std::string_view name);

/// What describes the model; empty when there is nothing or several.
std::optional<ModelKind> model_source(const Value& root);
/// There is at least one such description, be it at fault.
bool describes(const Value& model);

/// What other sections may name of the model.
struct ModelLabels {
  std::int64_t bodies = 0;    ///< 0: not known before it is made
  std::int64_t elements = 0;  ///< of a chain masses + 1; 0: not known
  bool none = false;          ///< there is no model: subsystems are all there is
  bool chain = false;
  bool named = false;  ///< the names are known: the model is given by its bodies
  std::vector<std::string_view> body_names, element_names, constraint_names;
};
ModelLabels model_labels(const Value& root);

/// "did you mean `wheel`?", else what there is.
std::string name_remedy(std::string_view name, std::span<const std::string_view> known,
                        const std::string& otherwise);

/// Settings that follow from others: partition.parts, partition.method, couple.scheme, couple.decomposition,
/// control.estimator, control.rtol, control.order. Defaults of settings that the scheme or the decomposition
/// does not have are taken back.
/// `sources` are the files of positions: names of files are relative to the one they are written in.
void resolve(Checked& checked, std::span<const std::string> sources);
void resolve_coupling(const Value& root, Value& couple, Value& control);  ///< its part for two sections

/// Whether this word stands there; false when nothing valid does.
bool has_word(const Value* value, std::string_view word);
template <class E>
requires std::is_enum_v<E>
bool has_word(const Value* value, E choice) {
  return has_word(value, word_of(choice));
}

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

/// Labels (bodies, parts) must lie in low..high and stand once. `what` names them in the plural. Names are
/// left out.
void check_labels(Faults& faults, const Value& labels, std::int64_t low, std::int64_t high,
                  const std::string& what);

}  // namespace cosimo::config
