#include "progress.hpp"

#include <cmath>

#include "console.hpp"
#include "terminal.hpp"

namespace cosimo::cli {

void ProgressLine::show(const Course& course) {
  say(stream_, "\r{}\033[K", progress_line(course, look_of(stream_)));
  std::fflush(stream_);
  shown_ = true;
}

void ProgressLine::wipe() {
  if (!shown_) return;
  std::fputs("\r\033[K", stream_);
  std::fflush(stream_);
  shown_ = false;
}

ProgressLine::~ProgressLine() {
  wipe();
}

void ProgressLog::show(const Progress& progress) {
  const double share = course_of(progress).share;
  if (share < next_) return;
  next_ = 0.1 * (std::floor(10 * share) + 1);
  say(stream_, "cosimo: {}\n", to_text(progress));
  std::fflush(stream_);
}

}  // namespace cosimo::cli
