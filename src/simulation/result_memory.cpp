#include "cosimo/result_memory.hpp"

#include <optional>
#include <utility>

#include "core/error.hpp"
#include "cosimo/cluster.hpp"
#include "results/column_matrix.hpp"
#include "results/compare.hpp"
#include "simulation/comparison.hpp"
#include "simulation/disk_space.hpp"
#include "simulation/execute.hpp"
#include "simulation/name_places.hpp"

namespace cosimo {

/// What a run tells, column by column.
struct ResultMemory::Impl final : RowListener {
  ResultsLayout layout;      ///< of the run
  std::size_t expected = 0;  ///< output times; 0: nobody knows
  std::vector<std::string> names;
  std::optional<NamePlaces> places;
  std::vector<double> time;
  ColumnMatrix numbers;
  StepHistory steps;

  void begin(const std::vector<std::string>& of_rows) override {
    names = of_rows;
    places.emplace(names);
    numbers = ColumnMatrix(names.size(), expected);
  }
  void row(double t, std::span<const double> values) override {
    time.push_back(t);
    numbers.append(values);
  }
};

ResultMemory::ResultMemory() : impl_(std::make_shared<Impl>()) {}

void Engine::keep(ResultMemory& memory) {
  ResultMemory::Impl& impl = memory.impl();
  impl = ResultMemory::Impl();  // what was there of another run is forgotten
  impl.layout = recording_->layout();
  require_memory(scenario_, impl.layout);
  impl.expected = static_cast<std::size_t>(output_times(scenario_));
  recording_->keep(impl.steps);
  recording_->tell(impl);
}

Report run(const Scenario& scenario, const RunOptions& options, ResultMemory& memory) {
  if (options.resume)
    throw Error(Fault{.field = "resume",
                      .value = "true",
                      .problem = "the rows of the earlier run are on disk, not in memory",
                      .remedy = "read them with ResultFolder, and resume without memory"});
  if (options.cluster != nullptr && options.cluster->ranks() > 1)
    throw Error(Fault{.field = "memory",
                      .problem = "the rows of several ranks are on disk, not in memory",
                      .remedy = "read them with ResultFolder"});
  Engine engine(scenario.data(), options);
  engine.keep(memory);
  engine.advance(scenario.data().simulate.end);
  Report report = engine.finish();
  memory.impl().numbers.settle();
  return report;
}

std::span<const double> ResultMemory::time() const {
  return impl_->time;
}

const std::vector<std::string>& ResultMemory::names() const {
  return impl_->names;
}

std::size_t ResultMemory::index(std::string_view name) const {
  if (!impl_->places) throw Error(Fault{.problem = "no run has given its results here"});
  return impl_->places->place(name, "names()");
}

std::span<const double> ResultMemory::column(std::size_t index) const {
  if (index >= impl_->names.size())
    throw Error(Fault{.problem = "there are fewer columns", .remedy = "names() lists them"});
  return impl_->numbers.column(index);
}

const StepHistory& ResultMemory::steps() const {
  return impl_->steps;
}

std::size_t ResultMemory::bytes() const {
  return impl_->time.size() * sizeof(double) + impl_->numbers.bytes();
}

namespace {

/// Takes columns, one stretch after the other, row by row.
class Stretches {
 public:
  explicit Stretches(const ResultMemory& memory) : memory_(memory) {}
  std::vector<double> take(std::size_t columns) {
    const std::size_t rows = memory_.time().size();
    std::vector<double> values(rows * columns);
    for (std::size_t i = 0; i < columns; ++i) {
      const auto column = memory_.column(next_++);
      for (std::size_t row = 0; row < rows; ++row) values[row * columns + i] = column[row];
    }
    return values;
  }

 private:
  const ResultMemory& memory_;
  std::size_t next_ = 0;
};

/// As read_results() gives them.
Results results_of(const ResultMemory& memory) {
  const ResultsLayout& layout = memory.impl().layout;
  Results results;
  results.bodies = layout.bodies;
  results.time.assign(memory.time().begin(), memory.time().end());
  results.model_hash = layout.model_hash;
  results.columns = layout.columns;
  results.body_names = layout.body_names;
  Stretches stretches(memory);
  results.position = stretches.take(layout.bodies.size());
  results.velocity = stretches.take(layout.bodies.size());
  for (const TableLayout& table : layout.tables)
    results.tables.push_back({table.name, table.columns, stretches.take(table.columns.size())});
  return results;
}

Results results_at(const std::filesystem::path& place) {
  return read_results(results_file(place));
}

}  // namespace

Comparison compare(const ResultMemory& a, const ResultMemory& reference, const CompareOptions& options) {
  return comparison_of(results_of(a), results_of(reference), options);
}

Comparison compare(const ResultMemory& a, const std::filesystem::path& reference,
                   const CompareOptions& options) {
  return comparison_of(results_of(a), results_at(reference), options);
}

Comparison compare(const std::filesystem::path& a, const ResultMemory& reference,
                   const CompareOptions& options) {
  return comparison_of(results_at(a), results_of(reference), options);
}

}  // namespace cosimo
