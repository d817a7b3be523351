// `cosimo plan`: where to cut, why, how to couple, and what to expect.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output.hpp"

namespace cosimo::cli {

struct PlanArguments {
  std::string file;
  std::string out;    ///< empty: the file's stem + ".plan" in the current folder
  std::string write;  ///< new scenario file; empty: none
  std::vector<std::string> overrides;
  int threads = 1;
  double pilot = 2;  ///< seconds of one pilot run
  std::optional<double> error, latency, bandwidth;
  Output output{};
};

/// Exit code: 1 when a pilot run failed; what is known then is still printed.
int plan_command(const PlanArguments& arguments);

}  // namespace cosimo::cli
