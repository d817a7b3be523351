// The rules of `simulate:` and `partition:`, and of the steps in `control:`.
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "config/number.hpp"
#include "config/rules.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

constexpr double max_result_bytes = 1e12;

class RunRules {
 public:
  RunRules(const Value& root, Faults& faults) : root_(root), faults_(faults) {
    if (const Value* count = root.find("model.chain.masses")) masses_ = count->integer;
  }

  void check() {
    output();
    record();
    result_size();
    if (const Value* partition = root_.find("partition");
        partition != nullptr && partition->is(Kind::section)) {
      parts(*partition);
      cuts(*partition);
    }
    steps();
  }

 private:
  /// The number at a path; NaN when a word stands there or nothing valid.
  double number(std::string_view path) const {
    const Value* value = root_.find(path);
    const bool numeric = value != nullptr && (value->is(Kind::number) || value->is(Kind::integer));
    return numeric ? value->number : std::numeric_limits<double>::quiet_NaN();
  }

  void output() {
    const double end = number("simulate.end");
    if (number("simulate.output") > end) {
      complain(faults_, *root_.find("simulate.output"),
               "is longer than the simulated time " + number_text(end),
               "write a number from 0 to simulate.end, or `macro`");
    }
  }

  void record() {
    const Value* record = root_.find("simulate.record");
    if (record == nullptr) return;
    if (record->is(Kind::integers) && masses_ > 0) check_labels(faults_, *record, 1, masses_, "bodies");
    if (has_word(record, "coupling") && has_word(root_.find("partition"), "none")) {
      complain(faults_, *record, "an uncut model has no coupling bodies",
               "write `all` or a list of bodies, or add `partition`");
    }
  }

  double recorded_bodies() const {
    const Value* record = root_.find("simulate.record");
    if (record == nullptr || masses_ == 0) return 0;
    if (record->is(Kind::integers)) return static_cast<double>(record->integers.size());
    return has_word(record, "all") ? static_cast<double>(masses_) : 2;
  }

  void result_size() {
    const bool at_macro_points = has_word(root_.find("simulate.output"), "macro");
    const double rows = number("simulate.end") / number(at_macro_points ? "control.step" : "simulate.output");
    const double bytes = rows * recorded_bodies() * 2 * sizeof(double);  // positions and velocities
    if (!(bytes > max_result_bytes)) return;
    complain(faults_, *root_.find("simulate"),
             "would write " + number_text(std::round(bytes / 1e9)) + " GB of results",
             "choose a longer simulate.output or fewer bodies in simulate.record");
  }

  void parts(const Value& partition) {
    const Value* parts = partition.find("parts");
    if (parts == nullptr || !parts->is(Kind::integer) || masses_ == 0) return;
    if (parts->integer > masses_) {
      complain(faults_, *parts, "there are more parts than bodies (" + std::to_string(masses_) + ")",
               "write a number from 1 to " + std::to_string(masses_) + ", or `auto`");
    }
  }

  void cuts(const Value& partition) {
    const Value* cuts = partition.find("cuts");
    const Value* method = partition.find("method");
    if (cuts == nullptr) return;
    if (has_word(method, "manual") && cuts->integers.empty()) {
      complain(faults_, *method, "needs the elements to cut", "add `cuts: [element, ...]`");
    }
    if (cuts->integers.empty()) return;
    if (method != nullptr && !has_word(method, "manual")) {
      complain(faults_, *cuts, "cuts are for the method `manual` only",
               "write `method: manual`, or leave out the cuts");
    }
    if (masses_ > 0) cut_labels(*cuts);
    const Value* parts = partition.find("parts");
    const auto made = static_cast<std::int64_t>(cuts->integers.size()) + 1;
    if (parts != nullptr && parts->is(Kind::integer) && parts->integer != made) {
      complain(faults_, *parts, "the cuts make " + std::to_string(made) + " parts",
               "leave `parts` out, or change the cuts");
    }
  }

  void cut_labels(const Value& cuts) {
    for (std::size_t i = 0; i < cuts.integers.size(); ++i) {
      const std::int64_t label = cuts.integers[i];
      if (label < 2 || label > masses_) {
        complain(faults_, cuts, i, "is not an element between two bodies",
                 masses_ < 2 ? "a single body cannot be cut"
                             : "write a number from 2 to " + std::to_string(masses_) +
                                   ": element i joins body i-1 to body i");
      } else if (i > 0 && label <= cuts.integers[i - 1]) {
        complain(faults_, cuts, i, "does not ascend", "name each element once, in ascending order");
      }
    }
  }

  void steps() {
    if (has_word(root_.find("control.estimator"), "none") && has_word(root_.find("control.step"), "auto")) {
      complain(faults_, *root_.find("control.estimator"),
               "without an estimator the step cannot be controlled",
               "leave it out, or fix the macro step with `step`");
    }
    ascending("control.min_step", "control.first_step");
    ascending("control.first_step", "control.max_step");
    ascending("control.min_step", "control.max_step");
  }

  void ascending(std::string_view small, std::string_view large) {
    if (!(number(small) > number(large))) return;
    complain(faults_, *root_.find(small), "is larger than " + std::string(large),
             "write a number up to " + number_text(number(large)));
  }

  const Value& root_;
  Faults& faults_;
  std::int64_t masses_ = 0;  ///< 0: not known
};

}  // namespace

void check_run_rules(const Value& root, Faults& faults) {
  RunRules(root, faults).check();
}

}  // namespace cosimo::config
