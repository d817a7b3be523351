// A small hash table from bodies to values, for sets of bodies that are few compared to the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.hpp"

namespace cosimo {

template <class T>
class BodyTable {
 public:
  explicit BodyTable(std::size_t expected = 32) {
    std::size_t slots = 64;
    while (slots < 2 * expected) slots *= 2;
    slots_.resize(slots);
  }

  std::size_t size() const { return count_; }

  /// The value of the body, and whether it was new and `value` has been put in.
  std::pair<T*, bool> insert(BodyId body, const T& value) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(body)];
    if (slot.body == body) return {&slot.value, false};
    slot = {body, value};
    ++count_;
    return {&slot.value, true};
  }

  /// Null when the body is not in the table. Pointers hold until the next insert().
  const T* find(BodyId body) const {
    const Slot& slot = slots_[place(body)];
    return slot.body == body ? &slot.value : nullptr;
  }

 private:
  struct Slot {
    BodyId body;
    T value{};
  };

  /// Where the body is, or would be put.
  std::size_t place(BodyId body) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i =
        (static_cast<std::size_t>(static_cast<std::uint32_t>(body.value)) * 0x9e3779b97f4a7c15ULL >> 32) &
        mask;
    while (slots_[i].body.valid() && slots_[i].body != body) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    std::swap(old, slots_);
    for (const Slot& slot : old)
      if (slot.body.valid()) slots_[place(slot.body)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace cosimo
