#include "definitions.hpp"

#include <utility>
#include <vector>

#include "completion.hpp"
#include "options.hpp"
#include "studies/names.hpp"
#include "templates.hpp"

namespace cosimo::cli {
namespace {

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

constexpr const char* sweep_footer =
    "The folder remembers every variant that has ended: the same command does what is missing, and after\n"
    "an edit of FILE or its scenario only what has changed.\n"
    "  cosimo sweep speeds.yaml --workers 4\n"
    "  cosimo sweep speeds.yaml --retry failed\n"
    "  cosimo sweep show speeds.sweep";

constexpr const char* optimise_footer =
    "Says which values are best. The folder holds all runs, as a series: the same command again goes on\n"
    "where it was ended. The same seed and batch of FILE try the same values.\n"
    "  cosimo optimise spring.yaml --workers 4";

constexpr int json = 1, quiet = 2, verbose = 4;

/// What commands have in common, as far as each has it.
void add_output(CLI::App& command, Output& output, int which) {
  if ((which & json) != 0)
    add_flag(command, "--json", output.json, "Print one JSON document on stdout, errors as well");
  if ((which & quiet) != 0) add_flag(command, "-q,--quiet", output.quiet, "Print only errors");
  if ((which & verbose) != 0) add_flag(command, "-v,--verbose", output.verbose, "Print more");
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command
      .add_option("--set", overrides,
                  "Another value for a key of the file, like control.rtol=1e-5; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

/// Where a command is added, and what it is read into.
struct Definition {
  CLI::App& app;
  Arguments& arguments;
  Cluster& cluster;

  /// With this command the user asks for that.
  void does(CLI::App& command, std::function<int()> action) const {
    command.callback([&arguments = arguments, action = std::move(action)] { arguments.action = action; });
  }
};

void add_run(const Definition& d) {
  CLI::App* command = d.app.add_subcommand("run", "Run a scenario file");
  add_name(*command, "FILE", d.arguments.run.file, "Scenario file, or - for standard input")->required();
  add_name(*command, "-o,--out", d.arguments.run.out, "Output folder (default: FILE's name + .out, here)",
           "DIR");
  add_overrides(*command, d.arguments.run.overrides);
  add_number(*command, "--threads", d.arguments.run.threads, "Number of threads (default: all cores)", "N",
             threads);
  add_flag(*command, "--csv", d.arguments.run.csv, "Write results.csv as well");
  add_flag(*command, "--resume", d.arguments.run.resume,
           "Continue from the last checkpoint in the output folder");
  add_flag(*command, "--replace", d.arguments.run.replace,
           "Replace what another scenario left in the output folder");
  add_flag(*command, "--trace", d.arguments.run.trace,
           "Write trace.json as well: who did what when, for ui.perfetto.dev");
  add_flag(*command, "--no-report", d.arguments.run.no_report, "Do not write report.html");
  add_output(*command, d.arguments.run.output, json | quiet | verbose);
  d.does(*command, [d] { return run_command(d.arguments.run, d.cluster); });
}

void add_check(const Definition& d) {
  CLI::App* command = d.app.add_subcommand("check", "Validate a scenario file and say what it would run");
  add_name(*command, "FILE", d.arguments.check.file, "Scenario file, or - for standard input")->required();
  add_name(*command, "-o,--out", d.arguments.check.out,
           "Output folder of the run (default: FILE's name + .out, here)", "DIR");
  add_overrides(*command, d.arguments.check.overrides);
  add_output(*command, d.arguments.check.output, json | quiet | verbose);
  d.does(*command, [d] { return check_command(d.arguments.check); });
}

void add_plan(const Definition& d) {
  CLI::App* command =
      d.app.add_subcommand("plan", "Propose where to cut a model and how to couple it, and predict the run");
  add_name(*command, "FILE", d.arguments.plan.file, "Scenario file, or - for standard input")->required();
  add_name(*command, "-o,--out", d.arguments.plan.out, "Output folder (default: FILE's name + .plan, here)",
           "DIR");
  add_overrides(*command, d.arguments.plan.overrides);
  add_name(*command, "--write", d.arguments.plan.write,
           "Write FILE with the proposed cuts and the recommended scheme as a new scenario file", "NEW.yaml");
  add_number(*command, "--pilot", d.arguments.plan.pilot,
             "Seconds of one pilot run; there are at most fifteen (default: 2)", "S",
             {.low = 0.01, .high = 3600});
  add_number(*command, "--error", d.arguments.plan.error,
             "Error of the motion at which schemes are compared (default: what FILE makes)", "E", positive);
  add_number(*command, "--latency", d.arguments.plan.latency,
             "Of a message between machines (default: 3e-6 s)", "S", positive);
  add_number(*command, "--bandwidth", d.arguments.plan.bandwidth, "Between machines (default: 1e10 bytes/s)",
             "B", positive);
  add_number(*command, "--threads", d.arguments.plan.threads,
             "Threads of the pilot runs (default: 1, so that subsystems are timed undisturbed)", "N",
             threads);
  add_output(*command, d.arguments.plan.output, json | quiet);
  command->footer(plan_footer);
  d.does(*command, [d] { return plan_command(d.arguments.plan); });
}

void add_sweep(const Definition& d) {
  CLI::App* command = d.app.add_subcommand("sweep", "Run a series: one scenario with many values");
  SweepArguments& a = d.arguments.sweep;
  add_name(*command, "FILE", a.file, "Series file, or the word show: tell what is in DIR")->required();
  add_name(*command, "DIR", a.show, "With show: folder of a series");
  add_name(*command, "-o,--out", a.out, "Output folder (default: FILE's name + .sweep, here)", "DIR");
  add_number(*command, "--workers", a.workers, "Processes that run variants (default: as many as pay)", "N",
             threads);
  add_number(*command, "--threads", a.threads, "Threads of each (default: so many that all cores work)", "N",
             threads);
  add_word(*command, "--retry", a.retry, "Run variants again that have failed", {"failed"});
  add_flag(*command, "--share", a.share,
           "Others work on the same folder, on this machine or on others that share the disk");
  add_number(*command, "--silence", a.silence,
             "With --share: who is silent for so long has died (default: 30)", "SECONDS",
             {.low = 2, .high = 86400});
  add_output(*command, a.output, json | quiet);
  command->footer(sweep_footer);
  d.does(*command, [d] { return sweep_command(d.arguments.sweep); });
}

void add_optimise(const Definition& d) {
  CLI::App* command =
      d.app.add_subcommand("optimise", "Search the values of some keys for which measures are best");
  OptimiseArguments& a = d.arguments.optimise;
  add_name(*command, "FILE", a.file, "File of a search")->required();
  add_name(*command, "-o,--out", a.out, "Output folder (default: FILE's name + .search, here)", "DIR");
  add_number(*command, "--workers", a.workers, "Processes that run a batch (default: as many as pay)", "N",
             threads);
  add_number(*command, "--threads", a.threads, "Threads of each (default: so many that all cores work)", "N",
             threads);
  add_output(*command, a.output, json | quiet);
  command->footer(optimise_footer);
  d.does(*command, [d] { return optimise_command(d.arguments.optimise); });
}

void add_compare(const Definition& d) {
  CLI::App* command = d.app.add_subcommand("compare", "Error of one run against another (NRMSE)");
  add_name(*command, "A", d.arguments.compare.a, "Output folder (or results.h5) to judge")->required();
  add_name(*command, "B", d.arguments.compare.reference, "Output folder (or results.h5) taken as exact")
      ->required();
  add_name(*command, "--bodies", d.arguments.compare.bodies, "Only these bodies, like crank,5,10-20", "LIST");
  add_word(*command, "--level", d.arguments.compare.level, "Only position or only velocity",
           {"position", "velocity"});
  add_output(*command, d.arguments.compare.output, json | quiet);
  d.does(*command, [d] { return compare_command(d.arguments.compare); });
}

void add_report(const Definition& d) {
  CLI::App* command = d.app.add_subcommand("report", "Write the page of a run, or one that compares runs");
  add_name(*command, "DIR", d.arguments.report.folders,
           "Output folders; of several the last is the reference")
      ->required();
  add_name(*command, "--bodies", d.arguments.report.bodies,
           "These bodies, like crank,5,10-20 (default: all that fit)", "LIST");
  add_name(*command, "-o,--out", d.arguments.report.out,
           "File to write (default: report.html in DIR; for several: comparison.html, here)", "FILE");
  add_output(*command, d.arguments.report.output, json | quiet);
  d.does(*command, [d] { return report_command(d.arguments.report); });
}

void add_study(const Definition& d) {
  CLI::App* command =
      d.app.add_subcommand("study", "Run a published numerical study again and judge its statements");
  StudyArguments& a = d.arguments.study;
  std::vector<std::string>& names =
      d.arguments.known[add_name(*command, "NAME", a.name, "Name of a study, or all")];
  names.assign(studies::study_names.begin(), studies::study_names.end());
  names.emplace_back("all");
  add_flag(*command, "--list", a.list, "Tell what each study shows and how long it takes");
  add_number(*command, "--scale", a.scale, "Size: 1 is about a minute on two cores (default: 1)", "S",
             {.low = 0.01, .high = 1e6});
  add_number(*command, "--seed", a.seed, "Of random models (default: 1)", "N", {.high = 1e9, .whole = true});
  add_name(*command, "-o,--out", a.out, "Output folder (default: study-NAME.out, or studies.out, here)",
           "DIR");
  add_number(*command, "--threads", a.threads, "Number of threads (default: all cores)", "N", threads);
  add_flag(*command, "--keep", a.keep, "Keep the folders of all runs");
  add_output(*command, a.output, json | quiet);
  d.does(*command, [d] { return study_command(d.arguments.study); });
}

void add_python(const Definition& d) {
  CLI::App* command = d.app.add_subcommand(
      "python", "Debian's Python with the module cosimo on its path, which takes all that follows");
  command->prefix_command();
  command->add_option("SCRIPT", d.arguments.python.words,
                      "Script with its arguments (default: ask and answer)");
  d.does(*command, [d] { return python_command(d.arguments.python); });
}

void add_stability(const Definition& d) {
  CLI::App* command = d.app.add_subcommand(
      "stability", "Map of where a coupling scheme is stable, on the two-mass oscillator");
  StabilityArguments& a = d.arguments.stability;
  add_name(*command, "FILE", a.file, "Scenario file (or -) whose `couple:` and `control.order` count");
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
  add_name(*command, "-o,--out", a.out, "Output folder (default: FILE's name + .stability, or stability.out)",
           "DIR");
  add_number(*command, "--threads", a.threads, "Number of threads (default: all cores)", "N", threads);
  add_output(*command, a.output, json | quiet);
  command->footer(stability_footer);
  d.does(*command, [d] { return stability_command(d.arguments.stability); });
}

void add_fmu(const Definition& d) {
  CLI::App* command = d.app.add_subcommand("fmu", "Export a scenario as FMUs for other tools");
  FmuArguments& a = d.arguments.fmu;
  add_name(*command, "FILE", a.file, "Scenario file")->required();
  add_name(
      *command, "-o,--out", a.out,
      "Archive to write; the one of FMI 3.0 is beside it, as NAME.fmi3.fmu (default: FILE's name + .fmu, "
      "here)",
      "NAME.fmu");
  add_word(*command, "--fmi", a.version, "Only this version of FMI, as NAME.fmu", {"2", "3"});
  add_overrides(*command, a.overrides);
  add_number(*command, "--threads", a.threads, "Threads that an instance may use (default: 1)", "N", threads);
  add_output(*command, a.output, json | quiet);
  d.does(*command, [d] { return fmu_command(d.arguments.fmu); });
}

void add_init(const Definition& d) {
  CLI::App* command = d.app.add_subcommand("init", "Write a commented model to begin with");
  add_word(*command, "NAME", d.arguments.init.name, "Of the model (default: chain)", template_names());
  add_name(*command, "-o,--out", d.arguments.init.out,
           "File to write (default: NAME.yaml, here), or - to print it", "FILE");
  add_flag(*command, "--list", d.arguments.init.list, "Tell what models there are");
  add_output(*command, d.arguments.init.output, json | quiet);
  d.does(*command, [d] { return init_command(d.arguments.init); });
}

void add_info(const Definition& d) {
  CLI::App* schema = d.app.add_subcommand("schema", "Print the JSON Schema of scenario files");
  add_output(*schema, d.arguments.info, json);
  d.does(*schema, [] { return schema_command(); });
  CLI::App* reference = d.app.add_subcommand("reference", "Print all keys of scenario files, as Markdown");
  add_output(*reference, d.arguments.info, json);
  d.does(*reference, [d] { return reference_command(d.arguments.info); });
  CLI::App* shell = d.app.add_subcommand("completion", "Print what makes a shell complete these commands");
  add_word(*shell, "SHELL", d.arguments.shell, "To be used as in:  source <(cosimo completion bash)",
           shells())
      ->required();
  d.does(*shell,
         [d] { return completion_command(d.arguments.shell, command_table(d.app, d.arguments.known)); });
  CLI::App* version = d.app.add_subcommand("version", "Print the version");
  add_output(*version, d.arguments.info, json);
  d.does(*version, [d] { return version_command(d.arguments.info); });
}

/// The last: it knows all others.
void add_help(const Definition& d) {
  CLI::App* command = d.app.add_subcommand("help", "Explain a command");
  std::vector<std::string> names;
  for (const CLI::App* known : d.app.get_subcommands(nullptr)) names.push_back(known->get_name());
  CLI::Option* const name =
      add_name(*command, "COMMAND", d.arguments.help.command, "Its name (default: tell what there is)");
  name->check([names](const std::string& text) { return word_fault(text, names); });
  d.arguments.known[name] = names;
  add_flag(*command, "--man", d.arguments.help.man, "The manual page of the program, for man(1)");
  add_output(*command, d.arguments.help.output, json);
  d.does(*command,
         [d] { return help_command(d.arguments.help, d.app, command_table(d.app, d.arguments.known)); });
}

}  // namespace

void define_commands(CLI::App& app, Arguments& arguments, Cluster& cluster) {
  const Definition all{app, arguments, cluster};
  for (const auto add : {add_run, add_check, add_plan, add_sweep, add_optimise, add_compare, add_report,
                         add_study, add_python, add_stability, add_fmu, add_init, add_info, add_help})
    add(all);
}

}  // namespace cosimo::cli
