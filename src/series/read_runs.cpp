#include "series/read_runs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "config/interval.hpp"
#include "config/number.hpp"
#include "config/parameters.hpp"
#include "config/yaml_tree.hpp"
#include "numerics/expression.hpp"
#include "series/measure.hpp"

namespace cosimo::series {

namespace {

using config::Faults;
using config::Value;

/// "500 MB", "4 GB", "500".
std::optional<double> megabytes(const std::string& text) {
  const std::size_t length = config::number_length(text);
  const auto number = config::parse_number(text.substr(0, length));
  const double* value = std::get_if<double>(&number);
  if (value == nullptr || !(*value > 0) || !std::isfinite(*value)) return std::nullopt;
  std::string unit = text.substr(length);
  std::erase(unit, ' ');
  if (unit.empty() || unit == "MB" || unit == "MiB") return *value;
  if (unit == "GB" || unit == "GiB") return *value * 1024;
  return std::nullopt;
}

void complain(Faults& faults, const Value& value, std::string problem, std::string remedy) {
  faults.add(value.node->position, value.path, config::to_text(*value.node),
             {std::move(problem), std::move(remedy)});
}

/// Whether results have its columns is known when a variant has been built.
void check_measure(Faults& faults, const Value& text) {
  try {
    const Measure read(text.node->text);
  } catch (const ExpressionError& error) {
    complain(faults, text, error.what(), error.remedy);
  }
}

void read_measures(Plan& plan, const Value& all, Faults& faults) {
  if (all.words.empty())
    complain(faults, all, "is empty", "name at least one measure: `worst: max(strut.Fz)`");
  for (std::size_t i = 0; i < all.words.size(); ++i) {
    const std::string& name = all.words[i];
    const Value& text = all.items[i];
    if (!config::is_identifier(name))
      complain(faults, text, "`" + name + "` is no name for a measure",
               "write letters, digits and _, beginning with a letter");
    check_measure(faults, text);
    plan.measures.push_back({name, text.node->text, text.node->position.line});
  }
}

void read_limits(Plan& plan, const Value& section, Faults& faults) {
  if (const Value* time = section.find("limits.time")) {
    const auto interval = config::parse_interval(time->node->text);
    if (!interval || !(interval->seconds > 0))
      complain(faults, *time, "is no time", "write, for example, `90 s`, `10 min` or `2 h`");
    else
      plan.time_limit = interval->seconds;
  }
  if (const Value* memory = section.find("limits.memory")) {
    const auto size = megabytes(memory->node->text);
    if (!size)
      complain(faults, *memory, "is no size of memory", "write, for example, `500 MB` or `4 GB`");
    else
      plan.memory_limit = *size;
  }
}

}  // namespace

bool is_of_run(const std::string& key) {
  return key == "run" || key.starts_with("run.");
}

void read_runs(Plan& plan, const Value& section, const std::filesystem::path& folder, Faults& faults) {
  plan.scenario = folder / section.find("scenario")->word;
  plan.scenario_line = section.find("scenario")->node->position.line;
  if (const Value* keep = section.find("keep"))
    plan.keep = keep->word == "results"                 ? Keep::results
                : keep->word == "results of the failed" ? Keep::failed
                                                        : Keep::measures;
  read_measures(plan, *section.find("measure"), faults);
  read_limits(plan, section, faults);
}

void check_keys(const std::vector<AxisText>& axes, const std::string& field, Faults& faults) {
  const auto refuse = [&](const AxisText& axis, std::string problem, std::string remedy) {
    faults.add(axis.position, field + "." + axis.key, "", {std::move(problem), std::move(remedy)});
  };
  for (const AxisText& axis : axes)
    if (is_of_run(axis.key))
      refuse(axis, "`run` never changes a result", "vary something else; see --workers and --threads");
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t k = 0; k < axes.size(); ++k)
      if (i != k && axes[k].key.starts_with(axes[i].key + "."))
        refuse(axes[k], "is part of `" + axes[i].key + "`, which is varied as a whole", "vary one of them");
}

}  // namespace cosimo::series
