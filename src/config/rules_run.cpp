// The rules of `simulate:` and `partition:`, and of the steps in `control:`.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

#include "config/interval.hpp"
#include "config/number.hpp"
#include "config/rules.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

constexpr double max_result_bytes = 1e12;

class RunRules {
 public:
  RunRules(const Value& root, Faults& faults)
      : root_(root), faults_(faults), model_(model_labels(root)), masses_(model_.bodies) {}

  void check() {
    output();
    if (model_.none) return without_model();
    record();
    result_size();
    if (const Value* partition = root_.find("partition");
        partition != nullptr && partition->is(Kind::section)) {
      parts(*partition);
      cuts(*partition);
      wishes(*partition);
      decomposed_cuts();
    }
    steps();
    checkpoint();
  }

 private:
  /// Subsystems alone have no bodies.
  void without_model() {
    const auto needs_bodies = [&](const char* path, std::string remedy) {
      if (const Value* value = root_.find(path); value != nullptr && value->given)
        complain(faults_, *value, "there is no model with bodies", std::move(remedy));
    };
    const std::string leave_out = "leave it out, or add `model`";
    if (!has_word(root_.find("partition"), "none"))
      needs_bodies("partition", "leave it out: subsystems are never cut");
    // What scenario.effective.yaml says without bodies as well.
    if (!has_word(root_.find("couple.decomposition"), Decomposition::force_force))
      needs_bodies("couple.decomposition", leave_out);
    if (const Value* parts = root_.find("solve.parts"); parts != nullptr && !parts->items.empty())
      needs_bodies("solve.parts", leave_out);
    if (!has_word(root_.find("simulate.record"), Record::all)) needs_bodies("simulate.record", leave_out);
    if (const Value* vtk = root_.find("simulate.vtk"); vtk != nullptr && vtk->boolean)
      needs_bodies("simulate.vtk", leave_out);
    steps();
    checkpoint();
  }

  void checkpoint() {
    const Value* every = root_.find("run.checkpoint.every");
    if (every == nullptr || !every->is(Kind::text)) return;
    const Value* local_error = root_.find("simulate.local_error");
    if (local_error != nullptr && local_error->boolean)
      complain(faults_, *local_error, "the local reference is not part of a checkpoint",
               "leave out `run.checkpoint`, or run without local errors");
    if (parse_interval(every->word)) return;
    complain(faults_, *every, "is neither a time nor a number of steps",
             "write a time like `60 s`, `10 min` or `1 h`, or a number of macro steps like `500 steps`");
  }

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
    if (record->is(Kind::labels)) {
      if (masses_ > 0) check_labels(faults_, *record, 1, masses_, "bodies");
      names(*record, model_.body_names, "body");
    }
    const Value* partition = root_.find("partition");
    if (has_word(record, Record::coupling) && (partition == nullptr || has_word(partition, "none"))) {
      complain(faults_, *record,
               partition == nullptr ? "a model that may be left uncut has no coupling bodies"
                                    : "an uncut model has no coupling bodies",
               "write `all` or a list of bodies, or add `partition`");
    }
  }

  double recorded_bodies() const {
    const Value* record = root_.find("simulate.record");
    if (record == nullptr || masses_ == 0) return 0;
    if (record->is(Kind::labels)) return static_cast<double>(record->integers.size());
    return has_word(record, Record::all) ? static_cast<double>(masses_) : 2;
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
    if (has_word(method, CutMethod::manual) && cuts->integers.empty()) {
      complain(faults_, *method, "needs the elements to cut", "add `cuts: [element, ...]`");
    }
    if (cuts->integers.empty()) return;
    if (method != nullptr && !has_word(method, CutMethod::manual)) {
      complain(faults_, *cuts, "cuts are for the method `manual` only",
               "write `method: manual`, or leave out the cuts");
    }
    if (!model_.chain) return elements(*cuts);
    names(*cuts, {}, "element");
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
      if (!cuts.words[i].empty()) continue;
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

  /// Elements of a model that is no chain, by number or name.
  void elements(const Value& labels) {
    if (model_.elements > 0) check_labels(faults_, labels, 1, model_.elements, "elements");
    names(labels, model_.element_names, "element");
  }

  /// Names must be those of a model that has names; each stands once.
  void names(const Value& labels, std::span<const std::string_view> known, const std::string& what) {
    std::unordered_set<std::string_view> seen;
    const std::unordered_set<std::string_view> all(known.begin(), known.end());
    for (std::size_t i = 0; i < labels.words.size(); ++i) {
      const std::string& name = labels.words[i];
      if (name.empty()) continue;
      if (!seen.insert(name).second) {
        complain(faults_, labels, i, "is given a second time", "name each once");
      } else if (Complaint wrong = unknown(name, all, known, what); !wrong.problem.empty()) {
        complain(faults_, labels, i, std::move(wrong.problem), std::move(wrong.remedy));
      }
    }
  }

  Complaint unknown(const std::string& name, const std::unordered_set<std::string_view>& all,
                    std::span<const std::string_view> known, const std::string& what) const {
    if (model_.chain) {
      const std::string plural = what == "body" ? "bodies" : "elements";
      return {plural + " of a chain have no names", "write their numbers"};
    }
    if (!model_.named || all.contains(name)) return {};  // generators make names of their own
    const auto& constraints = model_.constraint_names;
    if (what == "element" && std::find(constraints.begin(), constraints.end(), name) != constraints.end())
      return {"is a joint, and constraints are never cut", "give the joint `compliant: {stiffness: ...}`"};
    return {"there is no " + what + " of this name",
            faults_.full() ? "" : name_remedy(name, known, "name one that the model has")};
  }

  /// Cuts that the user asks for beside those that the method finds.
  void wishes(const Value& partition) {
    const Value* forbidden = partition.find("forbid");
    for (const char* name : {"fix", "forbid", "add"}) {
      const Value* list = partition.find(name);
      if (list == nullptr || list->integers.empty()) continue;
      if (model_.chain) {
        names(*list, {}, "element");
        if (masses_ > 1) check_labels(faults_, *list, 2, masses_, "elements between two bodies");
      } else {
        elements(*list);
      }
      if (has_word(partition.find("method"), CutMethod::manual)) {
        complain(faults_, *list, "`cuts` already names all cuts", "change `cuts`, or choose another method");
      } else if (list != forbidden && forbidden != nullptr) {
        contradictions(*list, *forbidden);
      }
    }
  }

  void contradictions(const Value& list, const Value& forbidden) {
    for (std::size_t i = 0; i < list.integers.size(); ++i) {
      for (std::size_t j = 0; j < forbidden.integers.size(); ++j) {
        if (list.integers[i] == forbidden.integers[j] && list.words[i] == forbidden.words[j])
          complain(faults_, list, i, "the same cut is forbidden", "name it in one of the lists");
      }
    }
  }

  /// `couple.decomposition` may name cuts one by one.
  void decomposed_cuts() {
    const Value* decomposition = root_.find("couple.decomposition");
    if (decomposition == nullptr || !decomposition->is(Kind::list)) return;
    const std::unordered_set<std::string_view> all(model_.element_names.begin(), model_.element_names.end());
    for (const Value& entry : decomposition->items) {
      const Value* cut = entry.find("cut");
      if (cut == nullptr || !cut->is(Kind::name)) continue;
      if (Complaint wrong = unknown(cut->word, all, model_.element_names, "element"); !wrong.problem.empty())
        complain(faults_, *cut, std::move(wrong.problem), std::move(wrong.remedy));
    }
  }

  void steps() {
    if (has_word(root_.find("control.estimator"), Estimator::none) &&
        has_word(root_.find("control.step"), "auto")) {
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
  const ModelLabels model_;
  std::int64_t masses_;  ///< 0: not known
};

}  // namespace

void check_run_rules(const Value& root, Faults& faults) {
  RunRules(root, faults).check();
}

}  // namespace cosimo::config
