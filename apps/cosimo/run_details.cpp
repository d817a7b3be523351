#include "run_details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace cosimo::cli {
namespace {

constexpr std::size_t most_rows = 100;

std::string subsystems(const Report& report) {
  std::string text =
      fmt::format("  {:>9} {:>9}  {:<12} {:>12} {:>9} {:>12} {:>10} {:>10}\n", "subsystem", "bodies",
                  "solver", "micro steps", "rejected", "evaluations", "work s", "idle s");
  const std::size_t shown = std::min(most_rows, report.subsystems.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const SubsystemReport& s = report.subsystems[i];
    text += fmt::format("  {:>9} {:>9}  {:<12} {:>12} {:>9} {:>12} {:>10.4f} {:>10.4f}\n", i + 1, s.bodies,
                        s.method, s.micro_steps, s.rejected_micro_steps, s.evaluations, s.seconds, s.idle);
  }
  if (shown < report.subsystems.size())
    text += fmt::format("  and {} more, in summary.json\n", report.subsystems.size() - shown);
  return text;
}

std::string sections(const Report& report) {
  if (report.sections.empty()) return "";
  std::string text =
      fmt::format("  {:<12} {:>10} {:>10}  of all threads\n", "section", "work s", "waiting s");
  for (const SectionReport& section : report.sections) {
    const double work = std::accumulate(section.work.begin(), section.work.end(), 0.0);
    const double waiting = std::accumulate(section.waiting.begin(), section.waiting.end(), 0.0);
    text += fmt::format("  {:<12} {:>10.4f} {:>10.4f}  {}\n", section.name, work, waiting, section.meaning);
  }
  return text;
}

std::string tolerances(const char* name, const Report::Sizes& sizes) {
  return fmt::format("  {:<12} position {:.3g}, velocity {:.3g}\n", name, sizes.position, sizes.velocity);
}

}  // namespace

std::string details(const Report& report) {
  return fmt::format("\nSubsystems\n{}\nSections of the step\n{}\nAbsolute tolerances\n{}{}{}",
                     subsystems(report), sections(report), tolerances("solve", report.tolerances.solve),
                     tolerances("control", report.tolerances.control),
                     tolerances("motion", report.tolerances.motion));
}

}  // namespace cosimo::cli
