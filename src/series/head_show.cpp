// What a head tells of the series: to its caller, and in the folder.
#include <algorithm>
#include <chrono>
#include <thread>

#include "core/error.hpp"
#include "series/head.hpp"
#include "series/machine.hpp"
#include "series/table.hpp"
#include "simulation/output_folder.hpp"

namespace cosimo::series {

namespace {

constexpr const char* table_lease = "table";

double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

}  // namespace

SeriesProgress Head::progress() const {
  SeriesProgress p;
  p.variants = work_.plan.count;
  p.done = tasks_.count(State::done);
  p.failed = tasks_.count(State::failed);
  p.running = tasks_.count(State::running);
  p.left = tasks_.count(State::waiting);
  const std::size_t twins = p.variants - tasks_.size();  // several rows of one run
  p.done += p.left + p.running == 0 ? twins : 0;
  p.workers = slots_.size();
  p.threads = strategy_.threads;
  p.wall_s = seconds_since(begin_);
  const double waiting = tasks_.waiting_s();
  const double each = ran_ > 0 ? wall_sum_ / static_cast<double>(ran_) : 0;
  if (ran_ > 0)
    p.left_s = (waiting >= 0 ? waiting : each * static_cast<double>(p.left)) /
               static_cast<double>(std::max<std::size_t>(strategy_.workers, 1));
  return p;
}

void Head::write_status(const SeriesProgress& p) const {
  const Json status{{"variants", p.variants},    {"done", p.done},     {"failed", p.failed},
                    {"running", p.running},      {"left", p.left},     {"workers", p.workers},
                    {"threads", p.threads},      {"wall_s", p.wall_s}, {"left_s", p.left_s},
                    {"machine", machine_name()}, {"reason", reason_}};
  write_text(folder_.path() / "status.json", status.dump(2) + "\n");
}

/// The table is written whole, so rarely when it is large: a twentieth of the time at most.
void Head::show(bool last) {
  if (options_.progress && (last || seconds_since(told_) >= 0.1)) {
    told_ = Clock::now();
    options_.progress(progress());
  }
  if (!last && Clock::now() < next_table_) return;
  if (!last && !folder_.take(table_lease)) return;
  const Clock::time_point begin = Clock::now();
  try {
    write_table(folder_.path(), data());
    write_status(progress());
  } catch (const IoError& error) {
    if (last) throw;
    stop(error.what());
  }
  if (!last) folder_.give_back(table_lease);
  const auto took = Clock::now() - begin;
  next_table_ = Clock::now() + std::max<Clock::duration>(std::chrono::seconds(1), 20 * took);
}

/// The last table has all that others have said, and is written by one at a time.
SeriesReport Head::finish() {
  while (!folder_.take(table_lease)) {
    folder_.beat();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  hear_of_others();
  show(true);
  SeriesReport report;
  report.variants = work_.plan.count;
  for (std::size_t i = 0; i < work_.plan.count; ++i) {
    const State state = tasks_[tasks_.task_of(i)].state;
    report.done += state == State::done ? 1 : 0;
    report.failed += state == State::failed ? 1 : 0;
  }
  report.left = report.variants - report.done - report.failed;
  report.ran = ran_;
  report.status = interrupted_ ? "interrupted" : report.failed > 0 || report.left > 0 ? "failed" : "ok";
  report.reason = reason_;
  report.workers = strategy_.workers;
  report.threads = strategy_.threads;
  report.wall_s = seconds_since(begin_);
  report.output_dir = folder_.path().string();
  if (options_.finished) options_.finished(report);
  folder_.give_back(table_lease);
  return report;
}

}  // namespace cosimo::series
