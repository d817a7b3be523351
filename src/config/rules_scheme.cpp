// The rules of what each scheme allows in `couple:` and `control:`, from the tables of config/schemes.hpp.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "config/rules.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

/// Names of a setting for a remedy: "`scheme: implicit` or `scheme: waveform`".
std::string schemes_text(bool SchemeTraits::*ability) {
  return quoted_list(schemes_with(ability), "scheme: ");
}

class SchemeRules {
 public:
  SchemeRules(const Value& root, const Value& couple, const Value& scheme, Faults& faults)
      : root_(root), couple_(couple), word_(scheme), faults_(faults), scheme_(find_scheme(scheme.word)) {}

  void check() {
    keys();
    perturbation();
    part_order();
    const CutKinds cuts = cut_kinds(couple_.find("decomposition"));
    if (scheme_ == nullptr || !cuts.known || cuts.overlap) return;
    sequence();
    predictor();
    estimator(cuts);
  }

 private:
  /// The scheme and what it does; nobody may have written its name.
  std::string scheme_text() const {
    if (scheme_ == nullptr)
      return "`scheme: auto` means an explicit scheme, which takes every macro step once";
    const std::string name(scheme_->name);
    const std::string nature(scheme_->nature);
    if (!choice_of<SchemeKind>(word_.node->text))
      return "`scheme: auto` means `" + name + "` here, which " + nature;
    return "`scheme: " + name + "` " + nature;
  }

  void keys() {
    for (const SchemeKey& key : scheme_keys()) {
      const Value* value = couple_.find(key.name);
      const bool used = scheme_ != nullptr && scheme_->*key.ability;
      if (value == nullptr || !value->given || used) continue;
      complain(faults_, *value, scheme_text() + " and has " + std::string(key.missing),
               "write " + schemes_text(key.ability) + ", or leave it out");
    }
  }

  void perturbation() {
    const Value* smallest = couple_.find("perturbation_min");
    const Value* jacobian = couple_.find("jacobian");
    if (smallest == nullptr || !smallest->given || jacobian == nullptr ||
        has_word(jacobian, JacobianMethod::fd))
      return;
    if (scheme_ == nullptr || !scheme_->newton) return;
    complain(faults_, *smallest,
             "only finite differences perturb coupling variables, the Jacobian is `" +
                 std::string(choice_name(jacobian)) + "`",
             "write `jacobian: fd`, or leave it out");
  }

  void part_order() {
    const Value* order = couple_.find("sequence.gauss-seidel");
    if (order == nullptr || has_word(root_.find("partition"), "none")) return;
    const Value* parts = root_.find("partition.parts");
    // How many parts added cuts make is known when the model is cut; the order is checked again then.
    const Value* added = root_.find("partition.add");
    const bool counted =
        parts != nullptr && parts->is(Kind::integer) && (added == nullptr || added->integers.empty());
    const std::int64_t count = counted ? parts->integer : std::numeric_limits<std::int32_t>::max();
    check_labels(faults_, *order, 1, count, "parts");
    const auto named = static_cast<std::int64_t>(order->integers.size());
    if (counted && named < count) {
      complain(faults_, *order, "names " + std::to_string(named) + " of " + std::to_string(count) + " parts",
               "name every part once, or write `sequence: gauss-seidel`, which finds an order");
    }
  }

  void sequence() {
    const Value* sequence = couple_.find("sequence");
    if (scheme_->sequential || choice_name(sequence) != word_of(Sweep::gauss_seidel)) return;
    complain(faults_, *sequence, scheme_text() + ", not one subsystem after the other",
             "write `sequence: jacobi`, or " + schemes_text(&SchemeTraits::sequential));
  }

  void predictor() {
    const Value* predictor = couple_.find("predictor");
    if (predictor == nullptr || predictor->is(Kind::word) || !predictor->items[0].ok()) return;
    const Value& described = predictor->items[0];
    if (!scheme_->predictors) {
      return complain(faults_, described, scheme_text() + " and predicts by extrapolation only",
                      "write `predictor: extrapolation`, or " + schemes_text(&SchemeTraits::predictors));
    }
    const std::optional<Predictor> kind = choice_of<Predictor>(choice_name(predictor));
    const Value* order = root_.find("control.order");
    if (order == nullptr) return;
    if (kind == Predictor::least_squares) least_squares(described, *order);
    if (kind == Predictor::acc) order_of_acc(described, *order);
    if (kind == Predictor::accrel) order_of_accrel(described, *order);
  }

  void least_squares(const Value& points, const Value& order) {
    const Value* degree = order.is(Kind::section) ? order.find("max") : &order;
    if (degree == nullptr || points.integer > degree->integer + 1) return;
    complain(
        faults_, points,
        "the fit needs more than order + 1 points, and the order may be " + std::to_string(degree->integer),
        "write at least " + std::to_string(degree->integer + 2) + ", or lower control.order");
  }

  void order_of_acc(const Value& acc, const Value& order) {
    const Value* degree = acc.find("degree");
    if (degree == nullptr || (order.is(Kind::integer) && order.integer == degree->integer)) return;
    if (!order.given) return;
    complain(faults_, order, "the order of `acc` is its degree " + std::to_string(degree->integer),
             "leave it out, or write `order: " + std::to_string(degree->integer) + "`");
  }

  void order_of_accrel(const Value& accrel, const Value& order) {
    if (order.is(Kind::integer)) return;
    const std::string remedy = "write `control: {order: 1}`, a whole number from 0 to 5";
    if (order.given)
      return complain(faults_, order, "`accrel` blends with an extrapolation of fixed degree", remedy);
    complain(faults_, accrel, "needs a fixed degree of the extrapolation that it blends with", remedy);
  }

  /// Forces computed with predicted motions stay in the history (Section 3.1.3).
  bool feeds_through(const CutKinds& cuts) const {
    return !scheme_->repeats() && cuts.force_displacement && has_word(couple_.find("update"), Update::none);
  }

  void estimator(const CutKinds& cuts) {
    const Value* estimator = root_.find("control.estimator");
    if (estimator == nullptr || has_word(estimator, Estimator::exOV)) return;  // exOV: rules_couple.cpp
    const bool none = has_word(estimator, Estimator::none);
    const Names valid = valid_estimators(*scheme_, estimator_settings(*scheme_, couple_));
    if (!none && !has(scheme_->estimators, estimator->word)) {
      complain(faults_, *estimator, "is not an estimator of this scheme: " + scheme_text(),
               "write " + quoted_list(valid) + ", or " +
                   quoted_list(schemes_with_estimator(estimator->word), "scheme: "));
    } else if (feeds_through(cuts) && !none) {
      const std::string problem =
          "no estimator holds with `update: none`: the error of the sampling points of force-displacement "
          "cuts is of the same order as the error estimated (Section 3.1.3)";
      const std::string remedy =
          "write `update: consistent`, or `control: {step: H, estimator: none}`, or `scheme: implicit`";
      complain(faults_, estimator->given ? *estimator : *couple_.find("update"), problem, remedy);
    } else if (const Value* course = couple_.find("predictor.acc.course");
               !none && has_word(course, Course::whole)) {
      complain(faults_, *course,
               "no estimator holds with it: its order is that of the solution that exLE compares with",
               "write `course: end`, or a fixed `control: {step: H}`");
    } else if (!none && !has(valid, estimator->word)) {
      excluded(*estimator, valid);
    }
  }

  void excluded(const Value& estimator, const Names& valid) {
    for (const std::string_view setting : estimator_settings(*scheme_, couple_)) {
      const Exclusion* found = exclusion(estimator.word, setting);
      if (found == nullptr) continue;
      const std::string neutral =
          setting == word_of(Sweep::gauss_seidel) ? "`sequence: jacobi`" : "`predictor: extrapolation`";
      return complain(faults_, estimator, std::string(found->reason),
                      "write " + quoted_list(valid) + ", or " + neutral);
    }
  }

  static bool has(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  const Value& root_;
  const Value& couple_;
  const Value& word_;  ///< couple.scheme
  Faults& faults_;
  const SchemeTraits* scheme_;  ///< null: left to the run
};

}  // namespace

Names estimator_settings(const SchemeTraits& scheme, const Value& couple) {
  Names settings;
  if (scheme.predictors) settings.push_back(choice_name(couple.find("predictor")));
  if (scheme.sequential) settings.push_back(choice_name(couple.find("sequence")));
  return settings;
}

void check_scheme_rules(const Value& root, Faults& faults) {
  const Value* couple = root.find("couple");
  const Value* scheme = couple != nullptr ? couple->find("scheme") : nullptr;
  if (scheme != nullptr) SchemeRules(root, *couple, *scheme, faults).check();
}

}  // namespace cosimo::config
