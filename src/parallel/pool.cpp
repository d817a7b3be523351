#include "parallel/pool.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/flush_tiny.hpp"
#include "parallel/gate.hpp"
#include "parallel/plan.hpp"

namespace cosimo {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point start, Clock::time_point stop) {
  return std::chrono::duration<double>(stop - start).count();
}

/// Long enough to bridge the serial part of a short macro step, short against a time slice. On a machine
/// with fewer cores than threads, spinning only keeps the one waited for from running.
std::chrono::nanoseconds spin_time(int threads) {
  const bool crowded = static_cast<unsigned>(threads) > std::thread::hardware_concurrency();
  return crowded ? std::chrono::microseconds(1) : std::chrono::microseconds(40);
}

thread_local int thread_number = 0;

/// Tasks shorter than this on average (seconds) are timed in one batch of `timed_every` only.
constexpr double brief_task = 1e-6;
constexpr std::uint64_t timed_every = 8;

/// What is remembered of batches of one size.
struct Profile {
  std::size_t count = 0;
  int kind = 0;
  std::uint64_t last_used = 0;
  Plan plan;
  std::vector<double> seconds;  ///< per task
  bool brief = false;           ///< tasks so short that looking at the clock after each would cost as much
  std::vector<double> timed;    ///< the same by place in the plan: each thread writes its own cache lines
};

/// The tasks of one thread's list that nobody has claimed yet, and what that thread did in a batch.
struct alignas(64) Lane {
  std::atomic<std::uint32_t> unclaimed{0};
  alignas(64) std::uint64_t batch = 0;
  double busy = 0;
};

}  // namespace

// A claim is the decrement of a lane's counter: it succeeds only while the batch is alive, and as long as
// a claimed task is not reported in done_, run_tasks() cannot return and no new batch can be published.
// Hence everything a claimer reads after its claim belongs to the batch of the claim, however late the
// thread comes and whichever batch it was woken for.
struct Pool::Impl {
  explicit Impl(int threads)
      : lanes(static_cast<std::size_t>(threads)), total_busy(lanes.size()), spin(spin_time(threads)) {
    workers.reserve(lanes.size() - 1);
    try {
      for (std::size_t k = 1; k < lanes.size(); ++k) workers.emplace_back([this, k] { serve(k); });
    } catch (...) {  // the system has no more threads to give
      dismiss();
      throw;
    }
  }
  ~Impl() { dismiss(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  /// Refuses a run() within a run().
  struct Running {
    explicit Running(Impl& impl) : flag(impl.running) {
      COSIMO_CHECK(!flag.exchange(true, std::memory_order_relaxed),
                   "run() from within a task of the same pool");
      outer = std::exchange(thread_number, 0);
    }
    ~Running() {
      thread_number = outer;
      flag.store(false, std::memory_order_relaxed);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    std::atomic<bool>& flag;
    int outer = 0;  ///< a task of one pool may run another pool
  };

  Profile& profile_for(std::size_t count, int kind);
  void dismiss();
  void run_inline();
  void run_shared();
  void serve(std::size_t self);
  bool work(std::size_t self);
  void execute(std::size_t task);
  void collect_times();
  double busiest() const;

  // The batch: written by run_tasks() before it is published, constant until it is done.
  Function function = nullptr;
  void* context = nullptr;
  Profile* profile = nullptr;
  bool timing = true;  ///< every task is timed; otherwise its last time stands
  std::uint64_t batch = 0;

  std::vector<Lane> lanes;  ///< lane 0 belongs to the caller of run()
  Gate begin, end;
  alignas(64) std::atomic<std::uint32_t> done{0};
  std::atomic<bool> stop{false};
  std::atomic<bool> running{false};

  std::mutex error_mutex;
  std::exception_ptr error;
  std::size_t error_task = 0;

  std::array<Profile, 8> profiles;
  double overhead = 0;
  double total_seconds = 0;
  std::vector<double> total_busy;  ///< per thread
  std::chrono::nanoseconds spin;
  std::vector<std::thread> workers;
};

void Pool::Impl::dismiss() {
  stop.store(true, std::memory_order_relaxed);
  begin.open();
  for (std::thread& worker : workers) worker.join();
}

Profile& Pool::Impl::profile_for(std::size_t count, int kind) {
  for (Profile& p : profiles)
    if (p.last_used > 0 && p.count == count && p.kind == kind) return p;
  Profile& oldest =
      *std::min_element(profiles.begin(), profiles.end(),
                        [](const Profile& a, const Profile& b) { return a.last_used < b.last_used; });
  oldest.count = count;
  oldest.kind = kind;
  oldest.brief = false;
  oldest.plan = Plan(count, lanes.size());
  oldest.seconds.assign(count, 0.0);
  oldest.timed.assign(count, 0.0);
  return oldest;
}

/// Runs the task and keeps its exception.
void Pool::Impl::execute(std::size_t task) {
  try {
    function(context, task);
  } catch (...) {
    const std::lock_guard lock(error_mutex);
    if (!error || task < error_task) {
      error = std::current_exception();
      error_task = task;
    }
  }
}

void Pool::Impl::run_inline() {
  const auto start = Clock::now();
  auto mark = start;
  for (std::size_t i = 0; i < profile->count; ++i) {
    execute(i);
    const auto now = Clock::now();
    profile->seconds[i] = seconds_between(mark, now);
    mark = now;
  }
  lanes[0].batch = batch;
  lanes[0].busy = seconds_between(start, mark);
}

void Pool::Impl::run_shared() {
  timing = !profile->brief || batch % timed_every == 0;
  const std::uint32_t before = end.value();
  done.store(0, std::memory_order_relaxed);
  for (std::size_t k = 0; k < lanes.size(); ++k)
    lanes[k].unclaimed.store(static_cast<std::uint32_t>(profile->plan.list(k).size()),
                             std::memory_order_release);
  begin.open();
  if (!work(0)) end.pass(before, spin);
  collect_times();
}

void Pool::Impl::collect_times() {
  if (!timing) return;
  Profile& p = *profile;
  double total = 0;
  for (std::size_t place = 0; place < p.count; ++place)
    total += p.seconds[p.plan.task(place)] = p.timed[place];
  p.brief = total < brief_task * static_cast<double>(p.count);
  p.plan.learn(p.seconds);
}

/// Works off the own list, then those of the others. True if this finished the batch.
bool Pool::Impl::work(std::size_t self) {
  std::uint32_t tasks = 0;
  const auto start = Clock::now();
  auto mark = start;  // one look at the clock per task: the few nanoseconds of a claim count as its work
  for (std::size_t n = 0, k = self; n < lanes.size(); ++n, k = k + 1 == lanes.size() ? 0 : k + 1) {
    std::atomic<std::uint32_t>& unclaimed = lanes[k].unclaimed;
    for (std::uint32_t left = unclaimed.load(std::memory_order_relaxed); left > 0;) {
      if (!unclaimed.compare_exchange_weak(left, left - 1, std::memory_order_acquire,
                                           std::memory_order_relaxed))
        continue;
      const std::size_t place = profile->plan.first(k) + left - 1;
      execute(profile->plan.task(place));
      ++tasks;
      if (timing) {
        const auto now = Clock::now();
        profile->timed[place] = seconds_between(mark, now);
        mark = now;
      }
      left = unclaimed.load(std::memory_order_relaxed);
    }
  }
  if (tasks == 0) return false;
  // Still inside the batch: it cannot end before these tasks are reported.
  lanes[self].batch = batch;
  lanes[self].busy = seconds_between(start, timing ? mark : Clock::now());
  const auto count = static_cast<std::uint32_t>(profile->count);
  return done.fetch_add(tasks, std::memory_order_acq_rel) + tasks == count;
}

void Pool::Impl::serve(std::size_t self) {
  thread_number = static_cast<int>(self);
  const FlushTiny tiny;
  std::uint32_t seen = 0;
  for (;;) {
    seen = begin.pass(seen, spin);
    if (stop.load(std::memory_order_relaxed)) return;
    if (work(self)) end.open();
  }
}

double Pool::Impl::busiest() const {
  double busy = 0;
  for (const Lane& lane : lanes)
    if (lane.batch == batch) busy = std::max(busy, lane.busy);
  return busy;
}

Pool::Pool(int threads) {
  COSIMO_CHECK(threads >= 1, "a pool of " + std::to_string(threads) + " threads");
  impl_ = std::make_unique<Impl>(threads);
}

Pool::~Pool() = default;

int Pool::this_thread() {
  return thread_number;
}

int Pool::threads() const {
  return static_cast<int>(impl_->lanes.size());
}

void Pool::run_tasks(std::size_t count, int kind, Function function, void* context) {
  Impl& p = *impl_;
  const auto start = Clock::now();
  const Impl::Running running(p);
  p.profile = &p.profile_for(count, kind);
  p.profile->last_used = ++p.batch;
  p.function = function;
  p.context = context;
  if (p.lanes.size() == 1 || count <= 1) {
    p.run_inline();
  } else {
    p.run_shared();
  }
  const double seconds = seconds_between(start, Clock::now());
  p.overhead = std::max(0.0, seconds - p.busiest());
  p.total_seconds += seconds;
  for (std::size_t k = 0; k < p.lanes.size(); ++k)
    if (p.lanes[k].batch == p.batch) p.total_busy[k] += p.lanes[k].busy;
  if (p.error) std::rethrow_exception(std::exchange(p.error, nullptr));
}

std::span<const double> Pool::seconds() const {
  return impl_->profile == nullptr ? std::span<const double>()
                                   : std::span<const double>(impl_->profile->seconds);
}

void Pool::busy(std::span<double> per_thread) const {
  for (std::size_t k = 0; k < per_thread.size(); ++k)
    per_thread[k] = impl_->lanes[k].batch == impl_->batch ? impl_->lanes[k].busy : 0.0;
}

double Pool::overhead() const {
  return impl_->overhead;
}

double Pool::total_seconds() const {
  return impl_->total_seconds;
}

std::span<const double> Pool::total_busy() const {
  return impl_->total_busy;
}

}  // namespace cosimo
