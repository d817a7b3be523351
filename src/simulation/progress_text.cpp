// The line that tells how far a run is, the most wanted first, for narrow terminals: share done, time left,
// time reached; then of a cut run the macro step, the order (with overlaps: layers of copies) and rejections,
// of an uncut one what its solver did. Two spaces part the pieces.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/counted.hpp"
#include "cosimo/cosimo.hpp"

namespace cosimo {

namespace {

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = std::chrono::seconds(std::llround(std::min(seconds, 3.6e8)));
  if (seconds < 100) return fmt::format("{} s", whole.count());
  if (seconds < 3600) return fmt::format("{:%M:%S} min", whole);
  return fmt::format("{}:{:02} h", whole.count() / 3600, whole.count() % 3600 / 60);
}

std::string steps_of(const Progress& p) {
  if (!p.cut) return counted(p.micro_steps, "micro step");
  const std::string choice = p.layers > 0 ? counted(p.layers, "layer") : fmt::format("order {}", p.kappa);
  return fmt::format("H = {:.2e}  {}  {}, {} rejected", p.H, choice, counted(p.macro_steps, "step"),
                     p.rejected);
}

}  // namespace

std::string to_text(const Progress& p) {
  const double share = p.end > 0 ? p.time / p.end : 1.0;
  std::string text = fmt::format("{:5.1f} %  ", 100 * share);
  if (share > 0 && p.wall_s > 0.5) text += duration(p.wall_s * (1 - share) / share) + " left  ";
  return text + fmt::format("t = {:.4g} of {:.4g}  {}", p.time, p.end, steps_of(p));
}

}  // namespace cosimo
