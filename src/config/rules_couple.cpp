// The rules of what the decomposition of the cuts allows in `couple:`, `control:` and `solve:`.
//
// Classic cuts exchange forces or motions that polynomials continue; an overlap exchanges states of bodies
// that both sides integrate, and only a constant force stands at the far edge of the copies. Each family has
// settings that mean nothing to the other.
#include <cstdint>
#include <string>
#include <unordered_set>

#include "config/rules.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

const char* const no_extrapolation =
    "nothing is extrapolated across an overlap but a constant force at its far edge";
const char* const without_it = "leave it out, or write `decomposition: force-force`";

class CoupleRules {
 public:
  CoupleRules(const Value& root, const Value& couple, Faults& faults)
      : root_(root), faults_(faults), couple_(couple), decomposition_(couple.find("decomposition")) {
    const Value* scheme = couple.find("scheme");
    if (scheme != nullptr) scheme_ = find_scheme(scheme->word);
  }

  void check() {
    if (decomposition_ != nullptr) sides(*decomposition_);
    const CutKinds cuts = cut_kinds(decomposition_);
    if (!cuts.known || scheme_ == nullptr) return;
    if (!cuts.overlap) return classic(cuts);
    if (scheme_->overlaps) return overlap();
    complain(faults_, *decomposition_, "`scheme: " + std::string(scheme_->name) + "` has no overlaps",
             "write `force-force`, `force-displacement` or `displacement-displacement`, or " +
                 quoted_list(schemes_with(&SchemeTraits::overlaps), "scheme: "));
  }

 private:
  void sides(const Value& decomposition) {
    if (decomposition.is(Kind::section)) displaced(decomposition);
    if (!decomposition.is(Kind::list)) return;
    std::unordered_set<std::string> named;  // by number or by name
    for (const Value& entry : decomposition.items) {
      displaced(entry);
      if (const Value* cut = entry.find("cut");
          cut != nullptr &&
          !named.insert(cut->is(Kind::name) ? cut->word : std::to_string(cut->integer)).second) {
        complain(faults_, *cut, "an earlier entry already names this cut", "name each cut in one entry");
      }
    }
  }

  void displaced(const Value& section) {
    const Value* kind = section.find("kind");
    const Value* side = section.find("displaced");
    if (kind == nullptr || side == nullptr || !side->given ||
        has_word(kind, Decomposition::force_displacement))
      return;
    complain(faults_, *side, "a " + kind->word + " cut treats both sides alike",
             "leave it out, or write `kind: force-displacement`");
  }

  void classic(const CutKinds& cuts) {
    if (has_word(couple_.find("update"), Update::none) && !cuts.force_displacement) {
      complain(faults_, *couple_.find("update"),
               "means nothing here: there is no feed-through without force-displacement cuts",
               "leave it out, or write `decomposition: force-displacement`");
    }
    if (const Value* layers = couple_.find("layers"); layers != nullptr && layers->given) {
      no_copies(*layers, "there are no layers", "leave it out");
    }
    if (const Value* estimator = root_.find("control.estimator"); has_word(estimator, Estimator::exOV)) {
      no_copies(*estimator, "there are no copies to compare", "write " + quoted_list(scheme_->estimators));
    }
  }

  /// A setting of overlaps; nobody may have written the decomposition.
  void no_copies(const Value& value, const std::string& problem, const std::string& remedy) {
    const std::string scheme(scheme_->name);
    if (!scheme_->overlaps) {
      complain(faults_, value, problem + " at the cuts of `scheme: " + scheme + "`",
               remedy + ", or write `scheme: explicit` with `decomposition: overlap`");
    } else if (!decomposition_->given) {
      complain(faults_, value,
               problem + " at the cuts of `scheme: " + scheme + "`, which are force-force by default",
               "add `decomposition: overlap`");
    } else {
      const std::string kind = decomposition_->is(Kind::word) ? decomposition_->word : "classic";
      complain(faults_, value, problem + " at " + kind + " cuts",
               remedy + ", or write `decomposition: overlap`");
    }
  }

  void overlap() {
    const Value* estimator = root_.find("control.estimator");
    if (estimator != nullptr && !has_word(estimator, Estimator::exOV) &&
        !has_word(estimator, Estimator::none)) {
      complain(faults_, *estimator,
               "estimates the error of approximated coupling variables, which an overlap does not have",
               "write `exOV`, or leave it out");
    }
    if (const Value* predictor = couple_.find("predictor");
        predictor != nullptr && !predictor->is(Kind::word)) {
      complain(faults_, predictor->items[0], no_extrapolation, without_it);
    }
    if (const Value* order = root_.find("control.order")) {
      complain(faults_, *order, no_extrapolation, without_it);
    }
    if (const Value* sequence = couple_.find("sequence");
        choice_name(sequence) == word_of(Sweep::gauss_seidel)) {
      complain(faults_, *sequence, "subsystems that overlap advance all at once",
               "write `sequence: jacobi`, or `decomposition: force-force`");
    }
    if (const Value* update = couple_.find("update"); has_word(update, Update::none)) {
      complain(faults_, *update, "an overlap has no coupling variables to update",
               "leave it out, or write `decomposition: force-displacement`");
    }
    one_step(root_.find("solve.method"));
    if (const Value* parts = root_.find("solve.parts")) {
      for (const Value& entry : parts->items) one_step(entry.find("method"));
    }
  }

  void one_step(const Value* method) {
    if (!has_word(method, Method::ida)) return;
    complain(faults_, *method,
             "an overlap needs a one-step method: the states of the copies jump at every macro point",
             "write `radau`, `rk`, `merson`, `rosenbrock` or `auto`");
  }

  const Value& root_;
  Faults& faults_;
  const Value& couple_;
  const Value* decomposition_;  ///< null: left to the run, or at fault
  const SchemeTraits* scheme_ = nullptr;
};

/// Of one kind; unknown when it is at fault.
CutKinds of_kind(const Value* kind) {
  if (kind == nullptr) return {};
  return {true, has_word(kind, Decomposition::overlap), has_word(kind, Decomposition::force_displacement)};
}

}  // namespace

CutKinds cut_kinds(const Value* decomposition) {
  if (decomposition == nullptr || decomposition->is(Kind::word)) return of_kind(decomposition);
  if (decomposition->is(Kind::section)) return of_kind(decomposition->find("kind"));
  CutKinds all{true, false, false};
  for (const Value& entry : decomposition->items) {
    const CutKinds one = of_kind(entry.find("kind"));
    all.known = all.known && one.known;
    all.force_displacement = all.force_displacement || one.force_displacement;
  }
  return all;
}

void check_couple_rules(const Value& root, Faults& faults) {
  if (const Value* couple = root.find("couple")) CoupleRules(root, *couple, faults).check();
}

}  // namespace cosimo::config
