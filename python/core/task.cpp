#include "task.hpp"

#include <chrono>
#include <utility>

namespace cosimo::python {

void Task::Line::tell(double share, std::string text) {
  const std::scoped_lock held(lock);
  news = {share, std::move(text)};
}

void Task::Line::note(const std::string& text) {
  const std::scoped_lock held(lock);
  notes.push_back(text);
}

Task::Task(Work work)
    : line_(std::make_shared<Line>()), thread_([line = line_, work = std::move(work)]() mutable {
        std::exception_ptr failure;
        try {
          work(*line);
        } catch (...) {
          failure = std::current_exception();
        }
        work = {};
        const std::scoped_lock held(line->lock);
        line->failure = failure;
        line->done = true;
        line->ended.notify_all();
      }) {}

Task::~Task() {
  if (!thread_.joinable()) return;
  line_->interrupt = true;
  thread_.detach();
}

bool Task::wait(double seconds) {
  std::unique_lock held(line_->lock);
  return line_->ended.wait_for(held, std::chrono::duration<double>(seconds), [&] { return line_->done; });
}

std::optional<Task::Line::News> Task::news() {
  const std::scoped_lock held(line_->lock);
  return std::exchange(line_->news, std::nullopt);
}

std::vector<std::string> Task::notes() {
  const std::scoped_lock held(line_->lock);
  return std::exchange(line_->notes, {});
}

void Task::finish() {
  if (thread_.joinable()) thread_.join();
  if (line_->failure) std::rethrow_exception(line_->failure);
}

}  // namespace cosimo::python
