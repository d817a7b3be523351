// results.h5, written while a run goes on: numbers that any number of threads and ranks gives alike. What is
// measured with a clock is in timing.h5 (results/timing.hpp).
//
//   /time, /position, /velocity   rows = output times, columns = recorded coordinates in body order
//   /bodies                       labels of the recorded columns
//   /coupling/u                   rows = macro points, columns = coupling variables
//                                 (model/coupling_variables.hpp)
//   /steps/{t,H,kappa,error,accepted,iterations,layers,cut}
//                                 one row per attempted macro step; layers is the widest overlap behind any
//                                 cut, 0 in runs with classic cuts; cut is the coupling with the largest
//                                 error, or where the corrector failed, from 0, and -1 where nothing was
//                                 estimated
//   /cuts/{element,error,layers}  labels of the cuts; until close() error is NaN and layers is -1
//   /local/{position,velocity,u}  with local errors
//
// Attributes: format_version, model_hash. Datasets without columns (no couplings, no recorded bodies) are
// left out.
//
// What belongs together: /parts (subsystem of the body of every column, from 1), /cuts/bodies and /cuts/parts
// [couplings x 2] (the bodies that the cut element joins, and their subsystems), /cuts/name (where elements
// have names), /coupling/cut (coupling of every column of /coupling/u, from 0), /coupling/name (what the
// column is, "position of body 7"; left out where all are forces of one component), /links [pairs x 2]
// (labels of bodies that an element or a joint joins, 0: the ground; not for chains, and not for more than
// 200 000 pairs), /scene (one string: what the bodies look like and what is between them, as JSON,
// multibody/scene.hpp). Files of older versions lack these, /steps/cut and /steps/layers.
//
// Some models have several coordinates per body and names for them. /columns then holds the name of
// every column ("chassis.x", "chassis.qw"; the part after the last dot is the coordinate, see
// results/body_columns.hpp), /bodies the label of its body, repeated, and /body_names the name of every
// recorded body in the order of the columns. What else there is to record by name (energies, reactions,
// element forces, constraint residuals) is a table: /<name>/value [output times x columns] with the names
// /<name>/columns; /tables lists the names of the tables in their order.
//
// /units is there where the scenario says what numbers mean: attributes length, mass, time, angle and force,
// and names per column of /position, /velocity and the tables (/units/position, ...; empty: a pure number, or
// not known). /time has the attribute `units`, other datasets where all columns have the same.
//
// /crc32c/<path> has a checksum per row of every dataset that grows (results/hdf5_table.hpp); readers refuse
// rows that do not have theirs. Files of older versions have none.
//
// Rows are buffered and written in blocks; after flush() every row is on disk. The file
// of a writer killed at any instant opens with any HDF5 tool (1.10 or newer) and holds all
// rows up to the last flush that returned; one interrupted flush may leave the datasets
// with different numbers of rows, all of them valid: readers take the common prefix. The file
// may be read while it is written. See results/crash_safe_file.hpp for how, and for the limits.
// A failing write (disk full) throws IoError naming the file; rows flushed before stay
// readable, and every later call throws again.
//
// Equal calls give equal bytes; the data alone do not depend on when flush() is called.
//
// A row of positions and velocities may be given in consecutive blocks of columns, so that nobody has to hold
// 10^7 of them: output_begin(), output_block()..., output_end(). The bytes are those of output().
//
// A run that goes on from a checkpoint takes the rows up to it over from the file of the earlier run
// (ResumeFrom) into results.h5.resumed, as crash-safe as results.h5 itself, and adds its own. That file
// replaces results.h5 in the first flush that leaves it with no less: the last output time, the steps and the
// macro points of the old file are reached. A run killed before leaves the old file as it was. Times decide,
// not rows, because a run that is interrupted writes its last state as a row at a time that is no output
// time. A checkpoint made before that moment may count rows that only results.h5.resumed has: resuming looks
// there too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive.hpp"
#include "numerics/unit_names.hpp"

namespace cosimo {

/// One attempted macro step.
struct StepRow {
  double t = 0;  ///< T_N, where it started
  double H = 0;
  int kappa = 0;
  double error = 0;  ///< largest weighted norm; <= 1 passes
  bool accepted = true;
  int iterations = 0;       ///< corrector iterations
  int layers = 0;           ///< of copies, the widest overlap behind any cut; 0: no overlap
  bool converged = true;    ///< the corrector did; not written
  std::int32_t worst = -1;  ///< coupling with the largest error, or where the corrector failed; -1: none
};

/// The name of the table of what components give that have no bodies.
inline constexpr std::string_view outputs_table = "outputs";
/// And of the coordinates of joints.
inline constexpr std::string_view joints_table = "joints";
inline constexpr std::string_view sensors_table = "sensors";

/// Named quantities beside the motion, one row per output time.
struct TableLayout {
  std::string name{};  ///< path in the file: "energy", "constraints", "reactions", "elements"
  std::vector<std::string> columns{};
};

struct ResultsLayout {
  std::uint64_t model_hash = 0;
  std::vector<std::int64_t> bodies;  ///< label of the body of every column
  std::size_t couplings = 0;
  std::size_t variables = 0;               ///< columns of /coupling/u and /local/u; 0: one per coupling
  std::vector<std::int64_t> cut_elements;  ///< labels, one per coupling
  std::size_t local_bodies = 0;            ///< coupling bodies of /local, 0: no local errors
  std::vector<std::string> columns{};      ///< one name per column, or none
  std::vector<std::string> body_names{};   ///< one per recorded body in the order of the columns, or none
  UnitNames units{};                       ///< of all numbers; empty: nobody said
  std::vector<TableLayout> tables{};
  // For people and pictures; the numbers do not depend on them.
  std::vector<std::int32_t> parts{};          ///< subsystem of the body of every column, from 1, or none
  std::vector<std::int64_t> links{};          ///< pairs of labels, 0: the ground
  std::vector<std::int64_t> cut_bodies{};     ///< labels, two per coupling, or none
  std::vector<std::int32_t> cut_parts{};      ///< subsystems from 1, two per coupling, or none
  std::vector<std::string> cut_names{};       ///< one per coupling, or none
  std::vector<std::string> variable_names{};  ///< one per variable, or none
  std::vector<std::int32_t> variable_cuts{};  ///< coupling of every variable, from 0, or none
  std::string scene{};                        ///< what the bodies look like (multibody/scene.hpp), or nothing
};

/// How far a writer is, in rows given to it: part of a checkpoint.
struct ResultsPosition {
  std::size_t outputs = 0;  ///< of /time, /position, /velocity and every table
  std::size_t steps = 0;    ///< of /steps
  std::size_t points = 0;   ///< of /coupling/u
  std::size_t locals = 0;   ///< of /local

  void archive(Archive& a) { a(outputs, steps, points, locals); }
  bool operator==(const ResultsPosition&) const = default;
};

/// Where to go on in the file of an earlier run. Rows that are taken over are handed to the functions, where
/// there are any: all outputs, then all steps (without what the file does not hold of them).
struct ResumeFrom {
  ResultsPosition position{};
  /// With it one whole row of positions is held at a time.
  std::function<void(double t, std::span<const double> position)> output{};
  std::function<void(const StepRow& row)> step{};
};

class ResultsWriter {
 public:
  /// Creates `file`, replacing an old one.
  ResultsWriter(const std::filesystem::path& file, const ResultsLayout& layout);
  /// Goes on in `file`, see above. Throws Error when it is missing, damaged, of another layout or has fewer
  /// rows than the position, and IoError when the copy cannot be written; the file is then as it was.
  ResultsWriter(const std::filesystem::path& file, const ResultsLayout& layout, const ResumeFrom& from);
  ~ResultsWriter();
  ResultsWriter(const ResultsWriter&) = delete;
  ResultsWriter& operator=(const ResultsWriter&) = delete;

  void output(double t, std::span<const double> position, std::span<const double> velocity);
  /// The same in blocks of any size, first column to last. Nothing else is called before the end.
  void output_begin(double t);
  void output_block(std::size_t first_column, std::span<const double> position,
                    std::span<const double> velocity);
  void output_end();
  /// One row of table `index` of the layout, for the output time last given to output().
  void table(std::size_t index, std::span<const double> row);
  void step(const StepRow& row);
  void coupling(std::span<const double> u);  ///< at an accepted macro point
  /// Per cut the largest weighted error so far and its layers (0: a classic cut); written at close.
  void cut_errors(std::span<const double> error, std::span<const std::int32_t> layers);
  void local_error(std::span<const double> position, std::span<const double> velocity,
                   std::span<const double> u);
  void flush();
  /// Flushes, and waits until the disk has it: what a checkpoint counts on is then there after a power cut.
  void sync();
  /// Flush and end in order, under the own name whether caught up or not. The destructor does the same, but
  /// swallows errors, leaves a results.h5 that holds more in its place, and forgets a row that was not ended
  /// (of more than half a MiB: with all since the last flush).
  void close();

  /// Rows given so far, buffered ones included; every table has its row of the last output time.
  ResultsPosition position() const;
  /// The rows are in the file of that name; false: still in the one beside it.
  bool caught_up() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct ResultsTable {
  std::string name{};
  std::vector<std::string> columns{};
  std::vector<double> value{};  ///< row-major; no more rows than there are times, fewer when the writer died
  std::size_t rows() const { return columns.empty() ? 0 : value.size() / columns.size(); }
};

/// A finished (or killed) results.h5, read back.
struct Results {
  std::vector<std::int64_t> bodies;  ///< label of the body of every column
  std::vector<double> time;
  std::vector<double> position, velocity;  ///< row-major, time.size() x bodies.size()
  std::vector<StepRow> steps;
  std::vector<double> u;  ///< row-major, accepted macro points x variables
  std::size_t couplings = 0, variables = 0;
  std::vector<std::int64_t> cut_elements;
  std::vector<double> cut_errors;        ///< largest weighted error per cut; NaN: the writer did not end
  std::vector<std::int32_t> cut_layers;  ///< 0: a classic cut; -1: the writer did not end
  std::vector<double> local_position, local_velocity, local_u;
  std::size_t local_bodies = 0;
  std::uint64_t model_hash = 0;
  std::vector<std::string> columns;     ///< one name per column, or none
  std::vector<std::string> body_names;  ///< one per recorded body, or none
  std::vector<ResultsTable> tables;

  /// The table of that name, or null.
  const ResultsTable* table(std::string_view name) const;
};
/// Throws Error naming the file when it is missing, truncated or not ours.
Results read_results(const std::filesystem::path& file);
/// Of the model whose results the file holds. Throws Error when it is not ours.
std::uint64_t recorded_model_hash(const std::filesystem::path& file);

}  // namespace cosimo
