// The results of a run as it makes them, row by row: for whoever wants numbers without files.
//
//   class Peak : public cosimo::RowListener { ... };
//   Peak peak;
//   cosimo::Report report = cosimo::run(scenario, {.threads = 2}, peak);
//
// The rows are those of results.h5, to the bit, whether or not the run also writes that. Only runs of one
// process have listeners; a run that is resumed tells the rows from its checkpoint on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cosimo/cosimo.hpp"

namespace cosimo {

class RowListener {
 public:
  virtual ~RowListener() = default;
  /// Before the first row: what the numbers of every row are called, in their order: "wheel.x" ("7.x" for a
  /// body without a name), "der(wheel.x)", then the tables: "energy.kinetic", "strut.Fz", "controller.out".
  virtual void begin(const std::vector<std::string>& names) = 0;
  /// At an output time. The numbers are there for the time of the call.
  virtual void row(double t, std::span<const double> values) = 0;
};

/// As run(scenario, options), with a listener that is told everything that is recorded.
Report run(const Scenario& scenario, const RunOptions& options, RowListener& listener);

/// What a listener would be told by begin(), without a run: the model is built, not simulated.
std::vector<std::string> row_names(const Scenario& scenario);

}  // namespace cosimo
