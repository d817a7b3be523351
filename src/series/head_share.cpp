// What a head does because it may not be alone: variants that others have, and variants that run twice.
#include <algorithm>
#include <csignal>
#include <thread>

#include "series/head.hpp"

namespace cosimo::series {

namespace {

constexpr double look_s = 0.5;         ///< between two looks at what others have
constexpr double straggler_s = 3;      ///< shorter ones are waited for
constexpr double straggler_times = 3;  ///< so many times the longest that has ended

double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

}  // namespace

bool Head::all_ended() const {
  return tasks_.waiting() + tasks_.count(State::running) == 0;
}

void Head::put_back(const Job& job) {
  const auto same = [&](const Job& other) { return other.task == job.task; };
  std::size_t there = 0;
  for (const Slot& slot : slots_) there += static_cast<std::size_t>(std::ranges::count_if(slot.jobs, same));
  if (tasks_[job.task].state == State::running && there <= 1) tasks_.put_back(job.task);
}

/// The next one that nobody else has; none: all that waits is in other hands.
std::optional<std::size_t> Head::next_task() {
  while (tasks_.waiting() > 0) {
    const std::size_t task = tasks_.take();
    if (!folder_.shared()) return task;
    const std::string id = hex(tasks_[task].identity);
    if (ended_elsewhere(task)) continue;
    if (!folder_.take(id)) {
      elsewhere_.push_back({task, Clock::now()});
      continue;
    }
    journal_.refresh();  // whoever had it has said what became of it before it gave it back
    if (!ended_elsewhere(task)) return task;
    folder_.give_back(id);
  }
  return std::nullopt;
}

bool Head::ended_elsewhere(std::size_t task) {
  const std::uint64_t identity = tasks_[task].identity;
  if (!journal_.news(identity, measures_)) return false;
  const Record* record = journal_.find(identity, measures_);
  tasks_.end(task, record->done ? State::done : State::failed, record->done ? record->cpu_s : 0);
  return true;
}

/// All that has ended, wherever: the table is made of it.
void Head::hear_of_others() {
  if (!folder_.shared()) return;
  journal_.refresh();
  for (std::size_t task = 0; task < tasks_.size(); ++task)
    if (tasks_[task].state == State::running) ended_elsewhere(task);
  std::erase_if(elsewhere_, [&](const Elsewhere& e) { return tasks_[e.task].state != State::running; });
}

void Head::look_elsewhere() {
  if (!folder_.shared() || seconds_since(looked_) < look_s) return;
  looked_ = Clock::now();
  folder_.beat();
  hear_of_others();
  std::erase_if(elsewhere_, [&](const Elsewhere& e) {
    if (folder_.taken(hex(tasks_[e.task].identity))) return false;
    if (tasks_[e.task].state == State::running) tasks_.put_back(e.task);  // its holder is gone
    return true;
  });
  for (Slot& slot : slots_)
    if (slot.verdict == Verdict::none && !slot.jobs.empty() &&
        tasks_[slot.jobs.front().task].state != State::running)
      condemn(slot, Verdict::vain);
}

/// The answer comes too late: somebody else has given it. The first one counts.
bool Head::in_vain(Slot& slot) {
  const Job& job = slot.jobs.front();
  if (tasks_[job.task].state == State::running) return false;
  if (job.folder) SeriesFolder::drop_work(job.work);
  next_job(slot);
  return true;
}

/// The last ones run twice where there is somebody with nothing to do.
void Head::copy_straggler(Slot& slot) {
  const auto late = [&](Clock::time_point began) {
    return seconds_since(began) > std::max(straggler_s, straggler_times * longest_s_);
  };
  for (Elsewhere& e : elsewhere_) {
    if (e.copied || !late(e.since)) continue;
    e.copied = true;
    return give(slot, e.task, strategy_.threads, true);
  }
}

void Head::end_copies() {
  for (Slot& slot : slots_) {
    if (slot.jobs.empty()) continue;
    slot.child->kill(SIGKILL);
    while (!slot.child->ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    while (!slot.jobs.empty() && in_vain(slot)) {
    }
  }
  slots_.clear();
}

}  // namespace cosimo::series
