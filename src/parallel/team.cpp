#include "parallel/team.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <system_error>
#include <thread>
#include <vector>

#include "core/check.hpp"
#include "core/flush_tiny.hpp"
#include "parallel/gate.hpp"

namespace cosimo {

namespace {

/// How long a member waits for the next run before it sleeps.
constexpr std::chrono::microseconds stay_awake{200};
/// A wait of so many looks takes some fifty microseconds, far longer than any honest difference between
/// shares.
constexpr int patience = 2000;
/// Who is late so often among so many meetings is left out.
constexpr int late_too_often = 3;
constexpr int observed = 64;
/// It is tried again after 2^k runs, k growing with every time it was left out.
constexpr int longest_absence = 14;
/// One run of so many is looked at with a clock.
constexpr int timed_every = 16;

using Clock = std::chrono::steady_clock;

struct Stopwatch {
  Clock::time_point since;
  double worked = 0;
  void start() { since = Clock::now(); }
  void stop() { worked += std::chrono::duration<double>(Clock::now() - since).count(); }
};

}  // namespace

struct Team::Impl {
  struct alignas(64) Worker {
    Gate begin;
    std::atomic<std::uint32_t> arrivals{0};  ///< meetings of this run that it has come to
    Stopwatch watch;
    std::thread thread;
  };

  void serve(Team& team, std::size_t worker);
  void meet(int number, int count);
  void wait(std::uint32_t seen, int number, int count);
  void review();
  void take_back();
  void dismiss();

  // The run: written by the leader before the gates are opened, constant until it is over.
  Function function = nullptr;
  void* context = nullptr;
  int count = 1;
  bool timed = false;

  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::size_t> roster;  ///< workers, those that take part first: member k + 1 is roster[k]
  std::vector<std::size_t> number;  ///< of every worker in this run
  alignas(64) std::atomic<int> arrived{0};
  alignas(64) std::atomic<std::uint32_t> met{0};
  alignas(64) std::atomic<bool> stop{false};

  // The leader's alone.
  int present = 1;             ///< members that may take part
  std::uint32_t arrivals = 0;  ///< its own in this run
  std::vector<int> late;       ///< per worker, among the meetings observed
  int watched = 0;             ///< of them
  int absence = 0;             ///< the next one lasts 2^absence runs
  std::int64_t return_in = 0;  ///< runs until one is tried again
  std::int64_t meetings = 0, left_out = 0;
  std::int64_t runs = 0;  ///< on several members
  Stopwatch watch;        ///< its own
};

Team::Team() : impl_(std::make_unique<Impl>()) {}

Team::~Team() {
  impl_->dismiss();
}

void Team::Impl::dismiss() {
  stop.store(true, std::memory_order_relaxed);
  for (const auto& worker : workers) worker->begin.open();
  for (const auto& worker : workers) worker->thread.join();
  workers.clear();
  stop.store(false, std::memory_order_relaxed);
}

void Team::hire(int members) {
  COSIMO_CHECK(members >= 1, "members of a team");
  Impl& impl = *impl_;
  if (members == this->members()) return;
  impl.dismiss();
  const auto count = static_cast<std::size_t>(members - 1);
  impl.roster.resize(count);
  std::iota(impl.roster.begin(), impl.roster.end(), std::size_t{0});
  impl.number.assign(count, 0);
  impl.late.assign(count, 0);
  impl.present = members;
  impl.watched = impl.absence = 0;
  impl.return_in = 0;
  impl.met.store(0, std::memory_order_relaxed);
  impl.workers.reserve(count);
  for (std::size_t w = 0; w < count; ++w) {
    impl.workers.push_back(std::make_unique<Impl::Worker>());
    try {
      impl.workers[w]->thread = std::thread([this, w] { impl_->serve(*this, w); });
    } catch (const std::system_error&) {  // what is computed does not depend on how many there are
      impl.workers.pop_back();
      impl.roster.resize(w);
      impl.present = static_cast<int>(w) + 1;
      break;
    }
  }
}

int Team::members() const {
  return static_cast<int>(impl_->workers.size()) + 1;
}

std::int64_t Team::meetings() const {
  return impl_->meetings;
}

std::int64_t Team::left_out() const {
  return impl_->left_out;
}

std::vector<double> Team::worked() const {
  std::vector<double> seconds{timed_every * impl_->watch.worked};
  for (const auto& worker : impl_->workers) seconds.push_back(timed_every * worker->watch.worked);
  return seconds;
}

void Team::Impl::serve(Team& team, std::size_t worker) {
  const FlushTiny tiny;
  std::uint32_t seen = 0;
  for (;;) {
    seen = workers[worker]->begin.pass(seen, stay_awake);
    if (stop.load(std::memory_order_relaxed)) return;
    if (timed) workers[worker]->watch.start();
    Member member(team, static_cast<int>(number[worker]), count);
    function(context, member);
    member.meet();
  }
}

void Team::run_on(int wanted, Function work, void* context) {
  Impl& impl = *impl_;
  const int count = std::clamp(wanted, 1, impl.present);
  if (impl.return_in > 0 && --impl.return_in == 0) impl.take_back();  // in the next run
  Member leader(*this, 0, count);
  if (count == 1) {
    work(context, leader);
    return;
  }
  impl.function = work;
  impl.context = context;
  impl.count = count;
  impl.timed = impl.runs++ % timed_every == 0;
  impl.arrivals = 0;
  const std::size_t others = static_cast<std::size_t>(count) - 1;
  for (std::size_t k = 0; k < others; ++k) {
    impl.number[impl.roster[k]] = k + 1;
    impl.workers[impl.roster[k]]->arrivals.store(0, std::memory_order_relaxed);
  }
  for (std::size_t k = 0; k < others; ++k) impl.workers[impl.roster[k]]->begin.open();
  if (impl.timed) impl.watch.start();
  work(context, leader);
  leader.meet();
  impl.review();
}

void Team::Member::meet() {
  if (count_ < 2) return;
  Impl& impl = *team_.impl_;
  if (!impl.timed) return impl.meet(number_, count_);
  Stopwatch& watch =
      number_ == 0 ? impl.watch : impl.workers[impl.roster[static_cast<std::size_t>(number_ - 1)]]->watch;
  watch.stop();
  impl.meet(number_, count_);
  watch.start();
}

void Team::Impl::meet(int member, int present_now) {
  const std::uint32_t seen = met.load(std::memory_order_acquire);
  if (member == 0) {
    ++meetings;
    ++watched;
    ++arrivals;
  } else {
    workers[roster[static_cast<std::size_t>(member - 1)]]->arrivals.fetch_add(1, std::memory_order_relaxed);
  }
  if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == present_now) {
    arrived.store(0, std::memory_order_relaxed);
    met.store(seen + 1, std::memory_order_release);
    return;
  }
  wait(seen, member, present_now);
}

void Team::Impl::wait(std::uint32_t seen, int member, int present_now) {
  for (int look = 0; look < patience; ++look) {
    if (met.load(std::memory_order_acquire) != seen) return;
    relax();
  }
  // Somebody's core is busy with something else.
  if (member == 0)
    for (std::size_t k = 0; k + 1 < static_cast<std::size_t>(present_now); ++k)
      if (workers[roster[k]]->arrivals.load(std::memory_order_relaxed) < arrivals) ++late[roster[k]];
  while (met.load(std::memory_order_acquire) == seen) std::this_thread::yield();
}

/// One that was left out takes part again.
void Team::Impl::take_back() {
  ++present;
  if (present <= static_cast<int>(workers.size())) return_in = std::int64_t{1} << absence;
}

/// Between two runs: who goes on?
void Team::Impl::review() {
  if (watched < observed) return;
  watched = 0;
  for (std::size_t k = 0; k + 1 < static_cast<std::size_t>(present); ++k) {
    if (late[roster[k]] < late_too_often) continue;
    --present;
    ++left_out;
    absence = std::min(absence + 1, longest_absence);
    return_in = std::int64_t{1} << absence;
    std::rotate(roster.begin() + static_cast<std::ptrdiff_t>(k),
                roster.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                roster.begin() + static_cast<std::ptrdiff_t>(present));
    break;
  }
  std::fill(late.begin(), late.end(), 0);
}

}  // namespace cosimo
