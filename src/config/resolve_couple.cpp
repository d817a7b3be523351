// What `scheme: auto` means, and the defaults that scheme and decomposition have.
#include <algorithm>
#include <string>

#include "config/rules.hpp"
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
  return given(member(couple, "layers")) || has_word(control.find("estimator"), "exOV");
}

/// Settings that only explicit schemes with classic cuts have.
bool asks_classic(const Value& root) {
  const Value* estimator = root.find("control.estimator");
  if (has_word(estimator, "exLE") || has_word(estimator, "exMD") || has_word(estimator, "exCV")) return true;
  if (given(root.find("control.order"))) return true;
  if (choice_name(root.find("couple.sequence")) == "gauss-seidel") return true;
  if (has_word(root.find("couple.update"), "none")) return true;
  if (const Value* predictor = root.find("couple.predictor");
      predictor != nullptr && !predictor->is(Kind::word))
    return true;
  if (has_word(root.find("solve.method"), "ida")) return true;
  const Value* parts = root.find("solve.parts");
  return parts != nullptr && std::any_of(parts->items.begin(), parts->items.end(), [](const Value& entry) {
           return has_word(entry.find("method"), "ida");
         });
}

/// The one scheme that the other settings leave; `auto` where the run may choose.
std::string meant_scheme(const Value& root, Value& couple, const Value& control) {
  const CutKinds cuts = cut_kinds(couple.find("decomposition"));
  if (cuts.overlap || (!cuts.known && asks_overlap(couple, control))) return "explicit";
  const Value* estimator = control.find("estimator");
  if (has_word(estimator, "imMD") || has_word(estimator, "imCV")) return "implicit";
  if (has_word(estimator, "waCV")) return "waveform";
  return cuts.known || asks_classic(root) ? "explicit" : "auto";
}

/// Only force-displacement cuts have a side that is displaced.
void resolve_sides(Value& decomposition) {
  if (decomposition.is(Kind::list)) {
    for (Value& entry : decomposition.items) resolve_sides(entry);
  } else if (decomposition.is(Kind::section) && !has_word(decomposition.find("kind"), "force-displacement")) {
    drop_default(decomposition, "displaced");
  }
}

void resolve_control(const Value& root, const SchemeTraits& scheme, bool overlap, Value& control) {
  const Value& couple = *root.find("couple");
  const Names valid = valid_estimators(scheme, estimator_settings(scheme, couple));
  default_word(control, "estimator", overlap ? "exOV" : std::string(valid.front()));
  if (!overlap) {
    default_number(control, "rtol", 1e-4);
  } else if (const Value* solve_rtol = root.find("solve.rtol")) {
    default_number(control, "rtol", solve_rtol->number / 10);
  }
  const Value* degree = couple.find("predictor.acc.degree");
  const Value* order = control.find("order");
  if (degree != nullptr && order != nullptr && !order->given) set_integer(control, "order", degree->integer);
}

}  // namespace

void resolve_coupling(const Value& root, Value& couple, Value& control) {
  Value* scheme = member(couple, "scheme");
  if (!scheme->ok()) return;
  if (scheme->word == "auto") {
    scheme->word = meant_scheme(root, couple, control);
    if (asks_overlap(couple, control)) default_word(couple, "decomposition", "overlap");
  }
  // Where the scheme is left to the run, everything that depends on it is, too.
  const SchemeTraits* traits = find_scheme(member(couple, "scheme")->word);
  if (traits != nullptr) default_word(couple, "decomposition", "force-force");
  if (Value* decomposition = member(couple, "decomposition")) resolve_sides(*decomposition);

  const CutKinds cuts = cut_kinds(couple.find("decomposition"));
  if (!cuts.overlap) drop_default(couple, "layers");
  if (!cuts.known || cuts.overlap) drop_default(control, "order");
  for (const SchemeKey& key : scheme_keys()) {
    if (traits == nullptr || !(traits->*key.ability)) drop_default(couple, key.name);
  }
  if (!has_word(couple.find("jacobian"), "fd")) drop_default(couple, "perturbation_min");

  const Value* step = control.find("step");
  if (step != nullptr && step->is(Kind::number)) default_word(control, "estimator", "none");
  if (traits != nullptr && cuts.known) resolve_control(root, *traits, cuts.overlap, control);
}

}  // namespace cosimo::config
