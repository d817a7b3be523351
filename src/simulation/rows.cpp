#include "simulation/rows.hpp"

#include <algorithm>

#include "simulation/assembly.hpp"
#include "simulation/execute.hpp"
#include "simulation/recording.hpp"

namespace cosimo {

std::vector<std::string> row_names(const ResultsLayout& layout) {
  std::vector<std::string> names = layout.columns;
  if (names.empty())
    for (const std::int64_t label : layout.bodies) names.push_back(std::to_string(label) + ".x");
  const std::size_t columns = names.size();
  for (std::size_t i = 0; i < columns; ++i) names.push_back("der(" + names[i] + ")");
  for (const TableLayout& table : layout.tables)
    for (const std::string& column : table.columns) {
      const bool whole =
          column.find('.') != column.npos || table.name == sensors_table || table.name == outputs_table;
      names.push_back(whole ? column : table.name + "." + column);
    }
  return names;
}

void append(StepHistory& steps, const StepRow& row) {
  steps.t.push_back(row.t);
  steps.H.push_back(row.H);
  steps.error.push_back(row.error);
  steps.kappa.push_back(row.kappa);
  steps.iterations.push_back(row.iterations);
  steps.layers.push_back(row.layers);
  steps.accepted.push_back(static_cast<char>(row.accepted));
  steps.cut.push_back(row.worst);
}

RowTap::RowTap(RowListener& listener, const ResultsLayout& layout)
    : listener_(listener),
      outputs_follow_(!layout.tables.empty() && layout.tables.back().name == outputs_table) {
  const std::vector<std::string> names = row_names(layout);
  row_.reserve(names.size());
  listener_.begin(names);
}

void RowTap::motion(double t, std::span<const double> position, std::span<const double> velocity,
                    const DerivedOutputs* derived) {
  time_ = t;
  row_.clear();
  add(position);
  add(velocity);
  if (derived != nullptr)
    for (const DerivedOutputs::Table& table : derived->tables()) add(table.row);
  if (!outputs_follow_) listener_.row(time_, row_);
}

void RowTap::outputs(std::span<const double> values) {
  add(values);
  listener_.row(time_, row_);
}

Report run(const Scenario& scenario, const RunOptions& options, RowListener& listener) {
  return execute(scenario.data(), options, {}, &listener);
}

std::vector<std::string> row_names(const Scenario& scenario) {
  return row_names(results_layout(*assemble(scenario.data())));
}

}  // namespace cosimo
