#include "apps/report/run_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <unordered_set>

#include "apps/report/page.hpp"
#include "apps/report/run_page_parts.hpp"
#include "apps/report/script_text.hpp"
#include "core/error.hpp"
#include "cosimo/cosimo.hpp"

namespace cosimo {

namespace {

using page::Json;
using page::Remarks;

/// Comparing holds both runs in memory; larger ones are left out (numbers of one run).
constexpr std::size_t most_compared = 40'000'000;

/// Runs a section; what turns out to be damaged there is told, and the rest of the page goes on.
template <class Section>
auto attempt(Remarks& remarks, Section section) -> decltype(section()) {
  try {
    return section();
  } catch (const Error& error) {
    remarks.push_back(fmt::format("Something is left out: {}.", error.faults().front().problem));
    return {};
  }
}

Json summary_json(const ResultFolder& folder, std::size_t bytes, Remarks& remarks) {
  if (folder.summary().empty()) return nullptr;
  Json summary = Json::parse(folder.summary(), nullptr, false);
  if (!summary.is_object()) return nullptr;
  for (const char* list : {"rank_reports", "subsystems", "sections"}) {
    if (page::dump(summary).size() <= bytes) return summary;
    if (summary.erase(list) > 0)
      remarks.push_back(fmt::format("The list {} of summary.json is too long for the page.", list));
  }
  return summary;
}

/// Whole lines of the scenario, as many as fit.
Json scenario_json(const ResultFolder& folder, std::size_t bytes, Remarks& remarks) {
  const std::string& text = folder.scenario();
  if (text.empty()) return nullptr;
  if (text.size() <= bytes) return text;
  remarks.emplace_back("The scenario is too long for the page: its end is in scenario.effective.yaml only.");
  const std::size_t end = text.rfind('\n', bytes);
  return text.substr(0, end == std::string::npos ? 0 : end + 1);
}

Json run_json(const ResultFolder& folder, std::span<const std::int64_t> bodies, std::size_t budget) {
  Remarks remarks = folder.remarks();
  const Json summary = summary_json(folder, budget / 8, remarks);
  const Json scenario = scenario_json(folder, budget / 20, remarks);
  const std::size_t text = page::dump(summary).size() + page::dump(scenario).size() + 4096;
  const std::size_t left = budget > text ? budget - text : 0;
  // Sections that are small by nature come first; the courses of the bodies get what is left.
  std::size_t used = 0;
  const auto share = [&](double part) { return static_cast<std::size_t>(part * static_cast<double>(left)); };
  const auto count = [&](const Json& section) { used += page::dump(section).size(); };

  const page::BodyList list(folder);
  const auto cuts = page::cuts_json(folder, share(0.05), remarks);
  const Json steps = page::steps_json(folder, cuts, share(0.10));
  const Json timing = page::timing_json(folder, share(0.10));
  const auto polynomial = page::polynomial(summary);
  const Json couplings = attempt(remarks, [&] {
    return page::couplings_json(folder, cuts, polynomial != "none", share(0.12), remarks);
  });
  const Json tables = attempt(remarks, [&] { return page::tables_json(folder, share(0.10), remarks); });
  const page::Motion motion =
      attempt(remarks, [&] { return page::motion_json(folder, list, share(0.20), remarks); });
  for (const Json* section : {&cuts.json, &steps, &timing, &couplings, &tables, &motion.json})
    count(*section);
  const Json courses = attempt(remarks, [&] {
    return page::bodies_json(folder, list, motion.travel, bodies, left > used ? left - used : 0, remarks);
  });
  const auto list_or_empty = [](const Json& json) { return json.is_null() ? Json::array() : json; };
  return {{"name", folder.name()},
          {"remarks", remarks},
          {"summary", summary},
          {"scenario", scenario},
          {"rows", folder.time().size()},
          {"bodies_total", list.bodies.size()},
          {"bodies", list_or_empty(courses)},
          {"motion", motion.json},
          {"tables", list_or_empty(tables)},
          {"steps", steps},
          {"cuts_total", folder.cuts().size()},
          {"cuts", cuts.json},
          {"couplings", list_or_empty(couplings)},
          {"polynomial", polynomial},
          {"timing", timing}};
}

/// Every body that is asked for must be recorded somewhere.
void require_bodies(const std::vector<ResultFolder>& folders, std::span<const std::int64_t> bodies) {
  const bool unreadable = std::all_of(folders.begin(), folders.end(),
                                      [](const ResultFolder& folder) { return folder.columns().empty(); });
  if (unreadable) return;  // remarks say why there are none
  std::unordered_set<std::int64_t> missing(bodies.begin(), bodies.end());
  for (const ResultFolder& folder : folders) {
    if (missing.empty()) break;
    for (const RecordedColumn& column : folder.columns()) missing.erase(column.body);
  }
  for (const std::int64_t label : bodies) {
    if (missing.count(label) > 0)
      throw Error(Fault{.field = "--bodies",
                        .value = std::to_string(label),
                        .problem = "this body is not recorded",
                        .remedy = "name recorded bodies; `simulate: {record: all}` records every one"});
  }
}

/// The errors of all runs against the first.
Json comparisons_json(const RunPageOptions& options, const std::vector<ResultFolder>& folders,
                      std::vector<Remarks>& remarks) {
  Json result = Json::array();
  const auto size = [](const ResultFolder& folder) { return folder.time().size() * folder.columns().size(); };
  for (std::size_t i = 1; i < folders.size(); ++i) {
    if (std::max(size(folders[i]), size(folders[0])) > most_compared) {
      remarks[i].push_back(fmt::format("Too large to be compared here: cosimo compare '{}' '{}'",
                                       options.folders[i].string(), options.folders[0].string()));
      continue;
    }
    try {
      const Comparison comparison = compare(options.folders[i], options.folders[0]);
      result.push_back({{"a", i},
                        {"reference", 0},
                        {"position", page::number(comparison.position)},
                        {"velocity", page::number(comparison.velocity)},
                        {"both", page::number(comparison.both)},
                        {"rows", comparison.rows},
                        {"bodies", comparison.bodies},
                        {"weighed", weighed_otherwise(comparison)}});
      if (!comparison.same_model)
        remarks[i].push_back(fmt::format("The model differs from that of {}.", folders[0].name()));
    } catch (const Error& error) {
      remarks[i].push_back(
          fmt::format("Not compared with {}: {}.", folders[0].name(), error.faults().front().problem));
    }
  }
  return result;
}

}  // namespace

std::string run_page_json(const RunPageOptions& options) {
  if (options.folders.empty())
    throw Error(Fault{.problem = "no result folder is named", .remedy = "name the output folder of a run"});
  std::vector<ResultFolder> folders;
  for (const std::filesystem::path& folder : options.folders) folders.emplace_back(folder);
  require_bodies(folders, options.bodies);
  std::vector<Remarks> more(folders.size());
  const Json comparisons = comparisons_json(options, folders, more);
  Json runs = Json::array();
  for (std::size_t i = 0; i < folders.size(); ++i) {
    runs.push_back(run_json(folders[i], options.bodies, options.budget_bytes / folders.size()));
    for (std::string& remark : more[i]) runs.back()["remarks"].push_back(std::move(remark));
  }
  const Json data = {{"kind", "runs"},
                     {"format", 1},
                     {"version", version()},
                     {"runs", std::move(runs)},
                     {"comparisons", comparisons}};
  return page::dump(data);
}

void write_run_page(const RunPageOptions& options) {
  std::string title;
  const std::string json = run_page_json(options);
  for (const std::filesystem::path& folder : options.folders)
    title += (title.empty() ? "" : ", ") + ResultFolder(folder).name();
  const std::string html = page_html(json, title);

  std::filesystem::path part = options.file;
  part += ".part";
  std::ofstream out(part, std::ios::binary);
  out << html;
  out.close();
  std::error_code code;
  if (out) std::filesystem::rename(part, options.file, code);
  if (out && !code) return;
  std::filesystem::remove(part, code);
  throw IoError(
      fmt::format("{}: cannot be written; check free space and permissions", options.file.string()));
}

}  // namespace cosimo
