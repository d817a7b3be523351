#include "series/search_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/check.hpp"
#include "config/definition_sweep.hpp"
#include "config/number.hpp"
#include "config/parameters.hpp"
#include "config/yaml_tree.hpp"
#include "series/read_runs.hpp"

namespace cosimo::series {

namespace {

using config::Faults;
using config::Node;
using config::Value;

/// What a method can do beside one goal over ranges; `auto` takes what fits.
struct Ability {
  const char* method;
  bool choices, bounds, goals;
};
constexpr Ability abilities[] = {
    {"tpe", true, true, true},       {"nsga2", true, true, true},        {"random", true, true, true},
    {"bobyqa", false, false, false}, {"subplex", false, false, false},   {"cobyla", false, true, false},
    {"slsqp", false, true, false},   {"evolution", false, false, false},
};

class SearchReader {
 public:
  SearchReader(SearchPlan& plan, const Value& section, Faults& faults)
      : plan_(plan), section_(section), faults_(faults) {}

  void read(const std::filesystem::path& folder) {
    read_runs(plan_.ends, section_, folder, faults_);
    axes();
    goals("minimise", false);
    goals("maximise", true);
    if (plan_.goals.empty() && section_.find("minimise") == nullptr && section_.find("maximise") == nullptr)
      faults_.add(section_.node->position, "optimise.minimise", "",
                  {"is missing", "say what is good: `minimise: NAME` or `maximise: NAME` of a measure"});
    bounds();
    numbers();
    abilities_of_the_method();
    if (faults_.empty()) ends();
  }

 private:
  void complain(const Value& value, std::string problem, std::string remedy) {
    faults_.add(value.node->position, value.path, config::to_text(*value.node),
                {std::move(problem), std::move(remedy)});
  }

  void axes() {
    const Value& vary = *section_.find("vary");
    for (std::size_t i = 0; i < vary.words.size(); ++i) {
      const std::size_t before = faults_.size();
      AxisText axis = read_axis(vary.words[i], vary.node->keys[i], vary.items[i], faults_);
      if (faults_.size() == before && axis.range && axis.range->from > axis.range->to)
        complain(vary.items[i], "the range is empty", "write the smaller number as `from`");
      plan_.axes.push_back(std::move(axis));
    }
    if (plan_.axes.empty()) complain(vary, "is empty", "say which keys have which values");
    check_keys(plan_.axes, "optimise.vary", faults_);
  }

  bool measured(const std::string& name) const {
    return std::ranges::any_of(plan_.ends.measures, [&](const auto& one) { return one.name == name; });
  }

  std::string there_are() const {
    std::string names;
    for (const MeasureText& one : plan_.ends.measures) names += (names.empty() ? "" : ", ") + one.name;
    return "there are " + names;
  }

  void goals(const char* key, bool large) {
    const Value* given = section_.find(key);
    if (given == nullptr) return;
    if (given->node->kind == Node::Kind::list)
      for (const Value& each : given->items) goal(each, large);
    else
      goal(*given, large);
  }

  void goal(const Value& value, bool large) {
    const std::string& name = value.word;
    if (!measured(name)) return complain(value, "is not measured", there_are());
    if (std::ranges::any_of(plan_.goals, [&](const Goal& known) { return known.measure == name; }))
      return complain(value, "is a goal already", "keep one of them");
    plan_.goals.push_back({name, large});
  }

  void bounds() {
    const Value* all = section_.find("bounds");
    if (all == nullptr) return;
    for (std::size_t i = 0; i < all->words.size(); ++i) {
      const Value &ends = all->items[i], *least = ends.find("min"), *greatest = ends.find("max");
      MeasureBounds bound{all->words[i], {}, {}};
      if (least != nullptr) bound.least = least->number;
      if (greatest != nullptr) bound.greatest = greatest->number;
      if (!measured(bound.measure))
        complain(ends, "`" + bound.measure + "` is not measured", there_are());
      else if (!bound.least && !bound.greatest)
        complain(ends, "has no limit", "write `{min: 0}`, `{max: 1}` or both");
      else if (bound.least && bound.greatest && *bound.least > *bound.greatest)
        complain(ends, "nothing is within these limits", "write the smaller number as `min`");
      plan_.bounds.push_back(std::move(bound));
    }
  }

  void numbers() {
    if (const Value* word = section_.find("method")) plan_.method = word->word;
    if (const Value* word = section_.find("keep")) plan_.keep = word->word;
    for (auto [key, number] : {std::pair{"n", &plan_.n}, {"batch", &plan_.batch}, {"seed", &plan_.seed}})
      if (const Value* value = section_.find(key)) *number = value->integer;
    // Libraries take seeds of 32 bits.
    if (plan_.seed > 0xffffffff) complain(*section_.find("seed"), "is too large", "write one below 2^32");
    if (plan_.batch > plan_.n && section_.find("batch") != nullptr)
      complain(*section_.find("batch"), fmt::format("is more than all {} points", plan_.n),
               "write a smaller batch, or a larger `n`");
  }

  void abilities_of_the_method() {
    if (!faults_.empty()) return;
    const auto has_choices = [](const AxisText& axis) { return !axis.range; };
    const bool choices = std::ranges::any_of(plan_.axes, has_choices), several = plan_.goals.size() > 1;
    for (const Ability& can : abilities) {
      if (plan_.method != can.method) continue;
      const Value& method = *section_.find("method");
      if (choices && !can.choices)
        complain(method, "knows no choices, and `vary` has some", "write `from` and `to`, or use tpe");
      else if (several && !can.goals)
        complain(method, "has one goal, and there are several", "use nsga2 or tpe");
      else if (!plan_.bounds.empty() && !can.bounds)
        complain(method, "knows no bounds over measures", "use cobyla, slsqp or tpe");
    }
  }

  void ends() {
    Plan& ends = plan_.ends;
    ends.design = "ends";
    ends.count = 2;
    for (const AxisText& axis : plan_.axes) {
      std::vector<std::string> values = axis.values;
      if (axis.range) values = {config::number_text(axis.range->from), config::number_text(axis.range->to)};
      ends.count = std::max(ends.count, values.size());
      ends.axes.push_back({axis.key, axis.name, axis.position.line, std::move(values)});
    }
    for (std::size_t i = 0; i < ends.count; ++i)
      for (const Axis& axis : ends.axes)
        ends.choice.push_back(static_cast<std::uint32_t>(std::min(i, axis.values.size() - 1)));
  }

  SearchPlan& plan_;
  const Value& section_;
  Faults& faults_;
};

}  // namespace

SearchPlan read_search(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
  Faults faults(name);
  Node root = config::parse_yaml(text, 0, faults);
  if (root.kind == Node::Kind::null)
    faults.fatal({0, 1, 1}, "", "",
                 {"is empty", "begin with `cosimo: 1` and `optimise:`; see docs/optimisation.md"});
  if (root.kind == Node::Kind::map && root.find("optimise") == nullptr)
    faults.fatal(
        {0, 1, 1}, "optimise", "",
        {"is missing", root.find("sweep") != nullptr ? "this is a series: `cosimo sweep " + name + "`"
                       : root.find("simulate") != nullptr
                           ? "this is a scenario: write a file with `optimise: {scenario: " + name +
                                 ", ...}`, or use `cosimo run`"
                           : "add `optimise:` with `scenario`, `vary`, `measure` and `minimise`"});
  config::Parameters none;
  const config::Checked checked = config::check_search(std::move(root), none, faults);
  faults.raise();
  SearchPlan plan;
  plan.ends.file = name;
  plan.ends.section = "optimise";
  SearchReader(plan, *checked.root.find("optimise"), faults).read(folder);
  faults.raise();
  return plan;
}

}  // namespace cosimo::series
