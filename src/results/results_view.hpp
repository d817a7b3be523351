// A results.h5 to look at: of a run that ended, was killed or still goes on, whole or damaged.
//
//   const ResultsView view(file);                   Error when it is no results.h5, or nothing can be read
//   view.problems()                                 what is damaged, in sentences; the rest is there
//   view.position({.row = 0, .rows = 100, .column = 7, .columns = 1})        row-major
//
// Unlike read_results() (results/recorder.hpp), which wants all or nothing, this reads every section for
// itself, holds times, steps and labels only, and reads motion, coupling variables and tables in blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "results/recorder.hpp"

namespace cosimo {

/// A rectangle of a dataset.
struct ResultsBlock {
  std::size_t row = 0, rows = 0, column = 0, columns = 1;
};

class ResultsView {
 public:
  explicit ResultsView(std::filesystem::path file);
  ~ResultsView();
  ResultsView(ResultsView&&) noexcept;
  ResultsView& operator=(ResultsView&&) noexcept;

  /// What the file says beside its blocks. Vectors of sections that are missing or damaged are empty.
  struct Contents {
    std::uint64_t model_hash = 0;
    std::vector<double> time;          ///< as many as there are whole rows of motion
    std::vector<std::int64_t> bodies;  ///< label of the body of every column
    std::vector<std::int32_t> parts;   ///< its subsystem, from 1; 0: not known
    std::vector<std::string> columns;  ///< names, where coordinates have them
    std::vector<std::string> body_names;
    std::vector<std::int64_t> links;  ///< pairs of labels
    std::string scene;                ///< JSON, or nothing
    std::vector<StepRow> steps;
    std::vector<std::int64_t> cut_elements;
    std::vector<double> cut_errors;
    std::vector<std::int32_t> cut_layers;
    std::vector<std::int64_t> cut_bodies;  ///< two per cut, or none
    std::vector<std::int32_t> cut_parts;   ///< two per cut, from 1, or none
    std::vector<std::string> cut_names;    ///< one per cut, or none
    std::size_t variables = 0, points = 0;
    std::vector<std::int32_t> cut_of_variable;
    std::vector<std::string> variable_names;  ///< one per variable, or none
    std::size_t local_bodies = 0, locals = 0;
    std::vector<TableLayout> tables;
    std::vector<std::size_t> table_rows;
  };
  const Contents& contents() const;
  const std::vector<std::string>& problems() const;

  /// Blocks inside of the extents above. Throw Error when the file is damaged there.
  std::vector<double> position(const ResultsBlock& block) const;
  std::vector<double> velocity(const ResultsBlock& block) const;
  std::vector<double> coupling(const ResultsBlock& block) const;
  std::vector<double> table(std::size_t index, std::size_t row, std::size_t rows) const;
  std::vector<double> table(std::size_t index, const ResultsBlock& block) const;
  std::vector<double> local_position() const;
  std::vector<double> local_velocity() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
