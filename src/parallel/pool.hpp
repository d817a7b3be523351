// A persistent pool of threads for the macro step: run a batch of independent tasks,
// return when all are done. Tasks are claimed longest first by their measured cost, so
// more tasks than threads are no harm. Which thread runs which task never changes what
// is computed. Waiting spins briefly (macro steps are short), then parks.
//
// Every thread has a list of tasks that it keeps from batch to batch (their data stay in
// its cache) and helps the others when its own list is done. The lists are made anew when
// the costs have drifted. A thread that wakes late holds nobody up: its list is worked off
// by the rest.
//
//   Pool pool(4);
//   auto task = [&](std::size_t i) { lanes[i].advance(window); };
//   pool.run(lanes.size(), task);       // again and again
//   pool.seconds()[i], pool.overhead()  // what the last batch cost
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace cosimo {

class Pool {
 public:
  explicit Pool(int threads);  ///< including the calling one; 1 runs everything in the caller
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const;

  /// Call task(i) for i in [0, count), each exactly once, on any thread; returns when all are done.
  /// All tasks run even if some throw; the exception of the lowest i is then rethrown here. Allocates
  /// nothing once `count` has been seen before (of the last eight different ones). The task's cost of the
  /// last calls decides the order (key i stays task i between calls of one count).
  /// `task` must stay callable during the call. Only one run() at a time, never from within a task.
  /// Batches of different `kind` keep their costs apart even when they are equally many.
  template <class F>
  void run(std::size_t count, F& task, int kind = 0) {
    run_tasks(
        count, kind, [](void* context, std::size_t i) { (*static_cast<F*>(context))(i); }, &task);
  }

  /// Inside a task: the number of the thread that runs it; the caller of run() is 0.
  static int this_thread();

  /// Seconds task i took in the last run().
  std::span<const double> seconds() const;
  /// Seconds each thread worked in the last run(); `per_thread` has threads() entries.
  void busy(std::span<double> per_thread) const;
  /// Seconds of the last run() that were neither work nor waiting for the longest task: hand-over cost.
  /// The duration of run() less the work of the busiest thread.
  double overhead() const;
  /// Seconds of all runs so far, and what each thread worked in them.
  double total_seconds() const;
  std::span<const double> total_busy() const;

 private:
  using Function = void (*)(void*, std::size_t);
  void run_tasks(std::size_t count, int kind, Function function, void* context);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
