#include "cosimo/search.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "config/source_file.hpp"
#include "core/counted.hpp"
#include "cosimo/series.hpp"
#include "series/search_plan.hpp"

namespace cosimo {

namespace {

using Json = nlohmann::ordered_json;

Json end(const std::optional<double>& limit) {
  return limit ? Json(*limit) : Json();
}

}  // namespace

Search Search::parse(std::string_view text, std::string_view name, const std::filesystem::path& folder) {
  Search search;
  search.plan_ =
      std::make_shared<const series::SearchPlan>(series::read_search(text, std::string(name), folder));
  return search;
}

Search Search::load(const std::filesystem::path& file) {
  config::Faults faults(file.string());
  return parse(config::read_source(file, 0, faults), file.string(), file.parent_path());
}

void Search::check() const {
  Series(plan_->ends).check();
}

std::string Search::describe() const {
  std::string text = fmt::format("search with at most {} of {} (method {})\n",
                                 counted(static_cast<std::size_t>(plan_->n), "run"),
                                 plan_->ends.scenario.filename().string(), plan_->method);
  for (const series::AxisText& axis : plan_->axes)
    text += axis.range ? fmt::format("{}: {} ... {}{}\n", axis.key, axis.range->from, axis.range->to,
                                     axis.range->log ? " (log)" : "")
                       : fmt::format("{}: {}\n", axis.key, fmt::join(axis.values, ", "));
  for (const series::MeasureText& measure : plan_->ends.measures)
    text += fmt::format("{} = {}\n", measure.name, measure.text);
  for (const series::Goal& goal : plan_->goals)
    text += fmt::format("{}: {}\n", goal.large ? "maximise" : "minimise", goal.measure);
  return text;
}

std::string Search::to_json() const {
  const series::SearchPlan& plan = *plan_;
  Json json{{"file", plan.ends.file}, {"scenario", std::filesystem::absolute(plan.ends.scenario).string()}};
  for (const series::AxisText& axis : plan.axes) {
    if (axis.range)
      json["vary"][axis.key] = {
          {"from", axis.range->from}, {"to", axis.range->to}, {"scale", axis.range->log ? "log" : "linear"}};
    else
      json["vary"][axis.key] = axis.values;
  }
  for (const series::MeasureText& measure : plan.ends.measures) json["measure"][measure.name] = measure.text;
  for (const series::Goal& goal : plan.goals) json["goal"][goal.measure] = goal.large ? "max" : "min";
  json["bounds"] = Json::object();
  for (const series::MeasureBounds& bound : plan.bounds)
    json["bounds"][bound.measure] = Json::array({end(bound.least), end(bound.greatest)});
  json["method"] = plan.method;
  json["evaluations"] = plan.n;
  json["batch"] = plan.batch;
  json["seed"] = plan.seed;
  json["keep"] = plan.keep;
  json["limits"] = Json::object();
  // In the words of a series: plain numbers are seconds and megabytes.
  if (plan.ends.time_limit > 0) json["limits"]["time"] = plan.ends.time_limit;
  if (plan.ends.memory_limit > 0) json["limits"]["memory"] = plan.ends.memory_limit;
  return json.dump(2) + "\n";
}

}  // namespace cosimo
