// Least, greatest and root mean square value of named columns over the output times, for summary.json: what a
// sweep over a parameter compares.
//
//   ColumnMeasures measures(layout);
//   measures.position(row); measures.velocity(row); measures.table(k, row);   at every output time
//   measures.all()
//
// Only of sets with few columns: nobody reads thousands of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "results/recorder.hpp"

namespace cosimo {

struct ColumnMeasure {
  std::string set, column;  ///< "position" or "velocity", or the name of a table
  double least = 0, greatest = 0, rms = 0;
};

class ColumnMeasures {
 public:
  explicit ColumnMeasures(const ResultsLayout& layout);

  void position(std::span<const double> row) { sets_[0].add(row); }
  void velocity(std::span<const double> row) { sets_[1].add(row); }
  void table(std::size_t index, std::span<const double> row) { sets_[index + 2].add(row); }

  std::vector<ColumnMeasure> all() const;

 private:
  struct Set {
    std::string name{};
    std::vector<std::string> columns{};
    std::vector<double> least{}, greatest{}, squares{};
    double rows = 0;
    void add(std::span<const double> row);
  };
  std::vector<Set> sets_;  ///< without columns: left out
};

}  // namespace cosimo
