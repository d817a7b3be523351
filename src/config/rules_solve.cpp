// The rules of `solve:`.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_set>

#include "config/rules.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

/// A setting that some methods do not look at.
struct Special {
  const char* name;
  std::string_view neutral;  ///< the word that any method may carry
  bool (*used_by)(std::string_view method);
  const char* reason;
  const char* remedy;
};

const Special specials[] = {
    {"linear", word_of(Linear::automatic),
     [](std::string_view method) {
       return method != word_of(Method::rk) && method != word_of(Method::merson);
     },
     "`rk` and `merson` solve no linear equations",
     "leave it out, or write `method: rosenbrock`, `radau`, `ida` or `auto`"},
    {"stop", word_of(Stop::adjusted), [](std::string_view method) { return method == word_of(Method::ida); },
     "only `ida` has a choice of how to meet the end of a macro step",
     "leave it out, or write `method: ida`"},
};

class SolveRules {
 public:
  SolveRules(const Value& root, const Value& solve, Faults& faults)
      : root_(root), solve_(solve), faults_(faults) {}

  void check() {
    const Value* method = solve_.find("method");
    const Value* overrides = solve_.find("parts");
    stop_limit(solve_.find("stop"), method);
    if (overrides == nullptr) return;
    part_labels(*overrides);
    if (method == nullptr) return;
    for (const Special& special : specials) without_effect(special, *method, *overrides);
    for (const Value& entry : overrides->items) limit_of_part(entry, *method);
  }

 private:
  /// Common settings may be meant for a part that has another method.
  void without_effect(const Special& special, const Value& method, const Value& overrides) {
    const auto idle = [&](const Value* value, const Value& used) {
      return value != nullptr && value->is(Kind::word) && value->word != special.neutral &&
             !special.used_by(used.word);
    };
    const auto inherits = [&](const Value& entry) {
      const Value* own = entry.find("method");
      return own != nullptr && special.used_by(own->word) && entry.find(special.name) == nullptr;
    };
    if (const Value* common = solve_.find(special.name);
        idle(common, method) && std::none_of(overrides.items.begin(), overrides.items.end(), inherits)) {
      complain(faults_, *common, special.reason, special.remedy);
    }
    for (const Value& entry : overrides.items) {
      const Value* own = entry.find("method");
      const Value* value = entry.find(special.name);
      if (idle(value, own != nullptr ? *own : method)) {
        complain(faults_, *value, special.reason, special.remedy);
      }
    }
  }

  static bool is_limit(const Value* stop) { return stop != nullptr && stop->is(Kind::choice); }

  void limit_of_part(const Value& entry, const Value& common_method) {
    const Value* stop = entry.find("stop");
    const Value* method = entry.find("method");
    stop_limit(stop, method != nullptr ? method : &common_method);
    if (stop == nullptr && is_limit(solve_.find("stop")) && method != nullptr &&
        !has_word(method, Method::ida)) {
      complain(faults_, *method, "does not have the policy `limit` that `solve` asks for",
               "add `stop: adjusted` for these parts");
    }
  }

  /// Overshooting micro steps cannot be taken back (4.3).
  void stop_limit(const Value* stop, const Value* method) {
    if (!is_limit(stop)) return;
    if (method != nullptr && !has_word(method, Method::ida)) {
      complain(faults_, *stop, "`limit` is a policy of `ida`, the method is `" + method->word + "`",
               "write `method: ida`, or `stop: adjusted`");
    }
    const Value* estimator = root_.find("control.estimator");
    const bool controlled = has_word(root_.find("control.step"), "auto");
    const bool estimated = estimator != nullptr && !has_word(estimator, Estimator::none);
    const std::string overshoots = "`limit` overshoots the macro point, so no step can be repeated (4.3)";
    const Value* scheme = root_.find("couple.scheme");
    const SchemeTraits* traits = scheme != nullptr ? find_scheme(scheme->word) : nullptr;
    if (traits != nullptr && traits->repeats()) {
      complain(faults_, *stop, overshoots + ", and the scheme `" + scheme->word + "` repeats every step",
               "write `stop: adjusted` or `stop: exact`, or `scheme: explicit`");
    } else if (controlled || estimated) {
      complain(
          faults_, *stop, overshoots,
          "fix the macro step with control.step and leave out control.estimator, or write `stop: adjusted`");
    }
  }

  void part_labels(const Value& overrides) {
    std::unordered_set<std::int64_t> taken;
    for (const Value& entry : overrides.items) {
      const Value* labels = entry.find("parts");
      if (labels == nullptr) continue;
      check_labels(faults_, *labels, 1, std::numeric_limits<std::int32_t>::max(), "parts");
      for (std::size_t i = 0; i < labels->integers.size(); ++i) {
        if (taken.contains(labels->integers[i])) {
          complain(faults_, *labels, i, "an earlier entry already names this part",
                   "name each part in one entry");
        }
      }
      taken.insert(labels->integers.begin(), labels->integers.end());
    }
  }

  const Value& root_;
  const Value& solve_;
  Faults& faults_;
};

}  // namespace

void check_solve_rules(const Value& root, Faults& faults) {
  if (const Value* solve = root.find("solve")) SolveRules(root, *solve, faults).check();
}

}  // namespace cosimo::config
