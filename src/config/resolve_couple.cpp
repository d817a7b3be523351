// What `scheme: auto` means, and the defaults that scheme and decomposition have.
#include <algorithm>
#include <optional>
#include <string>

#include "config/rules.hpp"
#include "config/scenario.hpp"
#include "config/schemes.hpp"
#include "config/value_edit.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

bool given(const Value* value) {
  return value != nullptr && value->given;
}

/// Settings that only overlaps have. One at fault asks, too: its writer meant it.
bool asks_overlap(Value& couple, const Value& control) {
  return given(member(couple, "layers")) || has_word(control.find("estimator"), Estimator::exOV);
}

/// Settings that only explicit schemes with classic cuts have, and signals, which no overlap carries.
bool asks_classic(const Value& root) {
  if (root.find("connections") != nullptr) return true;
  const Value* estimator = root.find("control.estimator");
  if (has_word(estimator, Estimator::exLE) || has_word(estimator, Estimator::exMD) ||
      has_word(estimator, Estimator::exCV))
    return true;
  if (given(root.find("control.order"))) return true;
  if (choice_name(root.find("couple.sequence")) == word_of(Sweep::gauss_seidel)) return true;
  if (has_word(root.find("couple.update"), Update::none)) return true;
  if (const Value* predictor = root.find("couple.predictor");
      predictor != nullptr && !predictor->is(Kind::word))
    return true;
  if (has_word(root.find("solve.method"), Method::ida)) return true;
  const Value* parts = root.find("solve.parts");
  return parts != nullptr && std::any_of(parts->items.begin(), parts->items.end(), [](const Value& entry) {
           return has_word(entry.find("method"), Method::ida);
         });
}

/// The one scheme that the other settings leave; empty where the run may choose.
std::optional<SchemeKind> meant_scheme(const Value& root, Value& couple, const Value& control) {
  const CutKinds cuts = cut_kinds(couple.find("decomposition"));
  if (cuts.overlap || (!cuts.known && asks_overlap(couple, control))) return SchemeKind::explicit_;
  const Value* estimator = control.find("estimator");
  if (has_word(estimator, Estimator::imMD) || has_word(estimator, Estimator::imCV))
    return SchemeKind::implicit;
  if (has_word(estimator, Estimator::waCV)) return SchemeKind::waveform;
  if (cuts.known || asks_classic(root)) return SchemeKind::explicit_;
  return std::nullopt;
}

/// Only force-displacement cuts have a side that is displaced.
void resolve_sides(Value& decomposition) {
  if (decomposition.is(Kind::list)) {
    for (Value& entry : decomposition.items) resolve_sides(entry);
  } else if (decomposition.is(Kind::section) &&
             !has_word(decomposition.find("kind"), Decomposition::force_displacement)) {
    drop_default(decomposition, "displaced");
  }
}

void resolve_control(const Value& root, const SchemeTraits& scheme, bool overlap, Value& control) {
  const Value& couple = *root.find("couple");
  const Names valid = valid_estimators(scheme, estimator_settings(scheme, couple));
  default_word(control, "estimator", std::string(overlap ? word_of(Estimator::exOV) : valid.front()));
  if (const Value* solve_rtol = root.find("solve.rtol"))
    default_number(control, "rtol", default_rtol(overlap, solve_rtol->number));
  const Value* degree = couple.find("predictor.acc.degree");
  const Value* order = control.find("order");
  if (degree != nullptr && order != nullptr && !order->given) set_integer(control, "order", degree->integer);
}

}  // namespace

void resolve_coupling(const Value& root, Value& couple, Value& control) {
  Value* scheme = member(couple, "scheme");
  if (!scheme->ok()) return;
  if (!choice_of<SchemeKind>(scheme->word)) {
    if (const auto meant = meant_scheme(root, couple, control)) scheme->word = word_of(*meant);
    if (asks_overlap(couple, control)) default_choice(couple, "decomposition", Decomposition::overlap);
  }
  // Where the scheme is left to the run, everything that depends on it is, too.
  const SchemeTraits* traits = find_scheme(member(couple, "scheme")->word);
  if (traits != nullptr) default_choice(couple, "decomposition", Decomposition::force_force);
  if (Value* decomposition = member(couple, "decomposition")) resolve_sides(*decomposition);

  const CutKinds cuts = cut_kinds(couple.find("decomposition"));
  if (!cuts.overlap) drop_default(couple, "layers");
  if (!cuts.known || cuts.overlap) drop_default(control, "order");
  for (const SchemeKey& key : scheme_keys()) {
    if (traits == nullptr || !(traits->*key.ability)) drop_default(couple, key.name);
  }
  if (!has_word(couple.find("jacobian"), JacobianMethod::fd)) drop_default(couple, "perturbation_min");

  const Value* step = control.find("step");
  if (step != nullptr && step->is(Kind::number)) default_choice(control, "estimator", Estimator::none);
  if (traits != nullptr && cuts.known) resolve_control(root, *traits, cuts.overlap, control);
}

}  // namespace cosimo::config
