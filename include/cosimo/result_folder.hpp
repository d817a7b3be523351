// Reading what a run left on disk: results.h5, timing.h5, summary.json and scenario.effective.yaml, of a run
// that ended, failed, was killed or still goes on.
//
//   const cosimo::ResultFolder folder("model.out");       also the path of a results.h5
//   for (const std::string& remark : folder.remarks()) ... what is missing or damaged; the rest is there
//   const std::vector<double>& t = folder.time();
//   std::vector<double> x = folder.positions(0, t.size(), 41, 1);   rows, then columns
//   std::vector<double> z = folder.column(folder.index("chassis.z"), 0, t.size());
//
// Nothing but times and labels is held in memory; motion and coupling variables are read in blocks of rows
// and columns. Readers of a file that a killed writer left see the rows that all datasets have.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cosimo {

/// Attempted macro steps, one entry each.
struct StepHistory {
  std::vector<double> t, H, error;  ///< error: weighted, 1 is the tolerance
  std::vector<int> kappa, iterations, layers;
  std::vector<char> accepted;
  std::vector<std::int32_t> cut;  ///< with the largest error, from 0; -1: none, or an older file
  std::size_t size() const { return t.size(); }
};

struct RecordedCut {
  std::int64_t element = 0;              ///< number from 1
  std::string name;                      ///< as in messages: "element 7 between bodies 6 and 7"
  std::array<std::int64_t, 2> bodies{};  ///< numbers from 1; 0: not recorded
  std::array<std::int32_t, 2> parts{};   ///< subsystems, from 1; 0: not recorded
  double largest_error = 0;              ///< NaN: the writer did not end
  int layers = 0;                        ///< of copies; -1: the writer did not end
};

/// One column of position and velocity.
struct RecordedColumn {
  std::int64_t body = 0;   ///< label, from 1
  std::string body_name;   ///< its label as text where it has none
  std::string coordinate;  ///< "x", "phi", "qw"
  std::int32_t part = 0;   ///< subsystem, from 1; 0: not recorded
};

/// Per subsystem and macro step, thinned by adding neighbouring steps up.
struct TimingHistory {
  std::vector<double> t;            ///< start of the first step of each row
  std::vector<std::int64_t> count;  ///< attempted steps in the row
  std::size_t subsystems = 0;
  std::vector<double> solve;        ///< rows x subsystems, seconds
  std::vector<double> micro_steps;  ///< rows x subsystems; empty: an older file
};

/// Named quantities: energies, reactions, element forces, constraint residuals.
struct RecordedTable {
  std::string name;
  std::vector<std::string> columns;
};

class ResultFolder {
 public:
  /// Throws Error when there is no such folder or file, or nothing in it is of Cosimo.
  explicit ResultFolder(const std::filesystem::path& path);
  ~ResultFolder();
  ResultFolder(ResultFolder&&) noexcept;
  ResultFolder& operator=(ResultFolder&&) noexcept;

  std::string name() const;                         ///< of the folder
  const std::vector<std::string>& remarks() const;  ///< sentences
  const std::string& summary() const;               ///< text of summary.json, valid JSON; empty: none
  const std::string& scenario() const;              ///< text of scenario.effective.yaml; empty: none

  // results.h5; all empty where it cannot be read.
  const std::vector<double>& time() const;             ///< output times
  const std::vector<RecordedColumn>& columns() const;  ///< of positions and velocities
  /// Pairs of bodies (labels, 0: the ground) that elements or joints join; chains have none.
  const std::vector<std::array<std::int64_t, 2>>& links() const;
  /// What the bodies look like and what is between them, as JSON (docs/reading-the-report.md); empty: not
  /// recorded.
  const std::string& scene() const;
  const std::vector<RecordedCut>& cuts() const;
  const std::vector<RecordedTable>& tables() const;
  const StepHistory& steps() const;
  /// Accepted macro points and what /coupling/u has of them.
  const std::vector<double>& points() const;  ///< their times
  std::size_t variables() const;              ///< columns of u
  const std::vector<std::int32_t>& cut_of_variable() const;
  /// "torque 2", "position of body 7"; empty: all are forces of one component, or an older file.
  const std::vector<std::string>& variable_names() const;

  /// Blocks, row-major. Throws Error when the file turns out to be damaged there.
  std::vector<double> positions(std::size_t row, std::size_t rows, std::size_t column,
                                std::size_t columns) const;
  std::vector<double> velocities(std::size_t row, std::size_t rows, std::size_t column,
                                 std::size_t columns) const;
  std::vector<double> coupling(std::size_t row, std::size_t rows, std::size_t variable,
                               std::size_t variables) const;
  std::vector<double> table(std::size_t index, std::size_t row, std::size_t rows) const;

  /// All of these by name, as in ResultMemory: "wheel.x", "der(wheel.x)", "energy.kinetic".
  std::vector<std::string> names() const;
  std::size_t index(std::string_view name) const;  ///< throws Error, with the nearest name
  std::size_t rows_of(std::size_t index) const;    ///< output times it has
  /// Nothing else is read from the file.
  std::vector<double> column(std::size_t index, std::size_t row, std::size_t rows) const;

  std::size_t table_rows(std::size_t index) const;  ///< output times it has, fewer when the writer died
  /// Errors against local references, where `simulate.local_error` recorded them: accepted steps x coupling
  /// bodies; empty: not recorded.
  std::vector<double> local_positions() const;
  std::vector<double> local_velocities() const;

  const TimingHistory& timing() const;  ///< empty: there is no timing.h5

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
