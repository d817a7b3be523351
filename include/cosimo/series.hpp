// Many runs of one scenario: a series, as safe as a run (docs/series.md).
//
//   const auto series = cosimo::Series::load("speeds.yaml");       // all of it is checked here
//   const auto report = cosimo::run(series, {.output_dir = "speeds.sweep"});
//   const cosimo::SeriesData data = cosimo::read_series("speeds.sweep");
//
// The folder is the truth: it remembers every variant that has ended, so that the same call does what is
// missing. Variants run in processes of their own (the program `cosimo`), which a crash cannot leave.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cosimo/cosimo.hpp"

namespace cosimo {

struct SeriesReport;

namespace series {
struct Plan;
}

/// A checked series file.
class Series {
 public:
  /// Throws Error with all faults of the file. check() and run() look at the variants as well.
  static Series load(const std::filesystem::path& file);
  /// The same from text; files that it names are relative to `folder`.
  static Series parse(std::string_view text, std::string_view name, const std::filesystem::path& folder = {});

  /// Of a plan that was read and checked.
  explicit Series(series::Plan plan);

  std::size_t variants() const;
  /// Every variant's scenario with its names and values, and whether results have what is measured. Throws
  /// Error with all faults.
  void check() const;
  /// A few lines: what varies, what is measured.
  std::string describe() const;
  const series::Plan& plan() const { return *plan_; }

 private:
  std::shared_ptr<const series::Plan> plan_;
};

/// Whether a file describes a series and not a scenario: it has the section `sweep`. False also where it
/// cannot be read.
bool is_series(const std::filesystem::path& file);

struct SeriesProgress {
  std::size_t variants = 0, done = 0, failed = 0, running = 0, left = 0;
  std::size_t workers = 0, threads = 1;  ///< processes, and threads of each
  double wall_s = 0;
  double left_s = -1;  ///< expected; below zero: not known yet
};

struct SeriesOptions {
  std::filesystem::path output_dir;
  int workers = 0;            ///< 0: as many as pay, with so many threads that all cores are used
  int threads = 0;            ///< of each; 0: the same
  bool retry_failed = false;  ///< variants that failed are run again
  /// The folder is on a disk that others share, who run the same series with this as well.
  bool share = false;
  double silence_s = 30;  ///< with `share`: whoever is silent for so long has died
  /// The program that runs variants; empty: the one that calls.
  std::filesystem::path program{};
  const std::atomic<bool>* interrupt = nullptr;  ///< becomes true: end in order; the same call goes on
  std::function<void(const SeriesProgress&)> progress{};  ///< called at most ten times a second
  std::function<void(const std::string&)> notice{};       ///< told what the user should know
  /// Called when the last table is there, before anybody else who shares the folder may write one.
  std::function<void(const SeriesReport&)> finished{};
};

struct SeriesReport {
  std::string status = "ok";  ///< ok | failed (variants did) | interrupted
  std::string reason{};       ///< why it ended early, in a sentence
  std::size_t variants = 0, done = 0, failed = 0, left = 0;
  std::size_t ran = 0;  ///< of them now; the others were there
  std::size_t workers = 0, threads = 1;
  double wall_s = 0;
  std::string output_dir{};
};
SeriesReport run(const Series& series, const SeriesOptions& options);

std::string to_json(const SeriesReport& report);

// -- what a folder holds ------------------------------------------------------------------------------

/// A column of the table: numbers, or texts where one of its values is no number.
struct SeriesColumn {
  std::string name;
  std::vector<double> number;     ///< NaN: none; empty: texts
  std::vector<std::string> text;  ///< empty: numbers
};

/// A measure that is a curve per variant; empty where it is not done.
struct SeriesCurve {
  std::string name;
  std::vector<std::vector<double>> t;  ///< times; of a spectrum, frequencies
  std::vector<std::vector<double>> values;
};

/// The table of a series, one entry per variant in every vector, in the order of the file.
struct SeriesData {
  std::string file;     ///< series file, by name
  std::string version;  ///< of the program that wrote it
  std::size_t variants = 0;
  std::vector<std::string> id;       ///< 16 hexadecimal digits: of what is computed; equal ones are one run
  std::vector<std::string> state;    ///< waiting | running | done | failed
  std::vector<std::string> fault;    ///< of failed ones: bad input | solver | crash | time | memory
  std::vector<std::string> message;  ///< why, in a sentence
  std::vector<std::string> log;      ///< file with more, relative to the folder; empty: none
  std::vector<std::string> results;  ///< folder of the run, relative to the folder; empty: not kept
  std::vector<SeriesColumn> parameters, measures;
  std::vector<SeriesCurve> curves;
  // Measured with clocks; NaN and empty where a variant has not ended.
  std::vector<double> wall_s, cpu_s, memory_mb;
  std::vector<double> threads;
  std::vector<std::string> machine, cpu;
};

/// Also while it is written. Throws Error when there is no series.
SeriesData read_series(const std::filesystem::path& folder);

/// How many variants are in which state, what failed and why, when it will be over.
std::string to_text(const SeriesData& data);

// -- the other side ------------------------------------------------------------------------------------

/// What a worker process does: takes variants from `input`, gives results to `output` (frames, see
/// docs/decisions/0058-series.md), until the input ends. Returns the exit code.
int serve_series(int input, int output);

}  // namespace cosimo
