#include "record/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "numerics/sums.hpp"
#include "record/body_columns.hpp"

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

/// The columns of every body, found by its label.
class ColumnIndex {
 public:
  explicit ColumnIndex(const Results& results) : labels_(results.bodies), columns_(results.bodies.size()) {
    std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    std::stable_sort(columns_.begin(), columns_.end(),
                     [&](std::size_t i, std::size_t j) { return labels_[i] < labels_[j]; });
  }
  /// Ascending; empty for a body that is not recorded.
  std::span<const std::size_t> of(std::int64_t label) const {
    const auto first = std::lower_bound(columns_.begin(), columns_.end(), label,
                                        [&](std::size_t i, std::int64_t l) { return labels_[i] < l; });
    const auto last = std::find_if(first, columns_.end(), [&](std::size_t i) { return labels_[i] != label; });
    return {first, last};
  }

 private:
  std::span<const std::int64_t> labels_;
  std::vector<std::size_t> columns_;
};

/// The shared columns, body after body.
struct SharedBodies {
  std::vector<Shared> columns;
  std::vector<std::size_t> first{0};  ///< where the columns of each body begin; one more entry

  std::size_t size() const { return first.size() - 1; }
  void add(std::span<const std::size_t> mine, std::span<const std::size_t> reference) {
    for (std::size_t k = 0; k < mine.size(); ++k) columns.push_back({mine[k], reference[k]});
    first.push_back(columns.size());
  }
};

bool same_coordinates(const Results& a, const Results& reference, std::span<const std::size_t> mine,
                      std::span<const std::size_t> theirs) {
  if (mine.size() != theirs.size()) return false;
  if (a.columns.empty() || reference.columns.empty()) return true;
  for (std::size_t k = 0; k < mine.size(); ++k)
    if (coordinate_of(a.columns[mine[k]]) != coordinate_of(reference.columns[theirs[k]])) return false;
  return true;
}

SharedBodies shared_bodies(const Results& a, const Results& reference, std::span<const std::int64_t> wanted) {
  const ColumnIndex mine(a), theirs(reference);
  SharedBodies result;
  const auto add = [&](std::int64_t label) {
    const auto i = mine.of(label), j = theirs.of(label);
    if (i.empty() || j.empty()) return false;
    if (!same_coordinates(a, reference, i, j))
      refuse("bodies", std::to_string(label), "this body has different coordinates in the two results",
             "compare runs of the same kind of model");
    result.add(i, j);
    return true;
  };
  if (wanted.empty())
    for (std::size_t c = 0; c < a.bodies.size(); ++c)
      if (mine.of(a.bodies[c]).front() == c) add(a.bodies[c]);
  for (const std::int64_t label : wanted)
    if (!add(label))
      refuse("bodies", std::to_string(label), "this body is not recorded in both results",
             "leave it out, or record it in both runs");
  return result;
}

/// For every shared column its signs at the shared times: none, or those of the quaternion it belongs to.
struct Signs {
  std::vector<std::int8_t> mine, reference;
};
struct SignsOfColumns {
  std::vector<Signs> quaternions;
  std::vector<std::int32_t> quaternion_of;  ///< -1: none; empty: there are no quaternions
};

Signs signs_of(const Results& a, const Results& reference, std::span<const Shared> rows,
               std::span<const Shared> quaternion) {
  Signs signs{std::vector<std::int8_t>(rows.size()), std::vector<std::int8_t>(rows.size())};
  std::array<double, 4> last{};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::array<double, 4> x{}, y{};
    double jump = 0, product = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      x[k] = a.position[rows[r].mine * a.bodies.size() + quaternion[k].mine];
      y[k] = reference.position[rows[r].reference * reference.bodies.size() + quaternion[k].reference];
      jump += y[k] * last[k];
    }
    signs.reference[r] = jump < 0 ? -1 : 1;
    for (std::size_t k = 0; k < 4; ++k) {
      last[k] = signs.reference[r] * y[k];
      product += x[k] * last[k];
    }
    signs.mine[r] = product < 0 ? -1 : 1;
  }
  return signs;
}

SignsOfColumns quaternion_signs(const Results& a, const Results& reference, std::span<const Shared> rows,
                                std::span<const Shared> columns) {
  SignsOfColumns result;
  const auto& names = a.columns.empty() ? reference.columns : a.columns;
  if (names.empty()) return result;
  static constexpr std::array<std::string_view, 4> parts{"qw", "qx", "qy", "qz"};
  result.quaternion_of.assign(columns.size(), -1);
  for (std::size_t c = 0; c + 4 <= columns.size(); ++c) {
    bool found = true;
    for (std::size_t k = 0; k < 4 && found; ++k) {
      const Shared& column = columns[c + k];
      found = coordinate_of(names[a.columns.empty() ? column.reference : column.mine]) == parts[k];
    }
    if (!found) continue;
    std::fill_n(result.quaternion_of.begin() + static_cast<std::ptrdiff_t>(c), 4,
                static_cast<std::int32_t>(result.quaternions.size()));
    result.quaternions.push_back(signs_of(a, reference, rows, columns.subspan(c, 4)));
  }
  return result;
}

/// The two sums of (5.1).
struct Sums {
  double difference = 0, spread = 0;
};

Sums sums_of(std::span<const double> value, std::span<const double> reference) {
  const std::size_t n = std::min(value.size(), reference.size());
  if (n == 0) return {};
  const double mean =
      reproducible_sum(n, [&](std::size_t i) { return reference[i]; }) / static_cast<double>(n);
  // A constant reference has no spread, although its mean may be rounded.
  const bool constant = std::all_of(reference.begin(), reference.begin() + static_cast<std::ptrdiff_t>(n),
                                    [&](double r) { return r == reference[0]; });
  const auto square = [](double e) { return e * e; };
  return {reproducible_sum(n, [&](std::size_t i) { return square(reference[i] - value[i]); }),
          constant ? 0.0 : reproducible_sum(n, [&](std::size_t i) { return square(reference[i] - mean); })};
}

double nrmse(const Sums& sums) {
  if (sums.difference == 0) return 0;
  const double ratio = sums.difference / sums.spread;
  return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : std::sqrt(ratio);
}

/// Position or velocity of both result sets over what they share.
struct Level {
  std::span<const double> mine, reference;
  std::size_t my_columns = 0, reference_columns = 0;
};

/// The sums per shared column of one level. Columns are gathered in groups: one pass over the rows each.
std::vector<Sums> column_sums(const Level& level, std::span<const Shared> rows,
                              std::span<const Shared> columns, const SignsOfColumns& signs) {
  constexpr std::size_t group = 64;
  std::vector<double> x(group * rows.size()), y(x.size());
  std::vector<Sums> result(columns.size());
  for (std::size_t first = 0; first < columns.size(); first += group) {
    const std::size_t width = std::min(group, columns.size() - first);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double* mine = level.mine.data() + rows[r].mine * level.my_columns;
      const double* theirs = level.reference.data() + rows[r].reference * level.reference_columns;
      for (std::size_t c = 0; c < width; ++c) {
        x[c * rows.size() + r] = mine[columns[first + c].mine];
        y[c * rows.size() + r] = theirs[columns[first + c].reference];
      }
    }
    for (std::size_t c = 0; c < width; ++c) {
      const std::span<double> value = std::span(x).subspan(c * rows.size(), rows.size()),
                              reference = std::span(y).subspan(c * rows.size(), rows.size());
      const std::int32_t q = signs.quaternion_of.empty() ? -1 : signs.quaternion_of[first + c];
      for (std::size_t r = 0; q >= 0 && r < rows.size(); ++r) {
        value[r] *= signs.quaternions[static_cast<std::size_t>(q)].mine[r];
        reference[r] *= signs.quaternions[static_cast<std::size_t>(q)].reference[r];
      }
      result[first + c] = sums_of(value, reference);
    }
  }
  return result;
}

/// (5.1) per body. `least` is the share of the largest spread that every body has at least.
std::vector<double> body_errors(std::span<const Sums> columns, std::span<const std::size_t> first,
                                double least) {
  std::vector<Sums> bodies(first.size() - 1);
  double largest = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t c = first[i]; c < first[i + 1]; ++c) {
      bodies[i].difference += columns[c].difference;
      bodies[i].spread += columns[c].spread;
    }
    if (std::isfinite(bodies[i].spread)) largest = std::max(largest, bodies[i].spread);
  }
  std::vector<double> result;
  for (Sums& body : bodies) {
    if (body.spread < least * largest) body.spread = least * largest;
    result.push_back(nrmse(body));
  }
  return result;
}

double two_norm(std::span<const double> values) {
  return std::sqrt(reproducible_sum(values.size(), [&](std::size_t i) { return values[i] * values[i]; }));
}

}  // namespace

double nrmse(std::span<const double> value, std::span<const double> reference) {
  return nrmse(sums_of(value, reference));
}

Difference compare(const Results& a, const Results& reference, std::span<const std::int64_t> bodies) {
  const std::vector<Shared> rows = shared_times(a.time, reference.time);
  const SharedBodies shared = shared_bodies(a, reference, bodies);
  if (rows.empty())
    refuse("time", "", "the two results share no output time", "run both with the same simulate.output");
  if (shared.size() == 0)
    refuse("bodies", "", "the two results share no recorded body", "run both with the same simulate.record");

  const bool named = !a.columns.empty() || !reference.columns.empty();
  const double least = named ? 1e-12 : 0;  // squared
  const SignsOfColumns signs = quaternion_signs(a, reference, rows, shared.columns);
  const auto errors = [&](std::span<const double> mine, std::span<const double> theirs) {
    const Level level{mine, theirs, a.bodies.size(), reference.bodies.size()};
    return body_errors(column_sums(level, rows, shared.columns, signs), shared.first, least);
  };
  const auto position = errors(a.position, reference.position);
  const auto velocity = errors(a.velocity, reference.velocity);
  Difference result;
  result.same_model = a.model_hash == reference.model_hash;
  result.rows = rows.size();
  result.bodies = shared.size();
  result.position = two_norm(position);
  result.velocity = two_norm(velocity);
  result.both = std::hypot(result.position, result.velocity);
  const double scale = 1 / std::sqrt(static_cast<double>(shared.size()));
  result.position_rms = result.position * scale;
  result.velocity_rms = result.velocity * scale;
  const auto label = [&](std::size_t body) { return a.bodies[shared.columns[shared.first[body]].mine]; };
  result.worst_body = label(0);
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const double error = std::max(position[i], velocity[i]);
    if (error <= result.worst) continue;
    result.worst = error;
    result.worst_body = label(i);
  }
  return result;
}

}  // namespace cosimo
