// Work that goes on beside the interpreter: in a thread of its own, so that the one that asked for it can
// look after signals and show how far it is.
//
//   Task task([](Task::Line& line) { ... run(scenario, {.interrupt = &line.interrupt, ...}); });
//   while (!task.wait(0.1)) ...
//   task.finish();                       throws what the work threw
//
// The thread holds all that it needs: a task may be dropped before it ends, which then ends by itself.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace cosimo::python {

class Task {
 public:
  /// Between the work and who waits for it.
  struct Line {
    std::atomic<bool> interrupt{false};

    void tell(double share, std::string text);  ///< how far it is
    void note(const std::string& text);

    struct News {
      double share = 0;
      std::string text;
    };
    std::mutex lock;
    std::condition_variable ended;
    bool done = false;
    std::exception_ptr failure;
    std::optional<News> news;
    std::vector<std::string> notes;
  };
  using Work = std::function<void(Line&)>;

  explicit Task(Work work);
  ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// Until the work has ended, at most so many seconds; whether it has.
  bool wait(double seconds);
  void interrupt() { line_->interrupt = true; }
  /// What has been told since the last call.
  std::optional<Line::News> news();
  std::vector<std::string> notes();
  void finish();

 private:
  std::shared_ptr<Line> line_;
  std::thread thread_;
};

}  // namespace cosimo::python
