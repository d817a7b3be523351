// Every dataset of results.h5 that grows: private to results/. What each is, see results/recorder.hpp.
//
//   ResultsTables tables;
//   tables.create(file, layout);        groups and empty datasets
//   tables.append_step(row);  ...       rows, in the order of the run
//   tables.write_buffered();            before the library's flush
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "results/hdf5_table.hpp"
#include "results/recorder.hpp"

namespace cosimo {

struct ResultsTables {
  std::optional<Table<double>> time, position, velocity, t, H, error, u, local_position, local_velocity,
      local_u;
  std::optional<Table<std::int8_t>> kappa, accepted;
  std::optional<Table<std::int16_t>> iterations;
  std::optional<Table<std::int32_t>> layers, cut;
  std::vector<std::optional<Table<double>>> named;  ///< as in the layout; empty for tables without columns

  /// `layout` says how many variables there are.
  void create(hid_t file, const ResultsLayout& layout);

  /// The next columns of the row of positions and velocities under way. Their chunks are written in turns, so
  /// that the file does not depend on the sizes of the pieces.
  void append_motion(std::span<const double> more_position, std::span<const double> more_velocity);
  void append_step(const StepRow& row);
  void write_buffered();

  ResultsPosition rows() const;
  bool named_complete() const;  ///< every table has a row for every output time
  bool torn() const;            ///< the beginning of a wide row is in the file

 private:
  void create_steps(hid_t file);
  void create_local(hid_t file, const ResultsLayout& layout);
  void create_named(hid_t file, const ResultsLayout& layout);
};

}  // namespace cosimo
