#include "results/results_steps.hpp"

#include <algorithm>
#include <optional>

#include "results/hdf5_column.hpp"

namespace cosimo {

std::vector<StepRow> read_steps(hid_t file) {
  const Column t(file, "steps/t", 1), H(file, "steps/H", 1), kappa(file, "steps/kappa", 1),
      error(file, "steps/error", 1), accepted(file, "steps/accepted", 1),
      iterations(file, "steps/iterations", 1);
  std::optional<Column> layers, cut;  // older files have none
  if (exists(file, "steps/layers")) layers.emplace(file, "steps/layers", 1);
  if (exists(file, "steps/cut")) cut.emplace(file, "steps/cut", 1);
  std::size_t rows =
      std::min({t.rows(), H.rows(), kappa.rows(), error.rows(), accepted.rows(), iterations.rows()});
  if (layers) rows = std::min(rows, layers->rows());
  if (cut) rows = std::min(rows, cut->rows());
  const auto t_values = t.read<double>(rows), H_values = H.read<double>(rows),
             errors = error.read<double>(rows);
  const auto orders = kappa.read<std::int8_t>(rows), verdicts = accepted.read<std::int8_t>(rows);
  const auto counts = iterations.read<std::int16_t>(rows);
  const auto widths = layers ? layers->read<std::int32_t>(rows) : std::vector<std::int32_t>(rows);
  const auto cuts = cut ? cut->read<std::int32_t>(rows) : std::vector<std::int32_t>(rows, -1);
  std::vector<StepRow> steps(rows);
  for (std::size_t i = 0; i < rows; ++i)
    steps[i] = {.t = t_values[i],
                .H = H_values[i],
                .kappa = orders[i],
                .error = errors[i],
                .accepted = verdicts[i] != 0,
                .iterations = counts[i],
                .layers = widths[i],
                .worst = cuts[i]};
  return steps;
}

}  // namespace cosimo
