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
/// A wait of so many looks takes some fifty microseconds, far longer than any honest difference between
/// shares.
constexpr int patience = 2000;
/// Who is late so often among so many meetings is left out.
constexpr int late_too_often = 3;
constexpr int observed = 64;
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
    int late = 0;                                       ///< among the meetings observed; the leader's
    Stopwatch watch;
    std::thread thread;
  };

  void serve(Team& team, Worker& own);
  void meet(int number, int count);
  void wait_for_others(std::uint32_t meeting, std::size_t others);
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
  int absence = 0;              ///< the next one lasts 2^absence runs
  std::int64_t return_in = 0;   ///< runs until one is tried again
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
  impl.return_in = 0;
  const auto count = static_cast<std::size_t>(members - 1);
  impl.workers.reserve(count);
  impl.roster.reserve(count);
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
  int look = 0;
  const auto there = [&](std::size_t k) {
    return roster[k]->arrived.load(std::memory_order_acquire) == meeting;
  };
  for (std::size_t k = 0; k < others; ++k)
    for (; !there(k); ++look) {
      if (look == patience)  // somebody's core is busy with something else
        for (std::size_t j = k; j < others; ++j)
          if (!there(j)) ++roster[j]->late;
      look < patience ? relax() : std::this_thread::yield();
    }
}

/// One that was left out takes part again.
void Team::Impl::take_back() {
  ++present;
  if (present < static_cast<int>(workers.size()) + 1) return_in = std::int64_t{1} << absence;
}

/// Between two runs: who goes on?
void Team::Impl::review() {
  const auto first = roster.begin(), last = first + (present - 1);
  const auto stays = [](const Worker* worker) { return worker->late < late_too_often; };
  const auto gone = std::partition(first, last, stays);
  if (gone != last) {
    left_out += last - gone;
    present = static_cast<int>(gone - first) + 1;
    absence = std::min(absence + 1, longest_absence);
    return_in = std::int64_t{1} << absence;
    for (auto worker = gone; worker != last; ++worker) (*worker)->late = 0;
  }
  if (watched < observed) return;
  const auto punctual = [](const Worker* worker) { return worker->late == 0; };
  if (gone == last && absence > 0 && std::all_of(first, last, punctual)) {
    --absence;
    if (return_in > 0) return_in = std::min(return_in, std::int64_t{1} << absence);
  }
  watched = 0;
  for (Worker* const worker : roster) worker->late = 0;
}

}  // namespace cosimo
