#include "results/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/error.hpp"
#include "numerics/sums.hpp"
#include "results/body_columns.hpp"
#include "results/shared_columns.hpp"

namespace cosimo {

namespace {

[[noreturn]] void refuse(const char* field, const char* problem, const char* remedy) {
  throw Error(Fault{.field = field, .value = "", .problem = problem, .remedy = remedy});
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

/// Coordinates that are measured alike.
std::string_view kind_of(std::string_view coordinate) {
  if (coordinate == "x" || coordinate == "y" || coordinate == "z") return "place";
  return coordinate.size() == 2 && coordinate[0] == 'q' ? "quaternion" : coordinate;
}

/// Kind of every shared column, a number from 0. Columns without names are of one kind.
std::vector<std::size_t> kinds_of(const Results& a, const Results& reference,
                                  std::span<const Shared> columns) {
  std::vector<std::size_t> kinds(columns.size(), 0);
  const bool mine = !a.columns.empty();
  if (!mine && reference.columns.empty()) return kinds;
  std::map<std::string_view, std::size_t> numbers;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string& name = mine ? a.columns[columns[c].mine] : reference.columns[columns[c].reference];
    kinds[c] = numbers.emplace(kind_of(coordinate_of(name)), numbers.size()).first->second;
  }
  return kinds;
}

/// (5.1) of the bodies that are asked for.
struct BodyErrors {
  std::vector<double> nrmse;
  std::vector<bool> still;  ///< weighed by what others move
};

BodyErrors body_errors(std::span<const Sums> columns, const SharedBodies& bodies,
                       std::span<const std::size_t> kinds) {
  const std::size_t all_kinds = kinds.empty() ? 0 : 1 + *std::max_element(kinds.begin(), kinds.end());
  std::vector<double> most(all_kinds, 0.0);  // largest spread of a body, per kind
  std::vector<double> own(all_kinds);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    std::fill(own.begin(), own.end(), 0.0);
    for (std::size_t c = bodies.first[i]; c < bodies.first[i + 1]; ++c) own[kinds[c]] += columns[c].spread;
    for (std::size_t k = 0; k < all_kinds; ++k)
      if (std::isfinite(own[k])) most[k] = std::max(most[k], own[k]);
  }
  BodyErrors result;
  std::vector<bool> has(all_kinds);
  for (std::size_t i = 0; i < bodies.asked; ++i) {
    Sums body;
    double least = 0;
    has.assign(all_kinds, false);
    for (std::size_t c = bodies.first[i]; c < bodies.first[i + 1]; ++c) {
      body.difference += columns[c].difference;
      body.spread += columns[c].spread;
      if (!has[kinds[c]]) least += least_share * least_share * most[kinds[c]];
      has[kinds[c]] = true;
    }
    result.still.push_back(body.spread < least);
    if (result.still.back()) body.spread = least;
    result.nrmse.push_back(nrmse(body));
  }
  return result;
}

/// The worst body, and those that hardly move.
void tell_bodies(const Results& a, const SharedBodies& shared, const BodyErrors& position,
                 const BodyErrors& velocity, Difference& result) {
  std::unordered_map<std::int64_t, std::string> names;  // none for the many bodies of a chain
  if (!a.body_names.empty())
    for (BodyColumns& body : body_columns(a)) names.emplace(body.label, std::move(body.name));
  const auto name_of = [&](std::int64_t body) {
    const auto found = names.find(body);
    return found == names.end() ? std::to_string(body) : found->second;
  };
  const auto label = [&](std::size_t i) { return a.bodies[shared.columns_of(i).front().mine]; };
  std::size_t worst = 0;
  for (std::size_t i = 0; i < shared.asked; ++i) {
    const double error = std::max(position.nrmse[i], velocity.nrmse[i]);
    if (error > result.worst) worst = i;
    result.worst = std::max(result.worst, error);
    if (position.still[i] || velocity.still[i])
      result.still.push_back({label(i), name_of(label(i)), position.still[i], velocity.still[i]});
  }
  result.worst_body = label(worst);
  result.worst_name = name_of(result.worst_body);
}

/// The columns of the same names in the tables of outputs; those that hardly move are weighed by what a
/// thousandth of their own largest value would be.
double compare_table(const ResultsTable& mine, const ResultsTable& theirs, std::span<const Shared> rows,
                     Difference& result) {
  std::vector<double> x, y;
  double squares = 0;
  for (std::size_t r = 0; r < theirs.columns.size(); ++r) {
    const auto found = std::find(mine.columns.begin(), mine.columns.end(), theirs.columns[r]);
    if (found == mine.columns.end()) continue;
    const auto m = static_cast<std::size_t>(found - mine.columns.begin());
    x.clear();
    y.clear();
    double largest = 0;
    for (const Shared& row : rows) {
      if (row.mine >= mine.rows() || row.reference >= theirs.rows()) continue;
      x.push_back(mine.value[row.mine * mine.columns.size() + m]);
      y.push_back(theirs.value[row.reference * theirs.columns.size() + r]);
      largest = std::max(largest, std::fabs(y.back()));
    }
    Sums sums = sums_of(x, y);
    const double least = least_share * largest;
    sums.spread = std::max(sums.spread, static_cast<double>(x.size()) * least * least);
    const double error = nrmse(sums);
    squares += error * error;
    ++result.outputs;
    if (result.outputs > 1 && !(error > result.worst_output)) continue;
    result.worst_output = error;
    result.worst_output_name = theirs.columns[r];
  }
  return squares;
}

/// Outputs of components, coordinates of joints, sensors.
void compare_outputs(const Results& a, const Results& reference, std::span<const Shared> rows,
                     Difference& result) {
  double squares = 0;
  for (const std::string_view name : {outputs_table, joints_table, sensors_table}) {
    const ResultsTable *mine = a.table(name), *theirs = reference.table(name);
    if (mine != nullptr && theirs != nullptr) squares += compare_table(*mine, *theirs, rows, result);
  }
  if (result.outputs == 0) return;
  result.output = std::sqrt(squares);
  result.output_rms = std::sqrt(squares / static_cast<double>(result.outputs));
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
    refuse("time", "the two results share no output time", "run both with the same simulate.output");
  Difference result;
  if (bodies.empty()) compare_outputs(a, reference, rows, result);
  result.same_model = a.model_hash == reference.model_hash;
  result.rows = rows.size();
  if (shared.asked == 0 && result.outputs > 0) return result;
  if (shared.asked == 0)
    refuse("bodies", "the two results share no recorded body", "run both with the same simulate.record");

  const SignsOfColumns signs = quaternion_signs(a, reference, rows, shared.columns);
  const std::vector<std::size_t> kinds = kinds_of(a, reference, shared.columns);
  const auto errors = [&](std::span<const double> mine, std::span<const double> theirs) {
    const Level level{mine, theirs, a.bodies.size(), reference.bodies.size()};
    return body_errors(column_sums(level, rows, shared.columns, signs), shared, kinds);
  };
  const BodyErrors position = errors(a.position, reference.position);
  const BodyErrors velocity = errors(a.velocity, reference.velocity);
  result.bodies = shared.asked;
  result.position = two_norm(position.nrmse);
  result.velocity = two_norm(velocity.nrmse);
  result.both = std::hypot(result.position, result.velocity);
  const double scale = 1 / std::sqrt(static_cast<double>(shared.asked));
  result.position_rms = result.position * scale;
  result.velocity_rms = result.velocity * scale;
  tell_bodies(a, shared, position, velocity, result);
  return result;
}

}  // namespace cosimo
