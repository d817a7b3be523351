#include "progress.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "console.hpp"

namespace cosimo::cli {
namespace {

std::size_t columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = std::chrono::seconds(std::llround(std::min(seconds, 3.6e8)));
  if (seconds < 100) return fmt::format("{} s", whole.count());
  if (seconds < 3600) return fmt::format("{:%M:%S} min", whole);
  return fmt::format("{}:{:02} h", whole.count() / 3600, whole.count() % 3600 / 60);
}

}  // namespace

bool on_terminal(std::FILE* stream) {
  return isatty(fileno(stream)) != 0;
}

std::string describe(const Progress& progress) {
  const double share = progress.end > 0 ? progress.time / progress.end : 1.0;
  const std::string choice = progress.layers > 0 ? fmt::format("{} layers", progress.layers)
                                                 : fmt::format("order {}", progress.kappa);
  std::string text =
      fmt::format("{:5.1f} %  t = {:.4g} of {:.4g}  H = {:.2e}  {}  {} steps, {} rejected", 100 * share,
                  progress.time, progress.end, progress.H, choice, progress.macro_steps, progress.rejected);
  if (share > 0 && progress.wall_s > 0.5)
    text += "  " + duration(progress.wall_s * (1 - share) / share) + " left";
  return text;
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
