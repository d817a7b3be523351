// The storage behind our N_Vectors: counted, recycled arrays that are never changed
// while anybody else can see them.
//
// A state y = [q | v | z] lies in one array: n positions, padding to a whole cache line,
// n velocities, padding, first-order states (if any), padding. The padding is always zero, so that kernels
// run over whole cache lines without a tail and sums take no notice of it.
//
// Counts are atomic because the lanes of a subsystem share arrays through snapshots;
// an array that only its recycler refers to is free and used again, by the recycler's own lane.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace cosimo {

/// Base of everything that is shared between lanes and recycled.
class Counted {
 public:
  Counted() = default;
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  virtual ~Counted() = default;

  int users() const { return users_.load(std::memory_order_acquire); }

 private:
  template <class T>
  friend class Ref;
  mutable std::atomic<int> users_{0};
};

/// Intrusive owner of a Counted object.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) { acquire(); }
  Ref(const Ref& other) : object_(other.object_) { acquire(); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  Ref(const Ref<U>& other) : object_(other.get()) {  // to a base class
    acquire();
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ && object_->users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object_;
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  bool operator==(const Ref& other) const { return object_ == other.object_; }

 private:
  void acquire() const {
    if (object_) object_->users_.fetch_add(1, std::memory_order_relaxed);
  }
  T* object_ = nullptr;
};

/// Objects in use and objects to be used again; grows until a steady run needs no more.
template <class T>
class Recycler {
 public:
  /// An object that nobody else refers to; make() creates a new one where all are in use.
  template <class Make>
  Ref<T> take(Make make) {
    for (const Ref<T>& object : objects_)
      if (object->users() == 1) return object;
    objects_.push_back(Ref<T>(make()));
    return objects_.back();
  }
  /// f(object) for all that are not in use.
  template <class F>
  void for_each_free(F f) {
    for (const Ref<T>& object : objects_)
      if (object->users() == 1) f(*object);
  }
  /// Has at least `count` objects from now on.
  template <class Make>
  void reserve(std::size_t count, Make make) {
    while (objects_.size() < count) objects_.push_back(Ref<T>(make()));
  }
  std::size_t size() const { return objects_.size(); }

 private:
  std::vector<Ref<T>> objects_;
};

/// Where positions, velocities and first-order states lie in an array.
struct StateLayout {
  std::size_t dofs = 0;
  std::size_t stride = 0;  ///< from the first position to the first velocity; whole cache lines
  std::size_t states = 0;
  explicit StateLayout(std::size_t n, std::size_t m = 0) : dofs(n), stride(padded(n)), states(m) {}
  std::size_t first_state() const { return 2 * stride; }
  std::size_t length() const { return 2 * stride + padded(states); }
  std::size_t count() const { return 2 * dofs + states; }  ///< without padding

  struct Part {
    std::size_t first, count;
  };
  std::array<Part, 3> parts() const { return {{{0, dofs}, {stride, dofs}, {first_state(), states}}}; }
  static std::size_t padded(std::size_t n) { return (n + 7) / 8 * 8; }
};

/// An array, or the promise of one: while `count` is not zero the contents are still to be computed
/// as the sum of c * x over the terms, all of which are arrays with contents. A promise belongs to
/// one lane and is never part of a snapshot.
class StateArray : public Counted {
 public:
  static constexpr std::size_t max_terms = 8;
  struct Term {
    double c = 0;
    Ref<StateArray> x;
  };

  /// Only the padding is written: an array that is never used costs addresses, not memory.
  explicit StateArray(const StateLayout& layout)
      : values_(static_cast<double*>(::operator new(layout.length() * sizeof(double), alignment))) {
    for (const StateLayout::Part& part : layout.parts())
      std::fill(values() + part.first + part.count, values() + part.first + StateLayout::padded(part.count),
                0.0);
  }

  double* values() { return values_.get(); }
  const double* values() const { return values_.get(); }

  std::size_t count = 0;
  std::array<Term, max_terms> terms;

  void forget_terms() {
    while (count > 0) terms[--count] = Term{};
  }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(double* p) const { ::operator delete(p, alignment); }
  };
  std::unique_ptr<double[], Free> values_;
};

}  // namespace cosimo
