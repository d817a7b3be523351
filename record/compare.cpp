#include "record/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include "core/error.hpp"
#include "numerics/sums.hpp"

namespace cosimo {

namespace {

/// Index of one thing (an output time, a body) in both result sets.
struct Shared {
  std::size_t mine = 0, reference = 0;
};

std::vector<Shared> shared_times(std::span<const double> mine, std::span<const double> reference) {
  std::vector<Shared> result;
  const double end = reference.empty() ? 0.0 : std::abs(reference.back());
  for (std::size_t i = 0, j = 0; i < mine.size() && j < reference.size();) {
    const double tolerance = 1e-9 * std::max(std::abs(mine[i]), std::abs(reference[j])) + 1e-15 * end;
    if (std::abs(mine[i] - reference[j]) <= tolerance) {
      result.push_back({i++, j++});
    } else if (mine[i] < reference[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return result;
}

[[noreturn]] void refuse(const std::string& field, const std::string& value, const std::string& problem,
                         const std::string& remedy) {
  throw Error(Fault{.field = field, .value = value, .problem = problem, .remedy = remedy});
}

std::vector<Shared> shared_bodies(const Results& a, const Results& reference,
                                  std::span<const std::int64_t> wanted) {
  const auto columns_of = [](const Results& results) {
    std::unordered_map<std::int64_t, std::size_t> columns;
    for (std::size_t i = 0; i < results.bodies.size(); ++i) columns.emplace(results.bodies[i], i);
    return columns;
  };
  const auto mine = columns_of(a), theirs = columns_of(reference);
  std::vector<Shared> result;
  for (const std::int64_t label : wanted.empty() ? std::span<const std::int64_t>(a.bodies) : wanted) {
    const auto i = mine.find(label), j = theirs.find(label);
    if (i != mine.end() && j != theirs.end()) {
      result.push_back({i->second, j->second});
    } else if (!wanted.empty()) {
      refuse("bodies", std::to_string(label), "this body is not recorded in both results",
             "leave it out, or record it in both runs");
    }
  }
  return result;
}

/// nrmse per shared body of one level. Columns are gathered in groups: one pass over the rows each.
std::vector<double> column_errors(const Results& a, const Results& reference, std::span<const double> values,
                                  std::span<const double> reference_values, std::span<const Shared> rows,
                                  std::span<const Shared> bodies) {
  constexpr std::size_t group = 64;
  std::vector<double> x(group * rows.size()), y(x.size()), result(bodies.size());
  for (std::size_t first = 0; first < bodies.size(); first += group) {
    const std::size_t width = std::min(group, bodies.size() - first);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double* mine = values.data() + rows[r].mine * a.bodies.size();
      const double* theirs = reference_values.data() + rows[r].reference * reference.bodies.size();
      for (std::size_t c = 0; c < width; ++c) {
        x[c * rows.size() + r] = mine[bodies[first + c].mine];
        y[c * rows.size() + r] = theirs[bodies[first + c].reference];
      }
    }
    for (std::size_t c = 0; c < width; ++c)
      result[first + c] = nrmse(std::span(x).subspan(c * rows.size(), rows.size()),
                                std::span(y).subspan(c * rows.size(), rows.size()));
  }
  return result;
}

double two_norm(std::span<const double> values) {
  return std::sqrt(reproducible_sum(values.size(), [&](std::size_t i) { return values[i] * values[i]; }));
}

}  // namespace

double nrmse(std::span<const double> value, std::span<const double> reference) {
  const std::size_t n = std::min(value.size(), reference.size());
  if (n == 0) return 0;
  const double mean =
      reproducible_sum(n, [&](std::size_t i) { return reference[i]; }) / static_cast<double>(n);
  const double difference = reproducible_sum(n, [&](std::size_t i) {
    const double e = reference[i] - value[i];
    return e * e;
  });
  // A constant reference has no spread, although its mean may be rounded.
  const bool constant = std::all_of(reference.begin(), reference.begin() + static_cast<std::ptrdiff_t>(n),
                                    [&](double r) { return r == reference[0]; });
  const double spread = constant ? 0.0 : reproducible_sum(n, [&](std::size_t i) {
    const double e = reference[i] - mean;
    return e * e;
  });
  if (difference == 0) return 0;
  const double ratio = difference / spread;
  return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : std::sqrt(ratio);
}

Difference compare(const Results& a, const Results& reference, std::span<const std::int64_t> bodies) {
  const std::vector<Shared> rows = shared_times(a.time, reference.time);
  const std::vector<Shared> columns = shared_bodies(a, reference, bodies);
  if (rows.empty())
    refuse("time", "", "the two results share no output time", "run both with the same simulate.output");
  if (columns.empty())
    refuse("bodies", "", "the two results share no recorded body", "run both with the same simulate.record");

  const auto position = column_errors(a, reference, a.position, reference.position, rows, columns);
  const auto velocity = column_errors(a, reference, a.velocity, reference.velocity, rows, columns);
  Difference result;
  result.same_model = a.model_hash == reference.model_hash;
  result.rows = rows.size();
  result.bodies = columns.size();
  result.position = two_norm(position);
  result.velocity = two_norm(velocity);
  result.both = std::hypot(result.position, result.velocity);
  const double scale = 1 / std::sqrt(static_cast<double>(columns.size()));
  result.position_rms = result.position * scale;
  result.velocity_rms = result.velocity * scale;
  result.worst_body = a.bodies[columns.front().mine];
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double error = std::max(position[i], velocity[i]);
    if (error <= result.worst) continue;
    result.worst = error;
    result.worst_body = a.bodies[columns[i].mine];
  }
  return result;
}

}  // namespace cosimo
