#include "results/shared_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <unordered_set>

#include "core/error.hpp"
#include "results/body_columns.hpp"

namespace cosimo {

namespace {

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

Error refused(std::int64_t label, const char* problem, const char* remedy) {
  return Error(
      Fault{.field = "bodies", .value = std::to_string(label), .problem = problem, .remedy = remedy});
}

/// Finds the columns of one body after the other.
class Matcher {
 public:
  Matcher(const Results& a, const Results& reference)
      : a_(a), reference_(reference), mine_(a), theirs_(reference) {}

  enum class Found { both, other_coordinates, not_in_both };

  /// Adds a body of which both have the same coordinates.
  Found add(std::int64_t label) {
    const auto i = mine_.of(label), j = theirs_.of(label);
    if (i.empty() || j.empty()) return Found::not_in_both;
    if (!same_coordinates(i, j)) return Found::other_coordinates;
    for (std::size_t k = 0; k < i.size(); ++k) shared_.columns.push_back({i[k], j[k]});
    shared_.first.push_back(shared_.columns.size());
    return Found::both;
  }
  void add_asked(std::int64_t label, bool required) {
    const Found found = add(label);
    if (found == Found::other_coordinates)
      throw refused(label, "this body has different coordinates in the two results",
                    "compare runs of the same kind of model");
    if (found == Found::not_in_both && required)
      throw refused(label, "this body is not recorded in both results",
                    "leave it out, or record it in both runs");
    shared_.asked = shared_.size();
  }
  SharedBodies take() { return std::move(shared_); }

 private:
  bool same_coordinates(std::span<const std::size_t> mine, std::span<const std::size_t> theirs) const {
    if (mine.size() != theirs.size()) return false;
    if (a_.columns.empty() || reference_.columns.empty()) return true;
    for (std::size_t k = 0; k < mine.size(); ++k)
      if (coordinate_of(a_.columns[mine[k]]) != coordinate_of(reference_.columns[theirs[k]])) return false;
    return true;
  }

  const Results& a_;
  const Results& reference_;
  ColumnIndex mine_, theirs_;
  SharedBodies shared_;
};

}  // namespace

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

SharedBodies shared_bodies(const Results& a, const Results& reference, std::span<const std::int64_t> wanted) {
  Matcher matcher(a, reference);
  std::unordered_set<std::int64_t> seen(wanted.begin(), wanted.end());
  for (const std::int64_t label : wanted) matcher.add_asked(label, true);
  for (const std::int64_t label : a.bodies) {
    if (!seen.insert(label).second) continue;
    if (wanted.empty())
      matcher.add_asked(label, false);
    else
      matcher.add(label);
  }
  return matcher.take();
}

}  // namespace cosimo
