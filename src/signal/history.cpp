#include "signal/history.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/check.hpp"

namespace cosimo {

History::History(std::size_t variables, std::size_t capacity)
    : variables_(variables), times_(capacity), values_(variables * capacity) {
  COSIMO_CHECK(capacity > 0, "a history needs room for at least one macro point");
}

void History::push(double t, std::span<const double> u) {
  COSIMO_CHECK(u.size() == variables_, "pushing " + std::to_string(u.size()) + " values onto a history of " +
                                           std::to_string(variables_) + " variables");
  COSIMO_CHECK(size_ == 0 || t > time(0),
               "pushing t = " + std::to_string(t) + " after " + std::to_string(time(0)));
  newest_ = size_ == 0 ? 0 : (newest_ + 1) % capacity();
  times_[newest_] = t;
  std::copy(u.begin(), u.end(), values_.begin() + static_cast<std::ptrdiff_t>(newest_ * variables_));
  size_ = std::min(size_ + 1, capacity());
}

void History::amend(std::span<const double> u) {
  COSIMO_CHECK(size_ > 0 && u.size() == variables_, "other values where there are none");
  std::copy(u.begin(), u.end(), values_.begin() + static_cast<std::ptrdiff_t>(newest_ * variables_));
}

std::span<const double> History::values(std::size_t back) const {
  return {values_.data() + slot(back) * variables_, variables_};
}

void History::archive_times(Archive& a) {
  a.section("history");
  std::vector<double> times(size_);  // newest first
  for (std::size_t back = 0; back < size_; ++back) times[back] = time(back);
  a(times);
  if (!a.loading()) return;
  if (times.size() > capacity()) throw ArchiveError("the data hold more macro points than are kept");
  size_ = times.size();
  newest_ = size_ == 0 ? 0 : size_ - 1;
  for (std::size_t back = 0; back < size_; ++back) times_[slot(back)] = times[back];
}

void History::archive_variables(Archive& a, std::span<const std::size_t> variables) {
  std::vector<double> row(variables.size());
  for (std::size_t back = 0; back < size_; ++back) {
    const std::span<double> all(values_.data() + slot(back) * variables_, variables_);
    if (!a.loading())
      std::transform(variables.begin(), variables.end(), row.begin(), [&](std::size_t i) { return all[i]; });
    a(std::span<double>(row));
    if (a.loading())
      for (std::size_t k = 0; k < row.size(); ++k) all[variables[k]] = row[k];
  }
}

void History::archive(Archive& a) {
  archive_times(a);
  std::vector<std::size_t> all(variables_);
  std::iota(all.begin(), all.end(), std::size_t{0});
  archive_variables(a, all);
}

std::size_t History::slot(std::size_t back) const {
  COSIMO_CHECK(back < size_, "point " + std::to_string(back) + " of " + std::to_string(size_));
  return (newest_ + capacity() - back) % capacity();
}

}  // namespace cosimo
