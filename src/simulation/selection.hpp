// Some of the numbers 0 ... n-1, or all of them, in ascending order: which coordinates of a model are
// recorded. All of many take no memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace cosimo {

class Selection {
 public:
  Selection() = default;
  /// All of n.
  explicit Selection(std::size_t n) : size_(n) {}
  /// Ascending, each once.
  explicit Selection(std::vector<std::size_t> some)
      : all_(false), some_(std::move(some)), size_(some_.size()) {}

  std::size_t size() const { return size_; }
  std::size_t operator[](std::size_t place) const { return all_ ? place : some_[place]; }
  /// The place of a number, if it is selected.
  std::optional<std::size_t> find(std::size_t number) const {
    if (all_) return number < size_ ? std::optional(number) : std::nullopt;
    const auto at = std::lower_bound(some_.begin(), some_.end(), number);
    if (at == some_.end() || *at != number) return std::nullopt;
    return static_cast<std::size_t>(at - some_.begin());
  }

 private:
  bool all_ = true;
  std::vector<std::size_t> some_;
  std::size_t size_ = 0;
};

}  // namespace cosimo
