// The command line program: reads the arguments, calls the library, prints. It holds no
// logic of its own beyond that.
//
// Exit code 0: success; 1: the run failed; 2: the input is wrong.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "command_faults.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "cosimo/cluster.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/series.hpp"
#include "definitions.hpp"
#include "errors.hpp"
#include "guard.hpp"
#include "last_words.hpp"
#include "python.hpp"
#include "signals.hpp"
#include "study.hpp"

namespace cosimo::cli {
namespace {

constexpr const char* footer =
    "A first run:  cosimo init chain; cosimo run chain.yaml\n"
    "Exit code 0: success, 1: the run failed, 2: the input is wrong.";

/// Of arguments that may be wrong in any way.
bool wants_json(int argc, char** argv) {
  return std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
}

int refuse(const Refusal& refusal, bool json) {
  return tell(refusal.text, wrong_input, json, refusal.fault);
}

/// The whole command line: after parsing it does what the user asked for.
class CommandLine {
 public:
  explicit CommandLine(Cluster& cluster)
      : cluster_(cluster), app_("Error-controlled parallel co-simulation of multibody systems", "cosimo") {
    app_.footer(footer);
    app_.require_subcommand(0, 1);
    app_.set_version_flag("--version", "cosimo " + std::string(version()));
    define_commands(app_, arguments_, cluster);
  }

  int execute(int argc, char** argv) {
    mute(!cluster_.leads());  // rank 0 speaks for all
    if (argc > 1 && argv[1][0] != '-' && !is_command(argv[1]))
      return refuse(unknown_command(app_, argv[1]), wants_json(argc, argv));
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
      std::ostringstream text;
      const int code = app_.exit(asked, text, text);
      say("{}", text.str());
      return code;
    } catch (const CLI::ParseError& fault) {
      const CLI::App& command = argc > 1 && is_command(argv[1]) ? *app_.get_subcommand(argv[1]) : app_;
      refuse(wrong_arguments(command, fault, {argv + 1, argv + argc}), wants_json(argc, argv));
      say(stderr, "See  cosimo {}--help\n", command_name(argc, argv));
      return wrong_input;
    }
    // Ranks share runs; everything else is the business of one.
    if (!cluster_.leads() && !app_.got_subcommand("run")) return success;
    if (arguments_.action) return arguments_.action();
    say(stderr, "{}", app_.help());
    return wrong_input;
  }

 private:
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
  Arguments arguments_;
};

int start(int argc, char** argv) {
  try {
    if (argc > 1 && std::string_view(argv[1]) == "study") start_studies(argv);
    if (argc > 1 && std::string_view(argv[1]) == "python") start_python(argc, argv);
    // What `cosimo sweep` starts; nobody calls it by hand.
    if (argc > 1 && std::string_view(argv[1]) == "series-worker")
      return serve_series(STDIN_FILENO, STDOUT_FILENO);
    // From the first moment: a scheduler may change its mind.
    if (argc > 1 && std::string_view(argv[1]) == "run") watch_interrupts();
    Cluster cluster = Cluster::join();
    return guarded(cluster, wants_json(argc, argv), [&] { return CommandLine(cluster).execute(argc, argv); });
  } catch (const Error& error) {
    return tell(error, wrong_input, wants_json(argc, argv));
  }
}

}  // namespace
}  // namespace cosimo::cli

int main(int argc, char** argv) {
  cosimo::cli::open_streams();
  cosimo::cli::watch_libraries();
  return cosimo::cli::printed(cosimo::cli::start(argc, argv));
}
