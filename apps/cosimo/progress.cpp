#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "console.hpp"

namespace cosimo::cli {
namespace {

std::size_t columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

/// Whole pieces, which two spaces part, as many as there is room for; of the first as much as there is.
std::string shortened(std::string text, std::size_t room) {
  if (text.size() <= room) return text;
  const std::size_t gap = text.rfind("  ", room);
  text.resize(gap == text.npos || text.find_first_not_of(' ') > gap ? room : gap);
  return text;
}

}  // namespace

bool on_terminal(std::FILE* stream) {
  return isatty(fileno(stream)) != 0;
}

void ProgressLine::show(std::string text) {
  say(stream_, "\r{}\033[K", shortened(std::move(text), columns(stream_) - 1));
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
