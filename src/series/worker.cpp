#include "series/worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "core/error.hpp"
#include "parallel/cores.hpp"
#include "parallel/shares.hpp"
#include "series/columns.hpp"
#include "series/frame.hpp"
#include "series/identity.hpp"
#include "series/machine.hpp"
#include "simulation/assembly.hpp"
#include "simulation/recording.hpp"
#include "simulation/rows.hpp"

namespace cosimo::series {

namespace {

constexpr std::chrono::seconds beat{1};

/// Both ends of the conversation. Frames are written whole, from any thread; a thread of its own reads.
class Line {
 public:
  Line(int input, int output) : input_(input), output_(output) {}

  void send(const Frame& frame) {
    const std::string bytes = encoded(frame);
    const std::lock_guard lock(writing_);
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t n = ::write(output_, bytes.data() + done, bytes.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) leave();
      done += static_cast<std::size_t>(n);
    }
  }

  /// The next frame; none: the input has ended.
  std::optional<Frame> next() {
    std::unique_lock lock(mutex_);
    idle_ = true;
    arrived_.wait(lock, [&] { return !frames_.empty() || ended_; });
    if (frames_.empty()) return std::nullopt;
    idle_ = false;
    Frame frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }

  const std::atomic<bool>& interrupted() const { return interrupted_; }

  /// What the reading thread does.
  void read() {
    char block[65536];
    FrameReader reader;
    for (;;) {
      const ssize_t n = ::read(input_, block, sizeof block);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      reader.feed({block, static_cast<std::size_t>(n)});
      while (auto frame = reader.next()) take(std::move(*frame));
      if (reader.damaged()) break;
    }
    const std::lock_guard lock(mutex_);
    if (!idle_) leave();
    ended_ = true;
    arrived_.notify_all();
  }

 private:
  void take(Frame frame) {
    if (frame.head.value("is", "") == "interrupt") {
      interrupted_ = true;
      return;
    }
    const std::lock_guard lock(mutex_);
    frames_.push_back(std::move(frame));
    arrived_.notify_all();
  }

  /// A run under way may be anywhere, also in a library that does not return.
  [[noreturn]] static void leave() {
    for (;;) ::kill(::getpid(), SIGKILL);
  }

  int input_, output_;
  std::mutex writing_, mutex_;
  std::condition_variable arrived_;
  std::deque<Frame> frames_;
  bool idle_ = false, ended_ = false;
  std::atomic<bool> interrupted_{false};
};

class Worker {
 public:
  explicit Worker(Line& line) : line_(line) {}

  void serve() {
    while (auto frame = line_.next()) {
      const std::string is = frame->head.value("is", "");
      if (is == "setup") setup(frame->head);
      if (is == "probe") probe(frame->head);
      if (is == "run" || is == "measure") job(frame->head, is == "measure");
    }
  }

  /// That somebody is here, and how far.
  void pulse() const {
    const std::int64_t number = job_;
    if (number >= 0)
      line_.send({{{"is", "alive"}, {"job", number}, {"share", share_.load(std::memory_order_relaxed)}}});
  }

 private:
  void setup(const Json& head) {
    source_.emplace(head.at("scenario").at("name").get<std::string>(),
                    head.at("scenario").at("text").get<std::string>());
    program_ = head.at("program");
    for (const Json& measure : head.at("measures")) {
      names_.push_back(measure.at(0));
      measures_.emplace_back(measure.at(1).get<std::string>());
    }
    line_.send({{{"is", "ready"},
                 {"protocol", protocol_version},
                 {"version", version()},
                 {"machine", machine_name()},
                 {"cpu", cpu_name()},
                 {"cores", available_cores()},
                 {"pid", ::getpid()}}});
  }

  static std::vector<std::string> settings_of(const Json& head) {
    return head.at("set").get<std::vector<std::string>>();
  }

  void fail(std::int64_t job, const char* fault, const std::string& message) {
    line_.send({{{"is", "failed"},
                 {"job", job},
                 {"fault", fault},
                 {"message", message},
                 {"memory_mb", peak_memory_mb()}}});
  }

  /// Runs it; what it throws becomes an answer.
  template <class Operation>
  void answered(std::int64_t job, Operation operation) {
    try {
      operation();
    } catch (const Error& error) {
      fail(job, "bad input", error.what());
    } catch (const IoError& error) {
      fail(job, "disk", error.what());
    } catch (const std::bad_alloc&) {
      fail(job, "memory", "there is not enough memory for this model");
    } catch (const std::exception& error) {
      fail(job, "crash", fmt::format("this should not have happened: {}", error.what()));
    }
  }

  void probe(const Json& head) {
    answered(-1, [&] {
      const Scenario scenario = source_->with(settings_of(head));
      const auto assembly = assemble(scenario.data());
      std::size_t useful = 0;
      for (const auto& subsystem : assembly->subsystems)
        useful += std::max<std::size_t>(subsystem->places().size() * highest_cost / worth_a_thread, 1);
      line_.send({{{"is", "names"},
                   {"names", row_names(results_layout(*assembly))},
                   {"memory_mb", peak_memory_mb()},
                   {"useful_threads", std::clamp<std::size_t>(useful, 1, 4096)}}});
    });
  }

  void job(const Json& head, bool measure_only) {
    const std::int64_t number = head.at("job");
    const std::string mark = log_mark(number);
    std::fflush(stdout);
    if (::write(STDERR_FILENO, mark.data(), mark.size()) < 0) return;  // nobody is there any more
    line_.send({{{"is", "began"}, {"job", number}}});
    mark_memory();
    share_ = 0;
    job_ = number;
    answered(number, [&] {
      if (line_.interrupted()) return interrupted(number);
      MeasuredRows rows(measures_, names_);
      if (measure_only) {
        rows.read(head.at("folder").get<std::string>());
        return done(number, rows, {});
      }
      run_variant(number, head, rows);
    });
    job_ = -1;
  }

  void run_variant(std::int64_t number, const Json& head, MeasuredRows& rows) {
    std::vector<std::string> settings = settings_of(head);
    if (const double every = head.value("checkpoint_s", 0.0); every > 0)
      settings.push_back(fmt::format("run.checkpoint={{every: {}}}", every));
    const Scenario scenario = source_->with(settings);
    if (identity_of(scenario, program_, files_).value != head.at("id").get<std::uint64_t>())
      return fail(number, "changed", "a file of the scenario or the program is another one here");
    RunOptions options;
    options.output_dir = head.value("folder", "");
    options.threads = head.value("threads", 1);
    options.resume = head.value("resume", false);
    options.replace = true;  // the folder belongs to the series
    options.interrupt = &line_.interrupted();
    options.progress = [&](const Progress& p) { share_ = p.end > 0 ? p.time / p.end : 0; };
    const Report report = cosimo::run(scenario, options, rows);
    if (report.status == "interrupted") return interrupted(number);
    if (report.status != "ok")
      return fail(number, report.outcome.culprit == "output" ? "disk" : "solver",
                  fmt::format("at t = {:.6g} of {:.6g}: {}", report.outcome.time, report.t_end,
                              report.outcome.reason));
    if (report.resumed_from) rows.read(options.output_dir);  // the rows before are there alone
    done(number, rows, report);
  }

  void interrupted(std::int64_t number) { line_.send({{{"is", "interrupted"}, {"job", number}}}); }

  void done(std::int64_t number, const MeasuredRows& rows, const Report& report) {
    Measured measured = rows.measured();
    line_.send({{{"is", "done"},
                 {"job", number},
                 {"lengths", measured.lengths},
                 {"remark", measured.remark},
                 {"wall_s", report.wall_s},
                 {"cpu_s", report.cpu_s},
                 {"memory_mb", peak_memory_mb()},
                 {"threads", report.threads}},
                std::move(measured.numbers)});
  }

  Line& line_;
  std::optional<ScenarioSource> source_;
  std::uint64_t program_ = 0;
  std::vector<std::string> names_;
  std::vector<Measure> measures_;
  FileDigests files_;
  std::atomic<std::int64_t> job_{-1};
  std::atomic<double> share_{0};
};

}  // namespace

int serve(int input, int output) {
  // Frames go to where the output was; what libraries print goes to the errors.
  const int frames = ::fcntl(output, F_DUPFD_CLOEXEC, 3);
  if (frames < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;
  std::signal(SIGPIPE, SIG_IGN);
  Line line(input, frames);
  Worker worker(line);
  std::thread reader([&line] { line.read(); });
  std::mutex mutex;
  std::condition_variable end;
  bool ended = false;
  std::thread pulse([&] {
    std::unique_lock lock(mutex);
    while (!end.wait_for(lock, beat, [&] { return ended; })) worker.pulse();
  });
  worker.serve();
  {
    const std::lock_guard lock(mutex);
    ended = true;
  }
  end.notify_all();
  pulse.join();
  reader.join();  // the input has ended
  ::close(frames);
  return 0;
}

}  // namespace cosimo::series
