// Whole runs through the public interface, timed and compared.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cosimo/cosimo.hpp"

namespace cosimo::bench {

/// Scratch folder of the benchmarks, removed at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

struct Setting {
  std::string name;                    ///< for the table
  std::vector<std::string> overrides;  ///< --set values
  int threads = 1;
};

/// Cut, controlled by exCV, integrated by rk.
Setting cut_setting(const char* control_rtol, const char* solve_rtol, int threads);

struct Measured {
  Setting setting;
  double seconds = 0, error = 0;  ///< error: NRMSE (5.2), all variables
  Report report;
  Comparison compared;  ///< the same error in every measure
};

/// Run `text` with every setting `rounds` times, interleaved, and compare each with the reference run.
/// What is to be compared with each other belongs into one call.
std::vector<Measured> measure(const std::string& text, const std::vector<Setting>& settings,
                              const std::filesystem::path& reference, const std::vector<std::int64_t>& bodies,
                              int rounds, const Scratch& scratch);

/// The fastest whose error (5.2) is at most `error`; throws when there is none.
const Measured& fastest(std::span<const Measured> runs, double error);

/// One run, thrown away except for its results.
Report run_to(const std::string& text, const Setting& setting, const std::filesystem::path& folder);

std::string describe(const Measured& m);

}  // namespace cosimo::bench
