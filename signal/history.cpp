#include "signal/history.hpp"

#include <algorithm>
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

std::span<const double> History::values(std::size_t back) const {
  return {values_.data() + slot(back) * variables_, variables_};
}

std::size_t History::slot(std::size_t back) const {
  COSIMO_CHECK(back < size_, "point " + std::to_string(back) + " of " + std::to_string(size_));
  return (newest_ + capacity() - back) % capacity();
}

}  // namespace cosimo
