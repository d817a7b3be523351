#include "apps/report/run_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

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

/// What the bodies look like: text of the file that is known to be JSON, or null.
std::string scene_text(const ResultFolder& folder, std::size_t bytes, Remarks& remarks) {
  const std::string& text = folder.scene();
  if (text.empty()) return "null";
  if (text.size() > bytes) {
    remarks.emplace_back("The shapes of the bodies are too large for the page: they are drawn as points.");
    return "null";
  }
  if (const Json scene = Json::parse(text, nullptr, false); scene.is_object()) return page::dump(scene);
  remarks.emplace_back(
      "The shapes of the bodies (/scene of results.h5) are damaged: they are drawn as points.");
  return "null";
}

/// A JSON object of parts that are text already: none of them is written out twice.
class ObjectText {
 public:
  void add(std::string_view name, const std::string& json) {
    text_ += text_.empty() ? '{' : ',';
    text_ += fmt::format("\"{}\":", name);
    text_ += json;
  }
  void add(std::string_view name, const Json& json) { add(name, page::dump(json)); }
  std::string take() { return std::move(text_) + '}'; }

 private:
  std::string text_;
};

struct RunText {
  std::string json;
  std::vector<std::int64_t> bodies;  ///< labels of those whose courses are in it
};

/// `more`: what else there is to remark on.
RunText run_json(const ResultFolder& folder, std::span<const std::int64_t> bodies, std::size_t budget,
                 const Remarks& more) {
  Remarks remarks = folder.remarks(), notes;  // what is wrong, and what is only left out
  const Json summary = summary_json(folder, budget / 8, notes);
  const std::string summary_text = page::dump(summary),
                    scenario = page::dump(scenario_json(folder, budget / 20, notes));
  const std::size_t text = summary_text.size() + scenario.size() + 4096;
  const std::size_t left = budget > text ? budget - text : 0;
  // Sections that are small by nature come first; the courses of the bodies get what is left.
  std::size_t used = 0;
  const auto share = [&](double part) { return static_cast<std::size_t>(part * static_cast<double>(left)); };
  const auto counted = [&](const Json& section) {
    std::string own = page::dump(section);
    used += own.size();
    return own;
  };
  const auto list_or_empty = [](const std::string& json) {
    return json.empty() || json == "null" ? std::string("[]") : json;
  };

  const page::BodyList list(folder);
  const auto cuts = page::cuts_json(folder, share(0.05), notes);
  const std::string cuts_text = counted(cuts.json);
  const std::string steps = counted(page::steps_json(folder, cuts, share(0.10)));
  const std::string timing = counted(page::timing_json(folder, share(0.10)));
  const auto polynomial = page::polynomial(summary);
  const std::string couplings = counted(attempt(
      remarks, [&] { return page::couplings_json(folder, cuts, polynomial != "none", share(0.12), notes); }));
  const std::string scene = scene_text(folder, share(0.15), remarks);
  used += scene.size();
  const std::string tables =
      counted(attempt(remarks, [&] { return page::tables_json(folder, share(0.10), notes); }));
  const page::Motion motion =
      attempt(remarks, [&] { return page::motion_json(folder, list, share(0.20), notes); });
  const std::string motion_text = counted(motion.json);
  const page::Courses courses = attempt(remarks, [&] {
    return page::bodies_text(folder, list, motion.travel, bodies, left > used ? left - used : 0, notes);
  });
  remarks.insert(remarks.end(), more.begin(), more.end());
  ObjectText run;
  run.add("name", Json(folder.name()));
  run.add("remarks", Json(remarks));
  run.add("notes", Json(notes));
  run.add("summary", summary_text);
  run.add("scenario", scenario);
  run.add("rows", Json(folder.time().size()));
  run.add("bodies_total", Json(list.bodies.size()));
  run.add("bodies", courses.text);
  run.add("motion", motion_text);
  run.add("scene", scene);
  run.add("tables", list_or_empty(tables));
  run.add("steps", steps);
  run.add("cuts_total", Json(folder.cuts().size()));
  run.add("cuts", cuts_text);
  run.add("couplings", list_or_empty(couplings));
  run.add("polynomial", Json(polynomial));
  run.add("timing", timing);
  return {run.take(), courses.labels};
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

/// The errors of all runs against the last, as `cosimo compare A B` takes B as exact.
Json comparisons_json(const RunPageOptions& options, const std::vector<ResultFolder>& folders,
                      std::vector<Remarks>& remarks) {
  Json result = Json::array();
  const auto size = [](const ResultFolder& folder) { return folder.time().size() * folder.columns().size(); };
  const std::size_t last = folders.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    if (std::max(size(folders[i]), size(folders[last])) > most_compared) {
      remarks[i].push_back(fmt::format("Too large to be compared here: cosimo compare '{}' '{}'",
                                       options.folders[i].string(), options.folders[last].string()));
      continue;
    }
    try {
      const Comparison comparison = compare(options.folders[i], options.folders[last]);
      if (comparison.outputs > 0)
        remarks[i].push_back(
            fmt::format("Outputs of subsystems, against {}: NRMSE {:.3e} each, {:.3e} at most ({}).",
                        folders[last].name(), comparison.output_rms, comparison.worst_output,
                        comparison.worst_output_name));
      if (comparison.bodies > 0)
        result.push_back({{"a", i},
                          {"reference", last},
                          {"position", page::number(comparison.position)},
                          {"velocity", page::number(comparison.velocity)},
                          {"both", page::number(comparison.both)},
                          {"rows", comparison.rows},
                          {"bodies", comparison.bodies},
                          {"weighed", weighed_otherwise(comparison)}});
      if (!comparison.same_model)
        remarks[i].push_back(fmt::format("The model differs from that of {}.", folders[last].name()));
    } catch (const Error& error) {
      remarks[i].push_back(
          fmt::format("Not compared with {}: {}.", folders[last].name(), error.faults().front().problem));
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
  const std::size_t others = folders.size() - 1;
  const std::size_t for_differences = others == 0 ? 0 : options.budget_bytes / 6;
  const std::size_t each = (options.budget_bytes - for_differences) / folders.size();
  std::string runs;
  Json differences = Json::array();
  for (std::size_t i = 0; i < folders.size(); ++i) {
    RunText run = run_json(folders[i], options.bodies, each, more[i]);
    runs += (i == 0 ? '[' : ',') + run.json;
    if (i == 0) continue;
    Remarks ignored;  // whatever is damaged was told of the run
    Json own = attempt(ignored, [&] {
      return page::differences_json(folders[i], folders[0], i, run.bodies, for_differences / others);
    });
    for (Json& difference : own) differences.push_back(std::move(difference));
  }
  ObjectText data;
  data.add("kind", Json("runs"));
  data.add("format", Json(1));
  data.add("version", Json(version()));
  data.add("runs", runs + ']');
  data.add("differences", differences);
  data.add("comparisons", comparisons);
  return data.take();
}

void write_run_page(const RunPageOptions& options) {
  std::string title;
  const std::string json = run_page_json(options);
  for (const std::filesystem::path& folder : options.folders)
    title += (title.empty() ? "" : ", ") + ResultFolder(folder).name();
  const std::string html = page_html(json, title);
  write_page(options.file, html);
}

}  // namespace cosimo
