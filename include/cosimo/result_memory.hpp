// The results of a run in memory, column by column: what results.h5 holds of motion, tables and steps.
//
//   cosimo::ResultMemory results;
//   auto report = cosimo::run(scenario, {.threads = 2}, results);
//   std::span<const double> z = results.column("chassis.z");     one number per output time
//   results.time();  results.names();  results.steps();
//   auto error = cosimo::compare(results, reference);             with others in memory or on disk
//
// Names are those of Simulation::variables() without inputs: "wheel.x" and its rate "der(wheel.x)", then
// "energy.kinetic", "strut.Fz", "controller.out". Copies of a ResultMemory are handles of the same numbers,
// which live as long as one of them does. While the run goes on, nothing but the run may touch it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cosimo/cosimo.hpp"
#include "cosimo/result_folder.hpp"

namespace cosimo {

class ResultMemory {
 public:
  ResultMemory();

  std::span<const double> time() const;  ///< output times
  const std::vector<std::string>& names() const;
  /// The place of a name in names(). Throws Error, with the nearest name, when there is none.
  std::size_t index(std::string_view name) const;
  /// One number per output time, side by side.
  std::span<const double> column(std::size_t index) const;
  std::span<const double> column(std::string_view name) const { return column(index(name)); }
  const StepHistory& steps() const;  ///< attempted macro steps; none of an uncut run
  std::size_t bytes() const;         ///< of memory that the numbers take

  struct Impl;
  Impl& impl() const { return *impl_; }  ///< for the library

 private:
  std::shared_ptr<Impl> impl_;
};

/// A run whose results are kept in memory as well; what was there before is forgotten. Throws Error with
/// RunOptions::resume, and with several ranks.
Report run(const Scenario& scenario, const RunOptions& options, ResultMemory& memory);

/// Error of one run against another, as of folders. While it compares, both are in memory once more.
Comparison compare(const ResultMemory& a, const ResultMemory& reference, const CompareOptions& options = {});
Comparison compare(const ResultMemory& a, const std::filesystem::path& reference,
                   const CompareOptions& options = {});
Comparison compare(const std::filesystem::path& a, const ResultMemory& reference,
                   const CompareOptions& options = {});

}  // namespace cosimo
