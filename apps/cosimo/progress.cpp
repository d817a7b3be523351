#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "console.hpp"

namespace cosimo::cli {
namespace {

std::size_t columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

bool on_terminal(std::FILE* stream) {
  return isatty(fileno(stream)) != 0;
}

void ProgressLine::show(std::string text) {
  text.resize(std::min(text.size(), columns(stream_) - 1));
  say(stream_, "\r{}\033[K", text);
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

}  // namespace cosimo::cli
