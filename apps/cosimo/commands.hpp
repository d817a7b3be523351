// What the commands of the program do once their arguments are read. Each returns the exit
// code (0 success, 1 the run failed) and throws cosimo::Error for wrong input (exit code 2).
#pragma once

#include <string>
#include <vector>

#include "output.hpp"

namespace cosimo {
class Cluster;
}

namespace cosimo::cli {

enum ExitCode : int { success = 0, run_failed = 1, wrong_input = 2 };

struct RunArguments {
  std::string file;  ///< "-": standard input
  std::string out;   ///< empty: the file's stem + ".out" in the current folder
  std::vector<std::string> overrides;
  int threads = 0;
  bool csv = false;
  bool resume = false;
  bool trace = false;
  bool replace = false;
  bool no_report = false;
  Output output{};
};
/// On all ranks; rank 0 prints.
int run_command(const RunArguments& arguments, Cluster& cluster);

struct CheckArguments {
  std::string file;
  std::string out;  ///< as for a run
  std::vector<std::string> overrides;
  Output output{};
};
int check_command(const CheckArguments& arguments);

struct CompareArguments {
  std::string a, reference;
  std::string bodies;  ///< "crank,5,10-20"; empty: all
  std::string level;   ///< position | velocity; empty: both
  Output output{};
};
int compare_command(const CompareArguments& arguments);

struct StabilityArguments {
  std::string file;  ///< empty: settings from `overrides` alone
  std::string out;   ///< empty: the file's stem + ".stability" or "stability.out" in the current folder
  std::vector<std::string> overrides;
  double mass_ratio = 1;
  std::vector<double> stiffness_ratio, damping_ratio;  ///< coupling, second mass; missing ones: 1
  std::vector<double> range;                           ///< of Re and Im; one number: both
  int points = 120;
  int threads = 0;
  Output output{};
};
int stability_command(const StabilityArguments& arguments);

}  // namespace cosimo::cli
