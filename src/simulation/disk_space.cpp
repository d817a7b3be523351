#include "simulation/disk_space.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace cosimo {

namespace {

/// Of one output time in results.h5, with a checksum per dataset.
double row_bytes(const ResultsLayout& layout) {
  constexpr double number = sizeof(double), checksum = sizeof(std::uint32_t);
  double bytes = number + checksum;
  if (!layout.bodies.empty()) bytes += 2 * (static_cast<double>(layout.bodies.size()) * number + checksum);
  for (const TableLayout& table : layout.tables)
    if (!table.columns.empty()) bytes += static_cast<double>(table.columns.size()) * number + checksum;
  return bytes;
}

std::string size_text(double bytes) {
  constexpr std::array<const char*, 7> units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

/// The folder itself, or the one it will be made in.
std::filesystem::path existing(std::filesystem::path folder) {
  std::error_code code;
  folder = std::filesystem::absolute(folder, code);
  while (!std::filesystem::exists(folder, code) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

}  // namespace

namespace {

/// Without output times there is a row per macro point, and nobody knows how many there will be, unless the
/// step is fixed.
std::optional<double> output_step(const config::Scenario& scenario) {
  return scenario.simulate.output ? scenario.simulate.output : scenario.control.step;
}

/// Who wants more than there is.
Fault too_much(const config::Scenario& scenario, std::string problem, std::string remedy) {
  return {.file = scenario.file,
          .field = scenario.simulate.output ? "simulate.output" : "control.step",
          .value = fmt::format("{:.6g}", *output_step(scenario)),
          .problem = std::move(problem),
          .remedy = std::move(remedy)};
}

}  // namespace

double output_times(const config::Scenario& scenario) {
  const std::optional<double> step = output_step(scenario);
  return step ? std::floor(scenario.simulate.end / *step + 1) : 0;
}

void require_memory(const config::Scenario& scenario, const ResultsLayout& layout) {
  const double needed = output_times(scenario) * row_bytes(layout);
  const double there =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed <= there) return;
  throw Error(
      too_much(scenario,
               fmt::format("the results need {} of memory, and this machine has {}", size_text(needed),
                           size_text(there)),
               "write a longer simulate.output, record fewer bodies with simulate.record, or leave the "
               "results on disk alone"));
}

void require_disk_space(const config::Scenario& scenario, const ResultsLayout& layout,
                        const std::filesystem::path& folder) {
  if (folder.empty()) return;
  const double needed = output_times(scenario) * row_bytes(layout);
  std::error_code code;
  const auto space = std::filesystem::space(existing(folder), code);
  if (code) return;  // a folder that cannot be written is reported when it is made
  double free = static_cast<double>(space.available);
  // Rows that a run goes on from are there already; those of another run make room.
  const auto there = std::filesystem::file_size(folder / "results.h5", code);
  if (!code) free += static_cast<double>(there);
  if (needed <= free) return;
  throw Error(too_much(scenario,
                       fmt::format("the results need at least {}, and {} are free on the disk of {}",
                                   size_text(needed), size_text(free), folder.string()),
                       "write a longer simulate.output, record fewer bodies with simulate.record, or name a "
                       "folder on another disk with --out"));
}

}  // namespace cosimo
