#include "study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <vector>

#include "commands.hpp"
#include "console.hpp"
#include "core/error.hpp"
#include "errors.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "studies/conduct.hpp"
#include "terminal.hpp"

namespace cosimo::cli {
namespace {

using studies::Conclusion;
using studies::Study;

std::vector<const Study*> chosen(const std::string& name) {
  std::vector<const Study*> result;
  if (name != "all") return {&studies::find_study(name)};
  for (const Study& study : studies::all_studies()) result.push_back(&study);
  return result;
}

/// Conducts one after the other, with a progress line on a terminal.
class Session {
 public:
  Session(const StudyArguments& arguments, std::filesystem::path folder)
      : arguments_(arguments), folder_(std::move(folder)) {
    if (!arguments.output.quiet && on_terminal(stderr)) line_.emplace(stderr);
  }

  Conclusion conduct(const Study& study, bool one_of_many) {
    studies::LabOptions options;
    options.folder = one_of_many ? folder_ / study.name : folder_;
    options.scale = arguments_.scale;
    options.seed = arguments_.seed;
    options.threads = arguments_.threads;
    options.keep = arguments_.keep;
    options.interrupt = &watch_interrupts();
    const auto begin = std::chrono::steady_clock::now();
    if (line_) {
      options.say = [&, begin, trials = 0](std::string_view what) mutable {
        const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const double expected = expected_seconds(study, arguments_.scale);
        line_->show({.share = std::min(s / expected, 1.0),
                     .left = s < expected ? fmt::format("about {:.0f} s left", expected - s) : "",
                     .more = {fmt::format("{}, trial {}", study.name, ++trials), std::string(what)}});
      };
    }
    Conclusion conclusion = studies::conduct(study, options);
    if (line_) line_->wipe();
    return conclusion;
  }

 private:
  const StudyArguments& arguments_;
  std::filesystem::path folder_;
  std::optional<ProgressLine> line_;
};

std::filesystem::path folder_of(const StudyArguments& arguments) {
  if (!arguments.out.empty()) return arguments.out;
  return arguments.name == "all" ? "studies.out" : fmt::format("study-{}.out", arguments.name);
}

int conduct(const StudyArguments& arguments) {
  const std::vector<const Study*> wanted = chosen(arguments.name);
  const std::filesystem::path folder = folder_of(arguments);
  const bool many = arguments.name == "all";
  Session session(arguments, folder);
  std::vector<Conclusion> conclusions;
  bool failed = false;
  for (const Study* study : wanted) {
    const Conclusion& conclusion = conclusions.emplace_back(session.conduct(*study, many));
    failed = failed || !conclusion.failed.empty();
    if (arguments.output.text()) say("{}{:.0f} s\n\n", verdict_table(conclusion), conclusion.wall_s);
    std::fflush(stdout);
    if (many) write_overview(conclusions, folder);
  }
  if (arguments.output.json) say("{}\n", verdicts_json(conclusions, folder));
  if (many && !arguments.output.json) say("{}", closing_table(conclusions));
  if (arguments.output.text())
    say("{}Written to {}; the page is {}\n", many ? "\n" : "", folder.string(),
        (folder / (many ? "index.html" : "report.html")).string());
  return failed ? run_failed : success;
}

}  // namespace

void start_studies(char**) {}

int study_command(const StudyArguments& arguments) {
  if (arguments.list) {
    const bool json = arguments.output.json;
    say("{}", json ? studies::study_list_json(arguments.scale) + "\n" : studies::study_list(arguments.scale));
    return success;
  }
  if (arguments.name.empty())
    throw Error(Fault{.field = "NAME", .problem = "is missing", .remedy = "see  cosimo study --list"});
  try {
    return conduct(arguments);
  } catch (const studies::LabInterrupted&) {
    return tell("interrupted" + (arguments.name == "all"
                                     ? "; studies that ended are in " + folder_of(arguments).string()
                                     : std::string()),
                run_failed, arguments.output.json);
  }
}

}  // namespace cosimo::cli
