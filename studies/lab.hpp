// Where a study runs its trials: folders, threads, progress, interruption.
//
//   Trial trial = lab.run("M1-exMD", text, {"control.rtol=1e-5"});    a run to the end, or LabFailure
//   Trial trial = lab.attempt(...);                                   a run that may fail: see its report
//   trial.results().steps() ...                                       what it recorded
//   double e = lab.error(trial, reference).position;                  NRMSE (5.2)
//
// A trial's folder lies under the study's folder while the study runs and is removed with the Trial, unless
// the lab keeps all. One trial runs at a time, on the lab's threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cosimo/cosimo.hpp"
#include "cosimo/result_folder.hpp"

namespace cosimo::studies {

/// A trial that had to succeed did not.
struct LabFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The user wants to end.
struct LabInterrupted : std::runtime_error {
  LabInterrupted() : std::runtime_error("interrupted") {}
};

inline constexpr const char* trials_folder = ".cosimo-trials";  ///< in the folder of the study

struct LabOptions {
  std::filesystem::path folder;  ///< of the study; exists
  double scale = 1;              ///< 1: about a minute on two cores; studies take it for lengths and sizes
  std::uint64_t seed = 1;
  int threads = 0;                               ///< 0: all cores
  bool keep = false;                             ///< folders of the trials stay
  const std::atomic<bool>* interrupt = nullptr;  ///< becomes true: LabInterrupted from the next trial
  std::function<void(std::string_view)> say{};   ///< what is under way; for a progress line
};

class Trial {
 public:
  Trial(Report report, std::filesystem::path folder, bool keep);
  ~Trial();
  Trial(Trial&&) noexcept;
  Trial& operator=(Trial&&) noexcept;

  const Report& report() const { return report_; }
  bool ok() const { return report_.status == "ok"; }
  const std::filesystem::path& folder() const { return folder_; }
  const ResultFolder& results() const;  ///< opened when first asked for

 private:
  void remove() noexcept;

  Report report_;
  std::filesystem::path folder_;
  bool keep_;
  mutable std::unique_ptr<ResultFolder> results_;
};

class Lab {
 public:
  explicit Lab(LabOptions options);

  double scale() const { return options_.scale; }
  std::uint64_t seed() const { return options_.seed; }
  int threads() const { return options_.threads; }
  std::int64_t trials() const { return trials_; }  ///< run so far
  /// `value` times the scale, at least `least`.
  std::int64_t scaled(double value, std::int64_t least = 1) const;

  /// `text` is a scenario file; `overrides` as with --set. Names are for folders and messages.
  Trial run(std::string_view name, std::string_view text, std::span<const std::string> overrides = {});
  Trial attempt(std::string_view name, std::string_view text, std::span<const std::string> overrides = {});
  /// The same on a number of threads of its own.
  Trial attempt_on(int threads, std::string_view name, std::string_view text,
                   std::span<const std::string> overrides = {});

  static Comparison error(const Trial& trial, const Trial& reference, const CompareOptions& options = {});

  void say(std::string_view what) const;
  void check_interrupt() const;

 private:
  LabOptions options_;
  std::int64_t trials_ = 0;
};

/// Least-squares slope of log y over log x; NaN with fewer than two points.
double observed_order(std::span<const double> x, std::span<const double> y);

/// One column of the positions or velocities of a trial, whole.
std::vector<double> position_of(const Trial& trial, std::int64_t body);
std::vector<double> velocity_of(const Trial& trial, std::int64_t body);

/// Values from a to b, evenly spaced in their logarithms, both among them.
std::vector<double> log_spaced(double a, double b, std::size_t count);

}  // namespace cosimo::studies
