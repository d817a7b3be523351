// Comparisons of two runs: the public face of results/compare.hpp, and its words.
#include "simulation/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"
#include "results/compare.hpp"

namespace cosimo {

namespace {

/// "1-3, 17 and 20 more", "crank, rod": rows of numbers are shortened.
std::string list_of(const Comparison& c, bool Comparison::Still::*level) {
  constexpr std::size_t most = 8;
  std::vector<std::string> shown;
  std::size_t told = 0, all = 0;
  const Comparison::Still* first = nullptr;  // of a row of numbers
  const Comparison::Still* last = nullptr;
  const auto close = [&] {
    if (first == nullptr || shown.size() == most) return;
    shown.push_back(first == last ? first->name : fmt::format("{}-{}", first->name, last->name));
    told += static_cast<std::size_t>(last->body - first->body) + 1;
  };
  for (const Comparison::Still& still : c.still) {
    if (!(still.*level)) continue;
    ++all;
    const bool numbered = still.name == std::to_string(still.body);
    if (numbered && last != nullptr && still.body == last->body + 1) {
      last = &still;
      continue;
    }
    close();
    first = last = &still;
  }
  close();
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     told < all ? fmt::format(" and {} more", all - told) : "");
}

std::string variables_of(const Comparison& c, const char* name, bool Comparison::Still::*level) {
  const auto n = std::count_if(c.still.begin(), c.still.end(),
                               [level](const Comparison::Still& still) { return still.*level; });
  return n == 0 ? "" : fmt::format("the {} of {} ({})", name, counted(n, "body"), list_of(c, level));
}

std::string outputs_text(const Comparison& c) {
  return fmt::format("{} at {}\n\n{:<22}{:>12}{:>16}\n{:<22}{:>12.3e}{:>16.3e}\n{:<22}{:>12.3e}   ({})\n",
                     counted(c.outputs, "output"), counted(c.rows, "output time"), "NRMSE", "all", "rms each",
                     "outputs", c.output, c.output_rms, "worst output", c.worst_output, c.worst_output_name);
}

}  // namespace

std::filesystem::path results_file(const std::filesystem::path& place) {
  return std::filesystem::is_directory(place) ? place / "results.h5" : place;
}

Comparison compare(const std::filesystem::path& a, const std::filesystem::path& reference,
                   const CompareOptions& options) {
  return comparison_of(read_results(results_file(a)), read_results(results_file(reference)), options);
}

Comparison comparison_of(const Results& a, const Results& reference, const CompareOptions& options) {
  const Difference d = compare(a, reference, options.bodies);
  Comparison c{.position = d.position,
               .velocity = d.velocity,
               .both = d.both,
               .position_rms = d.position_rms,
               .velocity_rms = d.velocity_rms,
               .worst = d.worst,
               .worst_body = d.worst_body,
               .worst_name = d.worst_name,
               .rows = d.rows,
               .bodies = d.bodies,
               .outputs = d.outputs,
               .output = d.output,
               .output_rms = d.output_rms,
               .worst_output = d.worst_output,
               .worst_output_name = d.worst_output_name,
               .same_model = d.same_model,
               .share = least_share};
  for (const StillBody& still : d.still)
    c.still.push_back({still.body, still.name, still.position, still.velocity});
  return c;
}

std::string weighed_otherwise(const Comparison& c) {
  const std::string position = variables_of(c, "position", &Comparison::Still::position),
                    velocity = variables_of(c, "velocity", &Comparison::Still::velocity);
  if (position.empty() && velocity.empty()) return "";
  return fmt::format("Weighed by {:g} of what the most moving body does, because it hardly changes: {}{}{}.",
                     c.share, position, position.empty() || velocity.empty() ? "" : "; ", velocity);
}

std::string to_text(const Comparison& c, std::string_view level) {
  if (c.bodies == 0) return outputs_text(c);
  std::string text = fmt::format("{} at {}\n\n{:<22}{:>12}{:>16}\n", counted(c.bodies, "body"),
                                 counted(c.rows, "output time"), "NRMSE", "all bodies", "rms per body");
  if (level != "velocity")
    text += fmt::format("{:<22}{:>12.3e}{:>16.3e}\n", "position", c.position, c.position_rms);
  if (level != "position")
    text += fmt::format("{:<22}{:>12.3e}{:>16.3e}\n", "velocity", c.velocity, c.velocity_rms);
  if (level.empty()) {
    text += fmt::format("{:<22}{:>12.3e}\n", "both", c.both);
    text += fmt::format("{:<22}{:>12.3e}   (body {})\n", "worst single variable", c.worst, c.worst_name);
  }
  const std::string others = weighed_otherwise(c);
  if (!others.empty()) text += "\n" + others + "\n";
  return level.empty() && c.outputs > 0 ? text + "\n" + outputs_text(c) : text;
}

}  // namespace cosimo
