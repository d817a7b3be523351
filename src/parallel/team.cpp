#include "parallel/team.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <vector>

#include "core/check.hpp"
#include "core/flush_tiny.hpp"
#include "parallel/cores.hpp"
#include "parallel/gate.hpp"

namespace cosimo {

namespace {

/// How long a member waits for the next run before it sleeps.
constexpr std::chrono::microseconds stay_awake{200};
/// A wait of so many looks takes some fifty microseconds. Who comes sooner is not late.
constexpr int patience = 2000;
/// Who costs more than it brings among so many meetings is left out.
constexpr int observed = 64;
/// One delay of a few milliseconds is nothing to learn from.
constexpr int late_too_often = 3;
/// Less than that, in seconds, is no loss.
constexpr double least_loss = 100e-6;
/// One of them is tried again after 2^k runs. k grows when members are left out, and becomes less with every
/// so many meetings to which all come in time.
constexpr int longest_absence = 12;
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
    alignas(64) std::atomic<std::uint32_t> arrived{0};  ///< the meeting that it has come to
    int number = 0;                                     ///< in this run
    double late = 0;   ///< by how much now, in seconds; this and the next are the leader's
    double costs = 0;  ///< seconds that the others have waited, among the meetings observed
    int delays = 0;    ///< how often they have
    Stopwatch watch;
    std::thread thread;

    void forget() { costs = 0, delays = 0; }
  };

  void serve(Team& team, Worker& own);
  void meet(int number, int count);
  void wait_for_others(std::uint32_t meeting, std::size_t others);
  void wait_for_late(std::uint32_t meeting, std::size_t others);
  void blame(std::size_t others, double work);
  double limit_of_costs() const;
  void review();
  void take_back();
  void dismiss();

  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<Worker*> roster;  ///< those that take part first: member k + 1 is roster[k]

  // The run: written by the leader before the gates are opened, constant until it is over.
  alignas(64) Function function = nullptr;
  void* context = nullptr;
  int count = 1;
  bool timed = false;
  std::atomic<bool> stop{false};

  alignas(64) std::atomic<std::uint32_t> met{0};  ///< meetings so far; the leader counts them

  // The leader's alone.
  alignas(64) int present = 1;  ///< members that may take part
  int watched = 0;              ///< meetings observed
  double worked = 0;            ///< seconds between them
  Clock::time_point since;      ///< it has been working
  std::vector<double> lateness;
  int absence = 0;             ///< the next one lasts 2^absence runs
  std::int64_t return_in = 0;  ///< runs until one is tried again
  std::int64_t meetings = 0, left_out = 0;
  int largest = 1;        ///< run so far
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
  roster.clear();
  stop.store(false, std::memory_order_relaxed);
}

void Team::hire(int members, bool crowd) {
  COSIMO_CHECK(members >= 1, "members of a team");
  Impl& impl = *impl_;
  if (!crowd) members = std::min(members, available_cores());
  if (members == this->members()) return;
  impl.dismiss();
  impl.watched = impl.absence = 0;
  impl.worked = 0;
  impl.return_in = 0;
  const auto count = static_cast<std::size_t>(members - 1);
  impl.workers.reserve(count);
  impl.roster.reserve(count);
  impl.lateness.reserve(count + 1);
  for (std::size_t w = 0; w < count; ++w) {
    impl.workers.push_back(std::make_unique<Impl::Worker>());
    Impl::Worker& own = *impl.workers[w];
    try {
      own.thread = std::thread([this, &own] { impl_->serve(*this, own); });
    } catch (const std::system_error&) {  // what is computed does not depend on how many there are
      impl.workers.pop_back();
      break;
    }
    impl.roster.push_back(&own);
  }
  impl.present = this->members();
}

int Team::members() const {
  return static_cast<int>(impl_->workers.size()) + 1;
}

int Team::largest() const {
  return impl_->largest;
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

void Team::Impl::serve(Team& team, Worker& own) {
  const FlushTiny tiny;
  std::uint32_t seen = 0;
  for (;;) {
    seen = own.begin.pass(seen, stay_awake);
    if (stop.load(std::memory_order_relaxed)) return;
    if (timed) own.watch.start();
    Member member(team, own.number, count);
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
  impl.largest = std::max(impl.largest, count);
  impl.function = work;
  impl.context = context;
  impl.count = count;
  impl.timed = impl.runs++ % timed_every == 0;
  const auto others = static_cast<std::size_t>(count) - 1;
  for (std::size_t k = 0; k < others; ++k)
    if (const int number = static_cast<int>(k) + 1; impl.roster[k]->number != number)
      impl.roster[k]->number = number;
  Gate::open_all([&](auto open) {
    for (std::size_t k = 0; k < others; ++k) open(impl.roster[k]->begin);
  });
  if (impl.timed) impl.watch.start();
  impl.since = Clock::now();
  work(context, leader);
  leader.meet();
  impl.review();
}

void Team::Member::meet() {
  if (count_ < 2) return;
  Impl& impl = *team_.impl_;
  if (!impl.timed) return impl.meet(number_, count_);
  Stopwatch& watch = number_ == 0 ? impl.watch : impl.roster[static_cast<std::size_t>(number_ - 1)]->watch;
  watch.stop();
  impl.meet(number_, count_);
  watch.start();
}

/// Members report in places of their own, and the leader says when all have: nobody writes where another
/// does.
void Team::Impl::meet(int member, int present_now) {
  const std::uint32_t meeting = met.load(std::memory_order_acquire) + 1;
  if (member == 0) {
    ++meetings;
    ++watched;
    wait_for_others(meeting, static_cast<std::size_t>(present_now) - 1);
    met.store(meeting, std::memory_order_release);
    return;
  }
  roster[static_cast<std::size_t>(member - 1)]->arrived.store(meeting, std::memory_order_release);
  // Those who are left out of the next run may see it only when the others have met again.
  const auto ahead = [&] { return static_cast<std::int32_t>(meeting - met.load(std::memory_order_acquire)); };
  for (int look = 0; ahead() > 0; ++look) look < patience ? relax() : std::this_thread::yield();
}

void Team::Impl::wait_for_others(std::uint32_t meeting, std::size_t others) {
  const Clock::time_point now = Clock::now();
  const double work = std::chrono::duration<double>(now - since).count();
  worked += work;
  since = now;
  int look = 0;
  for (std::size_t k = 0; k < others; ++k)
    for (; roster[k]->arrived.load(std::memory_order_acquire) != meeting; ++look) {
      if (look == patience) {
        wait_for_late(meeting, others);
        blame(others, work);
        since = Clock::now();
        return;
      }
      relax();
    }
}

/// Notes how late each of them comes.
void Team::Impl::wait_for_late(std::uint32_t meeting, std::size_t others) {
  for (std::size_t k = 0; k < others; ++k)
    roster[k]->late = roster[k]->arrived.load(std::memory_order_acquire) == meeting ? 0 : -1;
  for (bool missing = true; missing;) {
    missing = false;
    std::this_thread::yield();
    for (std::size_t k = 0; k < others; ++k) {
      if (roster[k]->late >= 0) continue;
      if (roster[k]->arrived.load(std::memory_order_acquire) != meeting)
        missing = true;
      else
        roster[k]->late = std::chrono::duration<double>(Clock::now() - since).count();
    }
  }
}

/// Who took more than twice as long as the leader has lost its core and is to blame for all of the wait.
/// Otherwise shares just differ, and the leader may have the smallest: only what is beyond most others
/// counts.
void Team::Impl::blame(std::size_t others, double work) {
  lateness.assign(1, 0);
  for (std::size_t k = 0; k < others; ++k) lateness.push_back(roster[k]->late);
  const auto middle = lateness.begin() + static_cast<std::ptrdiff_t>(others / 2);
  std::nth_element(lateness.begin(), middle, lateness.end());
  for (std::size_t k = 0; k < others; ++k) {
    const double late = roster[k]->late;
    const double costs = late > work ? late : std::max(0.0, late - *middle);
    roster[k]->costs += costs;
    if (costs > 0) ++roster[k]->delays;
  }
}

/// Without one member the others have that much more to do, in all meetings to be observed.
double Team::Impl::limit_of_costs() const {
  const double all = watched > 0 ? worked * observed / watched : 0;
  return std::max(least_loss, all / std::max(1, present - 1));
}

/// One that was left out takes part again.
void Team::Impl::take_back() {
  ++present;
  if (present < static_cast<int>(workers.size()) + 1) return_in = std::int64_t{1} << absence;
}

/// Between two runs: who goes on?
void Team::Impl::review() {
  const auto first = roster.begin(), last = first + (present - 1);
  const auto stays = [limit = limit_of_costs()](const Worker* worker) {
    return worker->delays < late_too_often || worker->costs <= limit;
  };
  const auto gone = std::partition(first, last, stays);
  if (gone != last) {
    left_out += last - gone;
    present = static_cast<int>(gone - first) + 1;
    absence = std::min(absence + 1, longest_absence);
    return_in = std::int64_t{1} << absence;
    for (auto worker = gone; worker != last; ++worker) (*worker)->forget();
  }
  if (watched < observed) return;
  const auto punctual = [](const Worker* worker) { return worker->costs == 0; };
  if (gone == last && absence > 0 && std::all_of(first, last, punctual)) {
    --absence;
    if (return_in > 0) return_in = std::min(return_in, std::int64_t{1} << absence);
  }
  watched = 0;
  worked = 0;
  for (Worker* const worker : roster) worker->forget();
}

}  // namespace cosimo
