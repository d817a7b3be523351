// Motors must have somewhere to go for the whole run.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "config/curves.hpp"
#include "config/number.hpp"
#include "config/rules.hpp"
#include "numerics/expression.hpp"

namespace cosimo::config {

namespace {

bool is_read(const NamedCurve& curve) {
  return curve.curve != nullptr;
}

/// A curve that ends (`outside: error`) must last from the beginning to the end of the run.
void check_motion(const Value& motion, std::span<const NamedCurve> curves, double end, Faults& faults) {
  static const std::array<std::string, 1> variables{"t"};
  const Expression formula(motion.word, variables, curves);
  for (const double t : {0.0, end}) {
    if (!std::isnan(formula(std::array{t}))) continue;
    faults.add(motion.node->position, motion.path, "",
               {"the motor has nowhere to go at t = " + number_text(t) + ": its table has no value there",
                "give the table points from 0 to the end of the run, or write `outside: hold`"});
    return;
  }
}

}  // namespace

void check_motions(const Value& root, std::span<const NamedCurve> curves, Faults& faults) {
  const Value *joints = root.find("model.joints"), *end = root.find("simulate.end");
  if (joints == nullptr || end == nullptr || curves.empty() || !std::ranges::all_of(curves, is_read)) return;
  for (const Value& entry : joints->items)
    for (const char* key : {"angle", "displacement", "speed", "acceleration"}) {
      const Value* const motion = entry.ok() ? entry.find(key) : nullptr;
      if (motion == nullptr || motion->word.empty()) continue;
      const bool follows = std::ranges::any_of(curves, [&](const NamedCurve& curve) {
        return motion->word.find(curve.name) != std::string::npos;
      });
      if (follows) check_motion(*motion, curves, end->number, faults);
    }
}

}  // namespace cosimo::config
