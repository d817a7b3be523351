// What every command is called with: its arguments, options and their help. They are read into Arguments;
// what the user asked for is then `action`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "command_table.hpp"
#include "commands.hpp"
#include "fmu.hpp"
#include "info.hpp"
#include "init.hpp"
#include "optimise.hpp"
#include "page.hpp"
#include "plan.hpp"
#include "python.hpp"
#include "study.hpp"
#include "sweep.hpp"

namespace cosimo::cli {

/// What the words of the command line are read into.
struct Arguments {
  RunArguments run;
  CheckArguments check;
  PlanArguments plan;
  CompareArguments compare;
  ReportArguments report;
  StudyArguments study;
  SweepArguments sweep;
  OptimiseArguments optimise;
  PythonArguments python;
  StabilityArguments stability;
  FmuArguments fmu;
  InitArguments init;
  HelpArguments help;
  Output info;
  std::string shell;
  KnownWords known;
  std::function<int()> action;  ///< empty: no command was given
};

/// Adds all commands to `app`. Everything must outlive the parsing and the action.
void define_commands(CLI::App& app, Arguments& arguments, Cluster& cluster);

}  // namespace cosimo::cli
