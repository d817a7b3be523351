// The head of a series: gives variants to worker processes, watches over them, remembers what came out.
//
//   Head head(plan, source, identities, program, folder, options);
//   SeriesReport report = head.run();
//
// What may happen to a worker, and what becomes of its variant:
//   it ends by itself (a crash, exit)   run again by another; failed (crash) when that ends as well
//   somebody kills it, or stops it      run again; failed (crash) after three times, for this time
//   beyond the limit of time or memory  failed (time, memory)
//   the machine has no memory left      run again with fewer workers; alone: failed (memory)
//   the disk is full                    the series ends in order; what is missing is run by the next call
// The others never notice. On a folder that is shared, variants that others have are theirs until they end or
// their holder dies (head_share.cpp).
#pragma once

#include <chrono>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosimo/series.hpp"
#include "series/child.hpp"
#include "series/folder.hpp"
#include "series/identity.hpp"
#include "series/journal.hpp"
#include "series/plan.hpp"
#include "series/probe.hpp"
#include "series/tasks.hpp"

namespace cosimo::series {

class Head {
 public:
  struct Work {
    const Plan& plan;
    const ScenarioSource& source;
    std::vector<std::uint64_t> identities;
    std::uint64_t program_digest = 0;
    std::filesystem::path program;
    bool checkpoints = false;      ///< the scenario writes them itself
    std::optional<Probe> probe{};  ///< made already
  };
  Head(Work work, SeriesFolder& folder, const SeriesOptions& options);

  SeriesReport run();
  SeriesData data() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    std::size_t task = 0, threads = 1;
    bool folder = false;
    std::filesystem::path work{};
    Clock::time_point began{};
    double share = 0;
  };
  enum class Verdict { none, time, memory, stopped, pressure, vain };
  /// A task that somebody else has.
  struct Elsewhere {
    std::size_t task = 0;
    Clock::time_point since{};
    bool copied = false;  ///< it also runs here
  };
  struct Slot {
    std::unique_ptr<Child> child;
    std::deque<Job> jobs;  ///< the first is under way once it began
    Clock::time_point heard;
    bool ready = false, leaving = false;
    Verdict verdict = Verdict::none;
    std::string machine, cpu;
    double rss_mb = 0;
  };

  State known(Task& task);
  void plan_strategy();
  void start_workers();
  void fill();
  void give(Slot& slot, std::size_t threads);
  void give(Slot& slot, std::size_t number, std::size_t threads, bool copy);
  void put_back(const Job& job);
  bool all_ended() const;
  std::optional<std::size_t> next_task();
  bool ended_elsewhere(std::size_t task);
  void hear_of_others();
  void look_elsewhere();
  bool in_vain(Slot& slot);
  void copy_straggler(Slot& slot);
  void end_copies();
  SeriesReport finish();
  void wait();
  bool hear(Slot& slot);
  void take(Slot& slot, Frame frame);
  void next_job(Slot& slot);
  void done(Slot& slot, Frame& frame);
  void failed(Slot& slot, const std::string& fault, const std::string& message, bool lasting = true);
  void record(Slot& slot, const Job& job, Record record);
  void bury(Slot& slot, const Ending& ending);
  void after_crash(Slot& slot, const Job& job, const Ending& ending);
  void watch();
  void watch_one(Slot& slot);
  void condemn(Slot& slot, Verdict verdict);
  void relieve();
  void interrupt();
  void show(bool last);
  void write_status(const SeriesProgress& progress) const;
  SeriesProgress progress() const;
  std::size_t busy() const;
  std::size_t busy_threads() const;
  void stop(std::string reason);

  Work work_;
  SeriesFolder& folder_;
  const SeriesOptions& options_;
  Journal journal_;
  Frame setup_;
  std::uint64_t measures_;  ///< digest of what is measured
  Tasks tasks_;
  std::list<Slot> slots_;
  std::vector<Elsewhere> elsewhere_;
  Strategy strategy_;
  std::size_t cores_ = 1, useful_threads_ = 1;
  double variant_mb_ = 0;  ///< most that a worker has taken
  std::size_t fewer_ = 0;  ///< workers that memory has cost
  std::size_t ran_ = 0, stillborn_ = 0;
  double wall_sum_ = 0, longest_s_ = 0;
  std::string reason_;  ///< why it ends early
  bool stopping_ = false, interrupted_ = false;
  Clock::time_point begin_, watched_{}, shown_{}, next_table_{}, told_{}, looked_{};
};

}  // namespace cosimo::series
