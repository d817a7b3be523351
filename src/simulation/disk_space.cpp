#include "simulation/disk_space.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <system_error>

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

void require_disk_space(const config::Scenario& scenario, const ResultsLayout& layout,
                        const std::filesystem::path& folder) {
  // Without output times there is a row per macro point, and nobody knows how many there will be.
  const std::optional<double> step =
      scenario.simulate.output ? scenario.simulate.output : scenario.control.step;
  if (folder.empty() || !step) return;
  const double needed = std::floor(scenario.simulate.end / *step + 1) * row_bytes(layout);
  std::error_code code;
  const auto space = std::filesystem::space(existing(folder), code);
  if (code) return;  // a folder that cannot be written is reported when it is made
  double free = static_cast<double>(space.available);
  // Rows that a run goes on from are there already; those of another run make room.
  const auto there = std::filesystem::file_size(folder / "results.h5", code);
  if (!code) free += static_cast<double>(there);
  if (needed <= free) return;
  throw Error(Fault{
      .file = scenario.file,
      .field = scenario.simulate.output ? "simulate.output" : "control.step",
      .value = fmt::format("{:.6g}", *step),
      .problem = fmt::format("the results need at least {}, and {} are free on the disk of {}",
                             size_text(needed), size_text(free), folder.string()),
      .remedy =
          "write a longer simulate.output, record fewer bodies with simulate.record, or name a folder on "
          "another disk with --out"});
}

}  // namespace cosimo
