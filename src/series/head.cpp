#include "series/head.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include "core/counted.hpp"
#include "core/digest.hpp"
#include "core/error.hpp"
#include "parallel/cores.hpp"
#include "series/machine.hpp"
#include "series/worker.hpp"

namespace cosimo::series {

namespace {

constexpr double long_s = 120;       ///< expected runs beyond write checkpoints
constexpr double checkpoint_s = 60;  ///< that often
constexpr double short_s = 0.2;      ///< shorter ones are sent ahead, so that no worker waits for the head
constexpr double silence_s = 20;     ///< a worker that says nothing for so long is stopped or hung
constexpr int most_crashes = 2, most_kills = 3;
constexpr std::size_t most_stillborn = 3;
constexpr double least_memory = 0.02;  ///< of a machine, for everybody else

double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

std::uint64_t digest_of(const std::vector<MeasureText>& measures) {
  Digest digest;
  for (const MeasureText& measure : measures) digest.add(measure.name + "=" + measure.text + "\n");
  return digest.value();
}

}  // namespace

Head::Head(Work work, SeriesFolder& folder, const SeriesOptions& options)
    : work_(std::move(work)),
      folder_(folder),
      options_(options),
      journal_(folder.path() / "journal"),
      setup_(setup_frame(work_.plan, work_.source, work_.program_digest)),
      measures_(digest_of(work_.plan.measures)),
      tasks_(work_.plan, work_.identities, [this](Task& task) { return known(task); }),
      cores_(static_cast<std::size_t>(available_cores())),
      begin_(Clock::now()) {}

/// What the folder says of a task.
State Head::known(Task& task) {
  const Record* record = journal_.find(task.identity, measures_);
  const std::string id = hex(task.identity);
  const bool there = folder_.has_run(id);
  if (record != nullptr && !record->done)
    return options_.retry_failed || !record->lasting ? State::waiting : State::failed;
  if (record != nullptr && (work_.plan.keep != Keep::results || there)) return State::done;
  task.measure_only = record == nullptr && there && work_.plan.keep != Keep::measures;
  if (task.measure_only) {
    std::error_code code;
    task.measure_only =
        std::filesystem::exists(folder_.path() / SeriesFolder::run_name(id) / "results.h5", code);
  }
  return State::waiting;
}

SeriesReport Head::run() {
  if (tasks_.waiting() > 0) {
    if (!work_.probe)
      work_.probe = probe(work_.plan, setup_, work_.program, folder_.lock(), options_.interrupt);
    if (work_.probe) variant_mb_ = work_.probe->memory_mb;
    if (work_.probe) useful_threads_ = work_.probe->useful_threads;
    plan_strategy();
  }
  next_table_ = Clock::now();
  if (tasks_.waiting() > 0) show(false);
  const auto at_work = [this] { return reason_.empty() ? !all_ended() : busy() > 0; };
  while (at_work()) {
    if (options_.interrupt != nullptr && *options_.interrupt && !interrupted_) interrupt();
    if (!stopping_) fill();
    if (busy() == 0 && slots_.empty() && elsewhere_.empty()) break;
    wait();
    watch();
    look_elsewhere();
    journal_.sync();
    show(false);
  }
  for (Slot& slot : slots_) slot.child->close_input();
  end_copies();
  journal_.sync(true);
  return finish();
}

void Head::plan_strategy() {
  double used = 0;
  for (const Slot& slot : slots_) used += slot.rss_mb;
  strategy_ = choose_strategy({.variants = tasks_.waiting() + busy(),
                               .cores = cores_,
                               .useful_threads = useful_threads_,
                               .memory_mb = available_memory_mb() + used,
                               .variant_mb = variant_mb_});
  if (options_.workers > 0) strategy_ = {static_cast<std::size_t>(options_.workers), 1};
  strategy_.workers -= std::min(fewer_, strategy_.workers - 1);
  if (options_.threads > 0) {
    strategy_.threads = static_cast<std::size_t>(options_.threads);
    const std::size_t fit = std::max<std::size_t>(cores_ / strategy_.threads, 1);
    if (options_.workers == 0) strategy_.workers = std::min(strategy_.workers, fit);
  } else if (options_.workers > 0)
    strategy_.threads = std::clamp<std::size_t>(cores_ / strategy_.workers, 1, useful_threads_);
}

std::size_t Head::busy() const {
  std::size_t jobs = 0;
  for (const Slot& slot : slots_) jobs += slot.jobs.size();
  return jobs;
}

std::size_t Head::busy_threads() const {
  std::size_t threads = 0;
  for (const Slot& slot : slots_)
    if (!slot.jobs.empty()) threads += slot.jobs.front().threads;
  return threads;
}

void Head::start_workers() {
  std::size_t there = 0;
  for (const Slot& slot : slots_) there += slot.leaving ? 0 : 1;
  const std::size_t wanted = std::min(strategy_.workers, busy() + tasks_.waiting() + elsewhere_.size());
  for (; there < wanted; ++there) {
    Slot& slot = slots_.emplace_back();
    slot.child = std::make_unique<Child>(work_.program, folder_.lock());
    slot.heard = Clock::now();
    slot.child->send(setup_);
  }
  for (Slot& slot : slots_) {  // more than memory allows
    if (there <= wanted) break;
    if (!slot.jobs.empty() || slot.leaving) continue;
    slot.leaving = true;
    slot.child->close_input();
    --there;
  }
}

void Head::fill() {
  if (tasks_.waiting() == 0 && elsewhere_.empty()) return;
  start_workers();
  for (Slot& slot : slots_) {
    if (!slot.ready || slot.leaving || slot.verdict != Verdict::none ||
        (tasks_.waiting() == 0 && elsewhere_.empty()))
      continue;
    if (slot.jobs.empty() && tasks_.waiting() == 0) {
      copy_straggler(slot);
    } else if (slot.jobs.empty()) {
      const std::size_t threads = options_.threads > 0
                                      ? strategy_.threads
                                      : threads_now(strategy_, cores_, tasks_.waiting() - 1, busy_threads());
      give(slot, std::clamp<std::size_t>(threads, 1, std::max(useful_threads_, strategy_.threads)));
      if (slot.jobs.empty()) break;  // others have all that is left
    } else if (slot.jobs.size() < 2 && ran_ > 0 && wall_sum_ < short_s * static_cast<double>(ran_) &&
               tasks_.waiting() > strategy_.workers) {
      give(slot, strategy_.threads);
    }
  }
}

void Head::give(Slot& slot, std::size_t threads) {
  if (const std::optional<std::size_t> task = next_task()) give(slot, *task, threads, false);
}

void Head::give(Slot& slot, std::size_t number, std::size_t threads, bool copy) {
  const Task& task = tasks_[number];
  const std::string id = hex(task.identity);
  Job job{.task = number, .threads = threads, .work = folder_.work(id, copy)};
  Json head{{"is", "run"},
            {"job", number},
            {"id", task.identity},
            {"set", work_.plan.settings(task.variant)},
            {"threads", threads}};
  if (task.measure_only) {
    head["is"] = "measure";
    head["folder"] = (folder_.path() / SeriesFolder::run_name(id)).string();
  } else {
    const bool lengthy = task.expected_s > long_s;
    const bool begun = !copy && folder_.inherit(id);
    job.folder = work_.plan.keep != Keep::measures || work_.checkpoints || lengthy || begun;
    if (job.folder) {
      head["folder"] = job.work.string();
      head["resume"] = true;
      if (lengthy && !work_.checkpoints) head["checkpoint_s"] = checkpoint_s;
    }
  }
  job.began = Clock::now();
  slot.jobs.push_back(job);
  if (!slot.child->send({std::move(head)})) slot.child->kill(SIGKILL);  // its end is heard of
}

void Head::wait() {
  std::vector<pollfd> ends;
  for (const Slot& slot : slots_) {
    ends.push_back({slot.child->output(), POLLIN, 0});
    ends.push_back({slot.child->errors(), POLLIN, 0});
  }
  if (::poll(ends.data(), ends.size(), 50) <= 0) return;
  std::size_t i = 0;
  for (auto slot = slots_.begin(); slot != slots_.end(); i += 2) {
    const bool open = ends[i].revents == 0 || hear(*slot);
    if (ends[i + 1].revents != 0) slot->child->read_errors();
    if (open) {
      ++slot;
      continue;
    }
    slot->child->kill(SIGKILL);  // a process without an output is of no use
    std::optional<Ending> ending;
    while (!(ending = slot->child->ended())) ::poll(nullptr, 0, 1);
    slot->child->read_errors();
    bury(*slot, *ending);
    slot = slots_.erase(slot);
  }
}

bool Head::hear(Slot& slot) {
  const bool open = slot.child->receive();
  while (auto frame = slot.child->frames().next()) {
    slot.heard = Clock::now();
    take(slot, std::move(*frame));
  }
  return open && !slot.child->frames().damaged();
}

void Head::take(Slot& slot, Frame frame) {
  const std::string is = frame.head.value("is", "");
  if (is == "ready") {
    if (frame.head.value("protocol", 0) != protocol_version || frame.head.value("version", "") != version())
      return stop("a worker is of another version of the program: " + frame.head.value("version", ""));
    slot.ready = true;
    stillborn_ = 0;
    slot.machine = frame.head.value("machine", "");
    slot.cpu = frame.head.value("cpu", "");
  }
  if (slot.jobs.empty()) return;
  if (frame.head.value("job", std::int64_t{-1}) != static_cast<std::int64_t>(slot.jobs.front().task)) return;
  if (is == "began") {
    slot.jobs.front().began = Clock::now();
  } else if (is == "alive") {
    slot.jobs.front().share = frame.head.value("share", 0.0);
  } else if (is == "done") {
    done(slot, frame);
  } else if (is == "interrupted") {
    put_back(slot.jobs.front());
    next_job(slot);
  } else if (is == "failed") {
    const std::string fault = frame.head.value("fault", ""), message = frame.head.value("message", "");
    Task& task = tasks_[slot.jobs.front().task];
    if (task.measure_only && fault == "bad input") {  // what was kept of it is damaged: it runs again
      task.measure_only = false;
      put_back(slot.jobs.front());
      return next_job(slot);
    }
    if (fault != "disk" && fault != "changed") return failed(slot, fault, message);
    put_back(slot.jobs.front());
    next_job(slot);
    stop(fault == "changed" ? "a file that the scenario names has changed since the series began" : message);
  }
}

/// The one under way has ended; one that was sent ahead begins now.
void Head::next_job(Slot& slot) {
  slot.jobs.pop_front();
  if (!slot.jobs.empty()) slot.jobs.front().began = Clock::now();
}

void Head::done(Slot& slot, Frame& frame) {
  if (in_vain(slot)) return;
  const Json& head = frame.head;
  Record record{.done = true, .message = head.value("remark", "")};
  record.lengths = head.at("lengths").get<std::vector<std::int64_t>>();
  record.numbers = std::move(frame.numbers);
  record.wall_s = head.value("wall_s", 0.0);
  record.cpu_s = head.value("cpu_s", 0.0);
  record.memory_mb = head.value("memory_mb", 0.0);
  record.threads = head.value("threads", 1.0);
  const Job job = slot.jobs.front();
  const double cost = record.cpu_s;
  if (record.memory_mb > variant_mb_) {
    const bool much = record.memory_mb > 1.1 * variant_mb_;
    variant_mb_ = record.memory_mb;
    if (much) plan_strategy();
  }
  wall_sum_ += record.wall_s;
  longest_s_ = std::max(longest_s_, record.wall_s);
  ++ran_;
  this->record(slot, job, std::move(record));
  next_job(slot);
  tasks_.end(job.task, State::done, cost);
}

void Head::failed(Slot& slot, const std::string& fault, const std::string& message, bool lasting) {
  if (in_vain(slot)) return;
  const Job job = slot.jobs.front();
  Record record{.done = false, .fault = fault, .message = message, .lasting = lasting};
  record.wall_s = seconds_since(job.began);
  record.threads = static_cast<double>(job.threads);
  slot.child->read_errors();
  const auto number = static_cast<std::int64_t>(job.task);
  record.log = folder_.write_log(hex(tasks_[job.task].identity), slot.child->log_of(number));
  ++ran_;
  this->record(slot, job, std::move(record));
  next_job(slot);
  tasks_.end(job.task, State::failed);
}

/// The folder of the run first: a record that says it is there is then true.
void Head::record(Slot& slot, const Job& job, Record record) {
  const Task& task = tasks_[job.task];
  const std::string id = hex(task.identity);
  const bool keep = work_.plan.keep == Keep::results || (work_.plan.keep == Keep::failed && !record.done);
  if (task.measure_only)
    record.kept = true;
  else if (job.folder && keep)
    record.kept = folder_.keep_run(id, job.work);
  else if (job.folder)
    SeriesFolder::drop_work(job.work);
  record.identity = task.identity;
  record.measures = measures_;
  record.machine = slot.machine;
  record.cpu = slot.cpu;
  try {
    journal_.append(std::move(record));
  } catch (const IoError& error) {
    stop(error.what());
    throw;
  }
  folder_.give_back(id);
}

void Head::bury(Slot& slot, const Ending& ending) {
  if (!slot.ready && ++stillborn_ >= most_stillborn)
    stop(fmt::format("{} does not run as a worker: it {}{}", work_.program.string(), ending.text(),
                     last_error(slot.child->log())));
  while (slot.jobs.size() > 1) {  // never begun
    put_back(slot.jobs.back());
    slot.jobs.pop_back();
  }
  if (slot.jobs.empty() || in_vain(slot)) return;
  const Job job = slot.jobs.front();
  switch (slot.verdict) {
    case Verdict::time:
      return failed(slot, "time", fmt::format("took longer than {} s", work_.plan.time_limit));
    case Verdict::memory:
      return failed(slot, "memory",
                    work_.plan.memory_limit > 0
                        ? fmt::format("needed more than {} MB", work_.plan.memory_limit)
                        : "needs more memory than there is");
    case Verdict::pressure:
      ++fewer_;
      plan_strategy();
      return put_back(job);
    case Verdict::vain:  // only where nothing was done any more
      return put_back(job);
    case Verdict::stopped:
    case Verdict::none:
      return after_crash(slot, job, ending);
  }
}

void Head::after_crash(Slot& slot, const Job& job, const Ending& ending) {
  Task& task = tasks_[job.task];
  // No program does that to itself.
  const bool outside = slot.verdict == Verdict::stopped || ending.signal == SIGKILL ||
                       ending.signal == SIGTERM || ending.signal == SIGHUP || ending.signal == SIGINT;
  int& count = outside ? task.kills : task.crashes;
  if (++count < (outside ? most_kills : most_crashes)) return put_back(job);
  if (outside)
    return failed(slot, "crash", fmt::format("its worker was killed or stopped {} times", count), false);
  const std::string said = last_error(slot.child->log_of(static_cast<std::int64_t>(job.task)));
  failed(slot, "crash", said.empty() ? ending.text() : said.substr(2));
}

void Head::condemn(Slot& slot, Verdict verdict) {
  slot.verdict = verdict;
  slot.child->kill(SIGKILL);
}

void Head::watch() {
  if (seconds_since(watched_) < 0.05) return;
  watched_ = Clock::now();
  for (Slot& slot : slots_)
    if (slot.verdict == Verdict::none) watch_one(slot);
  relieve();
}

void Head::watch_one(Slot& slot) {
  slot.rss_mb = memory_mb(slot.child->pid());
  if (seconds_since(slot.heard) > silence_s && !(slot.ready && slot.jobs.empty()))
    return condemn(slot, Verdict::stopped);
  if (!slot.ready || slot.jobs.empty()) return;
  const double limit = work_.plan.time_limit;
  if (limit > 0 && seconds_since(slot.jobs.front().began) > limit) return condemn(slot, Verdict::time);
  if (work_.plan.memory_limit > 0 && slot.rss_mb > work_.plan.memory_limit) condemn(slot, Verdict::memory);
}

/// Before the system kills something: the largest worker ends, and there is one less from now on.
void Head::relieve() {
  double used = 0;
  Slot* largest = nullptr;
  std::size_t working = 0;
  for (Slot& slot : slots_) {
    used += slot.rss_mb;
    working += slot.jobs.empty() ? 0 : 1;
    if (!slot.jobs.empty() && slot.verdict == Verdict::none &&
        (largest == nullptr || slot.rss_mb > largest->rss_mb))
      largest = &slot;
  }
  const double free = available_memory_mb();
  if (largest == nullptr || free > least_memory * (free + used)) return;
  condemn(*largest, working > 1 ? Verdict::pressure : Verdict::memory);
}

void Head::stop(std::string reason) {
  if (reason_.empty()) reason_ = std::move(reason);
  stopping_ = true;
  for (Slot& slot : slots_) slot.child->send({{{"is", "interrupt"}}});
}

void Head::interrupt() {
  interrupted_ = true;
  stop("interrupted; the same command goes on");
}

}  // namespace cosimo::series
