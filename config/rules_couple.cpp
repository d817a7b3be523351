// The rules of `couple:` and of what its decomposition allows in `control:` and `solve:`.
//
// Classic cuts exchange forces that polynomials continue; an overlap exchanges states of bodies that both
// sides integrate, and only a constant force stands at the far edge of the copies. Each family has settings
// that mean nothing to the other.
#include <cstdint>
#include <string>

#include "config/rules.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

const char* const no_extrapolation =
    "nothing is extrapolated across an overlap but a constant force at its far edge";
const char* const without_it = "leave it out, or write `decomposition: force-force`";

class CoupleRules {
 public:
  CoupleRules(const Value& root, Faults& faults)
      : root_(root), faults_(faults), decomposition_(root.find("couple.decomposition")) {}

  void check() {
    if (has_word(decomposition_, "force-force")) force_force();
    if (has_word(decomposition_, "overlap")) overlap();
  }

 private:
  void force_force() {
    least_squares();
    if (const Value* layers = root_.find("couple.layers")) {
      no_copies(*layers, "there are no layers", "leave it out, or write `decomposition: overlap`");
    }
    if (const Value* estimator = root_.find("control.estimator"); has_word(estimator, "exOV")) {
      no_copies(*estimator, "there are no copies to compare",
                "write `exCV`, `exLE` or `exMD`, or `decomposition: overlap`");
    }
  }

  /// A setting of overlaps; nobody may have written the decomposition.
  void no_copies(const Value& value, const std::string& problem, const std::string& remedy) {
    if (decomposition_->given) return complain(faults_, value, problem + " at force-force cuts", remedy);
    complain(faults_, value, problem + " at the cuts of `scheme: explicit`, which are force-force by default",
             "add `decomposition: overlap`");
  }

  void least_squares() {
    const Value* points = root_.find("couple.predictor.least-squares");
    const Value* order = root_.find("control.order");
    if (points == nullptr || order == nullptr) return;
    const Value* degree = order->is(Kind::section) ? order->find("max") : order;
    if (degree == nullptr || points->integer > degree->integer + 1) return;
    complain(
        faults_, *points,
        "the fit needs more than order + 1 points, and the order may be " + std::to_string(degree->integer),
        "write at least " + std::to_string(degree->integer + 2) + ", or lower control.order");
  }

  void overlap() {
    const Value* estimator = root_.find("control.estimator");
    for (const char* classic : {"exLE", "exMD", "exCV"}) {
      if (has_word(estimator, classic)) {
        complain(faults_, *estimator,
                 "estimates an extrapolated coupling force, which an overlap does not have",
                 "write `exOV`, or leave it out");
      }
    }
    if (const Value* predictor = root_.find("couple.predictor.least-squares")) {
      complain(faults_, *predictor, no_extrapolation, without_it);
    }
    if (const Value* order = root_.find("control.order")) {
      complain(faults_, *order, no_extrapolation, without_it);
    }
    one_step(root_.find("solve.method"));
    if (const Value* parts = root_.find("solve.parts")) {
      for (const Value& entry : parts->items) one_step(entry.find("method"));
    }
  }

  void one_step(const Value* method) {
    if (!has_word(method, "ida")) return;
    complain(faults_, *method,
             "an overlap needs a one-step method: the states of the copies jump at every macro point",
             "write `rk`, `rosenbrock` or `auto`");
  }

  const Value& root_;
  Faults& faults_;
  const Value* decomposition_;  ///< null: left to the run, or at fault
};

}  // namespace

void check_couple_rules(const Value& root, Faults& faults) {
  CoupleRules(root, faults).check();
}

}  // namespace cosimo::config
