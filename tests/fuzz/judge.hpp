// Tries one scenario and says what is wrong with how the program met it. Nothing is asked about results: any
// scenario may be refused (exit code 2), fail (1) or run (0), as long as
//
//   - no signal ends the program, and no exception that it did not foresee;
//   - `check` and `run` agree about what is refused, and a refusal names the file;
//   - failures are explained;
//   - `check` ends in time and in memory, and a run ends soon after it was told to;
//   - nothing is left beside the output folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trial.hpp"

namespace cosimo::fuzz {

struct Verdict {
  std::vector<std::string> faults;
  Trial check, run;
};

struct Patience {
  double run_s = 0.3;  ///< then a run is interrupted
  double end_s = 20;   ///< for `check`, and for a run that was interrupted
  std::size_t bytes = std::size_t{1} << 28;
};

/// In `folder`, which is emptied before.
Verdict judge(const Program& program, const std::string& scenario, const std::filesystem::path& folder,
              const Patience& patience);

}  // namespace cosimo::fuzz
