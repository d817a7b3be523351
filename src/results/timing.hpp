// timing.h5: everything measured with a clock, per subsystem and macro step.
//
//   TimingWriter timing(subsystems);
//   timing.step(t, solve_seconds, micro_steps);      every attempted macro step
//   timing.write(folder / "timing.h5");              at the end; whole or not at all
//   const TimingTable table = read_timing(file);
//
// /t (start of the first merged step), /count (attempted macro steps merged into the row), /solve [rows x
// subsystems] in seconds, /micro_steps [rows x subsystems]: accepted micro steps in these attempts, also
// those that were taken back with them. Older files lack /micro_steps.
//
// /sections/name (core/section.hpp), /sections/work and /sections/waiting [sections x threads] in seconds of
// the whole run, the threads of all ranks one after the other; /sections/rank of every thread. Older files
// lack them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/archive.hpp"

namespace cosimo {

/// Of the whole run.
struct SectionTimes {
  std::vector<std::string> names;
  std::vector<std::int64_t> rank;     ///< of every thread
  std::vector<double> work, waiting;  ///< [section][thread], seconds
};

/// Per subsystem and macro step, decimated to at most `rows` rows by merging neighbours (sums).
class TimingWriter {
 public:
  TimingWriter(std::size_t subsystems, std::size_t rows = 2000);
  /// Seconds each subsystem spent in one attempted macro step that started at t, and its micro steps there.
  void step(double t, std::span<const double> solve_seconds, std::span<const double> micro_steps);
  void use(SectionTimes sections) { sections_ = std::move(sections); }
  void write(const std::filesystem::path& file) const;
  void archive(Archive& a) { a(merge_, pending_, t_, seconds_, micro_steps_, count_); }

 private:
  void halve();

  std::size_t subsystems_, rows_;
  std::size_t merge_ = 1;    ///< steps per row, a power of two
  std::size_t pending_ = 0;  ///< steps in the unfinished last row
  std::vector<double> t_, seconds_, micro_steps_;
  std::vector<std::int64_t> count_;
  SectionTimes sections_;
};

/// A timing.h5, read back.
struct TimingTable {
  std::vector<double> t;
  std::vector<std::int64_t> count;
  std::size_t subsystems = 0;
  std::vector<double> solve;        ///< rows x subsystems
  std::vector<double> micro_steps;  ///< rows x subsystems; empty: an older file
  SectionTimes sections{};          ///< empty: an older file
};
/// Throws Error naming the file when it is missing, damaged or not ours.
TimingTable read_timing(const std::filesystem::path& file);

}  // namespace cosimo
