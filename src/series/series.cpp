#include "cosimo/series.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "config/scenario.hpp"
#include "config/source_file.hpp"
#include "config/yaml_tree.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "cosimo/rows.hpp"
#include "cosimo/search.hpp"
#include "series/check_variants.hpp"
#include "series/head.hpp"
#include "series/probe.hpp"
#include "series/worker.hpp"

namespace cosimo {

namespace {

/// The program that runs variants, and what tells it from others.
struct Program {
  std::filesystem::path path;
  std::uint64_t digest = 0;
};

Program program_of(const SeriesOptions& options, series::FileDigests& files) {
  Program program{.path = options.program.empty() ? "/proc/self/exe" : options.program};
  program.digest = files.of(program.path);
  if (program.digest == 0)
    throw Error(Fault{.field = "program",
                      .value = program.path.string(),
                      .problem = "cannot be read",
                      .remedy = "name the program `cosimo` of this version"});
  return program;
}

series::ScenarioSource source_of(const series::Plan& plan) {
  try {
    return series::ScenarioSource(plan.scenario);
  } catch (const Error& error) {
    throw Error(Fault{.file = plan.file,
                      .line = plan.scenario_line,
                      .field = plan.section + ".scenario",
                      .value = plan.scenario.string(),
                      .problem = error.faults().front().problem,
                      .remedy = error.faults().front().remedy});
  }
}

}  // namespace

Series::Series(series::Plan plan) : plan_(std::make_shared<const series::Plan>(std::move(plan))) {}

Series Series::parse(std::string_view text, std::string_view name, const std::filesystem::path& folder) {
  return Series(series::read_plan(text, std::string(name), folder));
}

Series Series::load(const std::filesystem::path& file) {
  config::Faults faults(file.string());
  return parse(config::read_source(file, 0, faults), file.string(), file.parent_path());
}

std::size_t Series::variants() const {
  return plan_->count;
}

void Series::check() const {
  const series::ScenarioSource source = source_of(*plan_);
  series::FileDigests files;
  series::check_variants(*plan_, source, 0, files, nullptr);
  try {
    check_measures(*plan_, row_names(source.with(plan_->settings(0))));
  } catch (const Error& error) {
    throw Error(faults_of(*plan_, 0, error));
  }
}

std::string Series::describe() const {
  std::string text = fmt::format("{} of {} ({})\n", counted(plan_->count, "variant"),
                                 plan_->scenario.filename().string(), plan_->design);
  for (const series::Axis& axis : plan_->axes)
    text += fmt::format("{}: {}\n", axis.key,
                        axis.values.size() > 4 ? fmt::format("{} values, {} ... {}", axis.values.size(),
                                                             axis.values.front(), axis.values.back())
                                               : fmt::format("{}", fmt::join(axis.values, ", ")));
  for (const series::MeasureText& measure : plan_->measures)
    text += fmt::format("{} = {}\n", measure.name, measure.text);
  return text;
}

namespace {

bool has_section(const std::filesystem::path& file, const char* name) {
  try {
    config::Faults faults(file.string());
    const config::Node root = config::parse_yaml(config::read_source(file, 0, faults), 0, faults);
    return root.kind == config::Node::Kind::map && root.find(name) != nullptr;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

bool is_series(const std::filesystem::path& file) {
  return has_section(file, "sweep");
}

bool is_search(const std::filesystem::path& file) {
  return has_section(file, "optimise");
}

SeriesReport run(const Series& series, const SeriesOptions& options) {
  const series::Plan& plan = series.plan();
  series::ScenarioSource source = source_of(plan);
  series::FileDigests files;
  const Program program = program_of(options, files);
  const std::filesystem::path out = std::filesystem::absolute(options.output_dir);
  series::IdentityCache cache(out / "identities", files);
  std::vector<std::uint64_t> identities = check_variants(plan, source, program.digest, files, &cache);
  // Nothing is made before the first look has found no fault; a folder that is there may need none.
  std::optional<series::Probe> first;
  std::error_code code;
  if (!std::filesystem::exists(out / "journal", code))
    first = probe(plan, setup_frame(plan, source, program.digest), program.path, -1, options.interrupt);
  series::SeriesFolder folder(out, options.share ? options.silence_s : 0);
  if (folder.take("identities")) cache.save();
  folder.give_back("identities");
  const Scenario base = source.with(plan.settings(0));
  const config::Checkpoint& every = base.data().run.checkpoint;
  series::Head head({.plan = plan,
                     .source = source,
                     .identities = std::move(identities),
                     .program_digest = program.digest,
                     .program = program.path,
                     .checkpoints = every.seconds > 0 || every.steps > 0,
                     .probe = first},
                    folder, options);
  return head.run();
}

std::string to_json(const SeriesReport& report) {
  const nlohmann::ordered_json json{
      {"status", report.status}, {"reason", report.reason},    {"variants", report.variants},
      {"done", report.done},     {"failed", report.failed},    {"left", report.left},
      {"ran", report.ran},       {"workers", report.workers},  {"threads", report.threads},
      {"wall_s", report.wall_s}, {"folder", report.output_dir}};
  return json.dump(2) + "\n";
}

int serve_series(int input, int output) {
  return series::serve(input, output);
}

}  // namespace cosimo
