#include "simulation/overview_data.hpp"

#include <algorithm>

#include "results/overview.hpp"

namespace cosimo {

namespace {

constexpr std::size_t overview_bodies = 120;
constexpr std::size_t overview_rows = 4000;
constexpr std::size_t overview_steps = 200'000;

/// Keep every second entry of blocks of `width` numbers.
void thin(std::vector<double>& values, std::size_t width) {
  const std::size_t rows = values.size() / width;
  for (std::size_t i = 0; 2 * i < rows; ++i)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(2 * i * width), width,
                values.begin() + static_cast<std::ptrdiff_t>(i * width));
  values.resize((rows + 1) / 2 * width);
}

}  // namespace

OverviewData::OverviewData(const ResultsLayout& layout, std::span<const std::int32_t> part_of_body) {
  // Whole bodies are kept or left out: a path needs all coordinates.
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < layout.bodies.size(); ++i)
    if (i == 0 || layout.bodies[i] != layout.bodies[i - 1]) first.push_back(i);
  const std::size_t n = first.size();
  const std::size_t wanted = std::min(n, overview_bodies);
  first.push_back(layout.bodies.size());
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t body = wanted == 1 ? 0 : i * (n - 1) / (wanted - 1);
    for (std::size_t column = first[body]; column < first[body + 1]; ++column) {
      columns_.push_back(column);
      parts_.push_back(part_of_body[static_cast<std::size_t>(layout.bodies[column] - 1)]);
      data_.bodies.push_back(layout.bodies[column]);
      if (!layout.columns.empty()) data_.columns.push_back(layout.columns[column]);
    }
    if (!layout.body_names.empty()) data_.body_names.push_back(layout.body_names[body]);
  }
}

void OverviewData::output(double t, std::span<const double> position) {
  output_block(t, 0, position, true);
}

void OverviewData::output_block(double t, std::size_t first, std::span<const double> position, bool last) {
  row_.resize(columns_.size());
  const auto begin = std::lower_bound(columns_.begin(), columns_.end(), first);
  for (auto c = begin; c != columns_.end() && *c < first + position.size(); ++c)
    row_[static_cast<std::size_t>(c - columns_.begin())] = position[*c - first];
  if (last) keep(t);
}

void OverviewData::keep(double t) {
  if (columns_.empty() || rows_seen_++ % row_stride_ != 0) return;
  data_.time.push_back(t);
  data_.position.insert(data_.position.end(), row_.begin(), row_.end());
  if (data_.time.size() < overview_rows) return;
  thin(data_.time, 1);
  thin(data_.position, columns_.size());
  row_stride_ *= 2;
}

void OverviewData::step(const StepRow& row) {
  if (row.accepted && steps_seen_++ % step_stride_ != 0) return;
  data_.steps.push_back(row);
  if (data_.steps.size() < overview_steps) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < data_.steps.size(); i += 2) data_.steps[kept++] = data_.steps[i];
  data_.steps.resize(kept);
  step_stride_ *= 2;
}

std::string OverviewData::svg(const std::string& title, const std::string& subtitle) const {
  return overview_svg({&data_, parts_, title, subtitle});
}

}  // namespace cosimo
