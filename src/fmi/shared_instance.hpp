// One instance of an FMU for all lanes of a component. A lane is a state; where there are several
// (comparison, perturbed inputs), the instance takes on the state of the one whose turn it is. So an FMU that
// exists only once per process can be compared with itself, and states need not wander between instances.
//
//   Turn turn(*shared, lane);      locks; the instance is in the lane's state
//   turn->do_step(...)
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "fmi/instance.hpp"

namespace cosimo::fmi {

class SharedInstance;

/// A state inside the FMU that was saved. It keeps the instance alive.
class SavedState {
 public:
  explicit SavedState(std::shared_ptr<SharedInstance> of) : of_(std::move(of)) {}
  ~SavedState();
  SavedState(const SavedState&) = delete;
  SavedState& operator=(const SavedState&) = delete;

  RawState raw = nullptr;

 private:
  std::shared_ptr<SharedInstance> of_;
};

/// Whose state the instance may have.
class Tenant {
 public:
  virtual ~Tenant() = default;
  /// The instance is about to take on another state. Called with the lock held.
  virtual void move_out(Instance& instance) = 0;
  virtual void move_in(Instance& instance) = 0;
};

class SharedInstance {
 public:
  explicit SharedInstance(std::unique_ptr<Instance> instance) : instance_(std::move(instance)) {}
  /// A lane more, or one less, between steps. Nobody has to wait for a lane that is alone.
  void join() { ++lanes_; }
  void part() { --lanes_; }

 private:
  std::unique_lock<std::recursive_mutex> enter() {
    return lanes_ > 1 ? std::unique_lock(mutex_) : std::unique_lock<std::recursive_mutex>();
  }

  friend class Turn;
  friend class SavedState;
  std::recursive_mutex mutex_;  ///< saved states may go while it is held
  std::unique_ptr<Instance> instance_;
  Tenant* tenant_ = nullptr;
  std::atomic<int> lanes_{0};
};

class Turn {
 public:
  Turn(SharedInstance& shared, Tenant& tenant) : Turn(shared, tenant, true) {}
  /// For a tenant that is about to bring a state of its own.
  static Turn empty(SharedInstance& shared, Tenant& tenant) { return {shared, tenant, false}; }
  /// A tenant that leaves for good.
  static void leave(SharedInstance& shared, const Tenant& tenant);

  Instance* operator->() const { return shared_.instance_.get(); }
  Instance& operator*() const { return *shared_.instance_; }

 private:
  Turn(SharedInstance& shared, Tenant& tenant, bool furnished);

  std::unique_lock<std::recursive_mutex> lock_;
  SharedInstance& shared_;
};

}  // namespace cosimo::fmi
