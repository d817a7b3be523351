// States that are shared instead of copied.
//
// A step reads one state and writes another; once complete, a state never changes. So a snapshot
// is a reference, restoring one costs nothing, and lanes of one subsystem may continue from the
// same state at the same time:
//
//   StateRef next = pool.spare();   a state that nobody refers to
//   ... write next.edit() ...       its only writer, until it is first copied
//   current = next;                 from now on read only
//
// The pool keeps every state it ever made, so a steady run allocates nothing. What a system has beside
// coordinates (integrator/whole.hpp) lies in a second slab, which others do not have.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "integrator/slab.hpp"
#include "integrator/whole.hpp"

namespace cosimo {

/// Positions, velocities and accelerations at one instant. Neither copied nor moved: see StateRef.
struct State {
  State(std::size_t size, std::size_t place, const Extent& extent = {})
      : slab(3, size, place), q(slab.row(0)), v(slab.row(1)), a(slab.row(2)), sides(extent.roots) {
    if (!extent.states()) return;
    more = Slab(3, std::max(extent.z, extent.s), place);
    z = more.row(0).first(extent.z);
    z_rate = more.row(1).first(extent.z);
    s = more.row(2).first(extent.s);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  double t = 0;
  Slab slab;
  std::span<double> q, v, a;

  Slab more;
  std::span<double> z, z_rate, s;
  /// Of the roots: their signs; twice that where they are foreseen only; 0: not known yet.
  std::vector<std::int8_t> sides;

  Whole whole() const { return {q.data(), v.data(), z.data(), s.data()}; }
};

/// What a step starts from. The accelerations need not be those of a State: inputs may have changed.
struct Point {
  double t = 0;
  const double* q = nullptr;
  const double* v = nullptr;
  const double* a = nullptr;
  const State* previous = nullptr;  ///< where the step before began, if that is remembered
  const double* z = nullptr;
  const double* z_rate = nullptr;
  const double* s = nullptr;

  Whole whole() const { return {q, v, z, s}; }
};

/// A counted reference to a state of some pool.
class StateRef {
 public:
  struct Entry {
    Entry(std::size_t size, std::size_t place, const Extent& extent) : state(size, place, extent) {}
    State state;
    std::atomic<int> users{0};
  };

  StateRef() = default;
  explicit StateRef(std::shared_ptr<Entry> entry) : entry_(std::move(entry)) { acquire(); }
  StateRef(const StateRef& other) : entry_(other.entry_) { acquire(); }
  StateRef(StateRef&& other) noexcept : entry_(std::move(other.entry_)) {}
  StateRef& operator=(StateRef other) noexcept {
    std::swap(entry_, other.entry_);
    return *this;
  }
  ~StateRef() {
    // Everything read through this reference happens before the pool hands the state out again.
    if (entry_) entry_->users.fetch_sub(1, std::memory_order_release);
  }

  const State& operator*() const { return entry_->state; }
  const State* operator->() const { return &entry_->state; }
  State& edit() { return entry_->state; }
  explicit operator bool() const { return entry_ != nullptr; }

 private:
  void acquire() {
    if (entry_) entry_->users.fetch_add(1, std::memory_order_relaxed);
  }

  std::shared_ptr<Entry> entry_;
};

/// States of one pool that lie at different places; more than a step, its snapshot and an overwritten state
/// need. Work arrays that meet them in a loop begin at `work_place`.
inline constexpr std::size_t different_places = 7;
inline constexpr std::size_t work_place = 3 * different_places;

class StatePool {
 public:
  explicit StatePool(std::size_t size, const Extent& extent = {}) : size_(size), extent_(extent) {}

  /// A state without users; made new when all are in use.
  StateRef spare() {
    for (const auto& entry : entries_)
      if (entry->users.load(std::memory_order_acquire) == 0) return StateRef(entry);
    // Any two of them may meet in a loop, so their arrays begin at different places (integrator/slab.hpp).
    auto entry = std::make_shared<StateRef::Entry>(size_, 3 * (entries_.size() % different_places), extent_);
    entries_.push_back(entry);
    return StateRef(std::move(entry));
  }
  std::size_t count() const { return entries_.size(); }

 private:
  std::size_t size_;
  Extent extent_;
  std::vector<std::shared_ptr<StateRef::Entry>> entries_;
};

}  // namespace cosimo
