// The command line program: reads the arguments, calls the library, prints. It holds no
// logic of its own beyond that.
//
// Exit code 0: success; 1: the run failed; 2: the input is wrong.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "command_faults.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "cosimo/cluster.hpp"
#include "cosimo/cosimo.hpp"
#include "last_words.hpp"
#include "options.hpp"
#include "page.hpp"
#include "plan.hpp"
#include "signals.hpp"
#include "study.hpp"

namespace cosimo::cli {
namespace {

constexpr const char* footer =
    "A first run:  cosimo run examples/quickstart.yaml\n"
    "Exit code 0: success, 1: the run failed, 2: the input is wrong.";

constexpr const char* stability_footer =
    "The keys of a scenario file describe the scheme; without FILE it is explicit, force-force, of\n"
    "degree 2, and --set changes it:\n"
    "  cosimo stability --set couple.scheme=implicit --set control.order=1\n"
    "  cosimo stability --set couple.scheme=waveform --set couple.relaxation=0.3 --set "
    "couple.max_iterations=4\n"
    "  cosimo stability --set couple.decomposition=force-displacement --set couple.sequence=gauss-seidel\n"
    "  cosimo stability --set \"couple.predictor={acc: {degree: 1, course: whole}}\" --mass-ratio 10";

constexpr const char* plan_footer =
    "Short runs are timed: of the proposal, of the uncut model, of every scheme worth trying and of other\n"
    "numbers of parts; about half a minute with the usual --pilot, and more until predictions settle. Keys\n"
    "of a scenario file say which cuts must or must not be:\n"
    "  cosimo plan model.yaml --set partition.parts=8 --set \"partition.forbid=[12]\" --write cut.yaml\n"
    "  cosimo plan model.yaml --error 1e-3 --latency 2e-6 --bandwidth 1.2e10";

void say_error(std::string_view text) {
  say(stderr, "cosimo: error: {}\n", text);
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command
      .add_option("--set", overrides,
                  "Another value for a key of the file, like control.rtol=1e-5; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

/// The whole command line: after parsing, `action` is what the user asked for.
class CommandLine {
 public:
  explicit CommandLine(Cluster& cluster)
      : cluster_(cluster), app_("Error-controlled parallel co-simulation of multibody systems", "cosimo") {
    app_.footer(footer);
    app_.require_subcommand(0, 1);
    app_.set_version_flag("--version", "cosimo " + std::string(version()));
    add_run();
    add_check();
    add_plan();
    add_compare();
    add_report();
    add_study();
    add_stability();
    CLI::App* schema = app_.add_subcommand("schema", "Print the JSON Schema of scenario files");
    schema->callback([this] { action_ = [] { return show(scenario_schema()); }; });
    CLI::App* reference = app_.add_subcommand("reference", "Print all keys of scenario files, as Markdown");
    reference->callback([this] { action_ = [] { return show(scenario_reference()); }; });
  }

  int execute(int argc, char** argv) {
    mute(!cluster_.leads());  // rank 0 speaks for all
    if (argc > 1 && argv[1][0] != '-' && !is_command(argv[1])) {
      say_error(unknown_command(app_, argv[1]));
      return wrong_input;
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
      std::ostringstream text;
      const int code = app_.exit(asked, text, text);
      say("{}", text.str());
      return code;
    } catch (const CLI::ParseError& fault) {
      const CLI::App& command = argc > 1 && is_command(argv[1]) ? *app_.get_subcommand(argv[1]) : app_;
      say_error(wrong_arguments(command, fault, {argv + 1, argv + argc}));
      say(stderr, "See  cosimo {}--help\n", command_name(argc, argv));
      return wrong_input;
    }
    // Ranks share runs; everything else is the business of one.
    if (!cluster_.leads() && !app_.got_subcommand("run")) return success;
    if (action_) return action_();
    say(stderr, "{}", app_.help());
    return wrong_input;
  }

 private:
  void add_run() {
    CLI::App* command = app_.add_subcommand("run", "Run a scenario file");
    add_name(*command, "FILE", run_.file, "Scenario file")->required();
    add_name(*command, "-o,--out", run_.out, "Output folder (default: FILE's name + .out, here)", "DIR");
    add_overrides(*command, run_.overrides);
    add_number(*command, "--threads", run_.threads, "Number of threads (default: all cores)", "N", threads);
    add_flag(*command, "--csv", run_.csv, "Write results.csv as well");
    add_flag(*command, "--resume", run_.resume, "Continue from the last checkpoint in the output folder");
    add_flag(*command, "--replace", run_.replace, "Replace what another scenario left in the output folder");
    add_flag(*command, "--trace", run_.trace,
             "Write trace.json as well: who did what when, for ui.perfetto.dev");
    add_flag(*command, "-q,--quiet", run_.quiet, "Print only errors");
    command->callback([this] { action_ = [this] { return run_command(run_, cluster_); }; });
  }

  void add_check() {
    CLI::App* command = app_.add_subcommand("check", "Validate a scenario file and say what it would run");
    add_name(*command, "FILE", check_.file, "Scenario file")->required();
    add_name(*command, "-o,--out", check_.out, "Output folder of the run (default: FILE's name + .out, here)",
             "DIR");
    add_overrides(*command, check_.overrides);
    command->callback([this] { action_ = [this] { return check_command(check_); }; });
  }

  void add_plan() {
    CLI::App* command =
        app_.add_subcommand("plan", "Propose where to cut a model and how to couple it, and predict the run");
    add_name(*command, "FILE", plan_.file, "Scenario file")->required();
    add_name(*command, "-o,--out", plan_.out, "Output folder (default: FILE's name + .plan, here)", "DIR");
    add_overrides(*command, plan_.overrides);
    add_name(*command, "--write", plan_.write,
             "Write FILE with the proposed cuts and the recommended scheme as a new scenario file",
             "NEW.yaml");
    add_number(*command, "--pilot", plan_.pilot,
               "Seconds of one pilot run; there are at most fifteen (default: 2)", "S",
               {.low = 0.01, .high = 3600});
    add_number(*command, "--error", plan_.error,
               "Error of the motion at which schemes are compared (default: what FILE makes)", "E", positive);
    add_number(*command, "--latency", plan_.latency, "Of a message between machines (default: 3e-6 s)", "S",
               positive);
    add_number(*command, "--bandwidth", plan_.bandwidth, "Between machines (default: 1e10 bytes/s)", "B",
               positive);
    add_number(*command, "--threads", plan_.threads,
               "Threads of the pilot runs (default: 1, so that subsystems are timed undisturbed)", "N",
               threads);
    command->footer(plan_footer);
    command->callback([this] { action_ = [this] { return plan_command(plan_); }; });
  }

  void add_compare() {
    CLI::App* command = app_.add_subcommand("compare", "Error of one run against another (NRMSE)");
    add_name(*command, "A", compare_.a, "Output folder (or results.h5) to judge")->required();
    add_name(*command, "B", compare_.reference, "Output folder (or results.h5) taken as exact")->required();
    add_name(*command, "--bodies", compare_.bodies, "Only these bodies, like crank,5,10-20", "LIST");
    add_word(*command, "--level", compare_.level, "Only position or only velocity", {"position", "velocity"});
    command->callback([this] { action_ = [this] { return compare_command(compare_); }; });
  }

  void add_report() {
    CLI::App* command = app_.add_subcommand("report", "Write the page of a run, or one that compares runs");
    add_name(*command, "DIR", report_.folders, "Output folders")->required();
    add_name(*command, "--bodies", report_.bodies, "These bodies, like crank,5,10-20 (default: all that fit)",
             "LIST");
    add_name(*command, "-o,--out", report_.out,
             "File to write (default: report.html in DIR; for several: comparison.html, here)", "FILE");
    command->callback([this] { action_ = [this] { return report_command(report_); }; });
  }

  void add_study() {
    CLI::App* command =
        app_.add_subcommand("study", "Run a published numerical study again and judge its statements");
    StudyArguments& a = study_;
    add_name(*command, "NAME", a.name, "Name of a study, or all");
    add_flag(*command, "--list", a.list, "Tell what each study shows and how long it takes");
    add_number(*command, "--scale", a.scale, "Size: 1 is about a minute on two cores (default: 1)", "S",
               {.low = 0.01, .high = 1e6});
    add_number(*command, "--seed", a.seed, "Of random models (default: 1)", "N",
               {.high = 1e9, .whole = true});
    add_name(*command, "-o,--out", a.out, "Output folder (default: study-NAME.out, or studies.out, here)",
             "DIR");
    add_number(*command, "--threads", a.threads, "Number of threads (default: all cores)", "N", threads);
    add_flag(*command, "--keep", a.keep, "Keep the folders of all runs");
    add_flag(*command, "-q,--quiet", a.quiet, "Print only errors (all: and the closing table)");
    command->callback([this] { action_ = [this] { return study_command(study_); }; });
  }

  void add_stability() {
    CLI::App* command = app_.add_subcommand(
        "stability", "Map of where a coupling scheme is stable, on the two-mass oscillator");
    StabilityArguments& a = stability_;
    add_name(*command, "FILE", a.file, "Scenario file whose `couple:` and `control.order` count");
    add_overrides(*command, a.overrides);
    add_number(*command, "--mass-ratio", a.mass_ratio, "Second mass over first (default: 1)", "R", positive);
    const auto pair = [&](const char* name, std::vector<double>& values, const char* help, const char* type,
                          const Numbers& allowed) {
      add_number(*command, name, values, help, type, allowed)
          ->delimiter(',')
          ->expected(1, 2)
          ->allow_extra_args(false);
    };
    pair("--stiffness-ratio", a.stiffness_ratio,
         "Stiffness of the coupling, and of the second mass's spring, over the first spring's (default: 1,1)",
         "RC[,R2]", not_negative);
    pair("--damping-ratio", a.damping_ratio,
         "Damping of the coupling, and of the second mass's damper, over the first damper's (default: 1,1)",
         "RC[,R2]", not_negative);
    pair("--range", a.range, "How far the map reaches along -Re(H lambda) and Im(H lambda) (default: 2,2)",
         "RE[,IM]", {.high = 1000, .above = true});
    add_number(*command, "--points", a.points, "Points along each axis (default: 120)", "N",
               {.low = 2, .high = 2000, .whole = true});
    add_name(*command, "-o,--out", a.out,
             "Output folder (default: FILE's name + .stability, or stability.out)", "DIR");
    add_number(*command, "--threads", a.threads, "Number of threads (default: all cores)", "N", threads);
    command->footer(stability_footer);
    command->callback([this] { action_ = [this] { return stability_command(stability_); }; });
  }

  static int show(const std::string& text) {
    say("{}{}", text, text.ends_with('\n') ? "" : "\n");
    return success;
  }

  bool is_command(std::string_view word) const {
    return !app_.get_subcommands([word](const CLI::App* command) { return command->get_name() == word; })
                .empty();
  }

  std::string command_name(int argc, char** argv) const {
    if (argc < 2 || !is_command(argv[1])) return "";
    return std::string(argv[1]) + " ";
  }

  Cluster& cluster_;
  CLI::App app_;
  RunArguments run_;
  CheckArguments check_;
  PlanArguments plan_;
  CompareArguments compare_;
  ReportArguments report_;
  StudyArguments study_;
  StabilityArguments stability_;
  std::function<int()> action_;
};

/// Errors that all ranks have found together.
int guarded(int argc, char** argv, Cluster& cluster) {
  try {
    return CommandLine(cluster).execute(argc, argv);
  } catch (const Error& error) {
    if (cluster.ranks() > 1 && dynamic_cast<const AgreedError*>(&error) == nullptr) throw;
    for (const Fault& fault : error.faults()) say_error(to_string(fault));
    if (error.faults().empty()) say_error(error.what());
    return wrong_input;
  } catch (const IoError& error) {
    if (cluster.ranks() > 1 && dynamic_cast<const AgreedIoError*>(&error) == nullptr) throw;
    say_error(error.what());
    return run_failed;
  }
}

/// Errors of one rank, which the others would wait for in vain.
int among_others(int argc, char** argv, Cluster& cluster) {
  std::string text;
  int code = run_failed;
  try {
    return guarded(argc, argv, cluster);
  } catch (const Error& error) {
    text = error.what();
    code = wrong_input;
  } catch (const IoError& error) {
    text = error.what();
  } catch (const std::filesystem::filesystem_error& error) {
    text = error.what();
  } catch (const std::system_error& error) {
    const bool threads = error.code() == std::errc::resource_unavailable_try_again;
    text = fmt::format("the system refused: {}{}", error.what(), threads ? "; try fewer --threads" : "");
  } catch (const std::bad_alloc&) {
    text = "there is not enough memory for this model; try `record: coupling`, fewer masses or more hosts";
  } catch (const std::exception& error) {
    text = fmt::format(
        "this should not have happened, sorry: {}\nPlease report it with the scenario file, the command and "
        "the "
        "output of `cosimo --version`.",
        error.what());
  }
  mute(false);
  say_error(cluster.ranks() > 1 ? fmt::format("rank {}: {}", cluster.rank(), text) : text);
  std::fflush(stderr);
  cluster.abort(code);
  return code;
}

int start(int argc, char** argv) {
  try {
    if (argc > 1 && std::string_view(argv[1]) == "study") start_studies(argv);
    // From the first moment: a scheduler may change its mind.
    if (argc > 1 && std::string_view(argv[1]) == "run") watch_interrupts();
    Cluster cluster = Cluster::join();
    return among_others(argc, argv, cluster);
  } catch (const Error& error) {
    for (const Fault& fault : error.faults()) say_error(to_string(fault));
    return wrong_input;
  }
}

}  // namespace
}  // namespace cosimo::cli

int main(int argc, char** argv) {
  cosimo::cli::open_streams();
  cosimo::cli::watch_libraries();
  return cosimo::cli::printed(cosimo::cli::start(argc, argv));
}
