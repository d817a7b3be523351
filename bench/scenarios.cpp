#include "bench/scenarios.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace cosimo::bench {

Scratch::Scratch()
    : folder_(std::filesystem::temp_directory_path() / fmt::format("cosimo-bench-{}", getpid())) {
  std::filesystem::create_directories(folder_);
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Setting cut_setting(const char* control_rtol, const char* solve_rtol, int threads) {
  return {fmt::format("exCV rtol {} rk rtol {} on {} threads", control_rtol, solve_rtol, threads),
          {"control.estimator=exCV", fmt::format("control.rtol={}", control_rtol), "solve.method=rk",
           fmt::format("solve.rtol={}", solve_rtol)},
          threads};
}

Report run_to(const std::string& text, const Setting& setting, const std::filesystem::path& folder) {
  RunOptions options;
  options.output_dir = folder;
  options.threads = setting.threads;
  Report report = run(Scenario::parse(text, "bench", setting.overrides), options);
  if (report.status != "ok")
    throw std::runtime_error(fmt::format("{}: {}", setting.name, report.outcome.reason));
  return report;
}

std::vector<Measured> measure(const std::string& text, const std::vector<Setting>& settings,
                              const std::filesystem::path& reference, const std::vector<std::int64_t>& bodies,
                              int rounds, const Scratch& scratch) {
  std::vector<Measured> all;
  for (const Setting& s : settings) all.push_back({s, std::numeric_limits<double>::infinity(), 0, {}, {}});
  for (int round = 0; round < rounds; ++round)
    for (Measured& m : all) {
      const auto folder = scratch / "run";
      Report report = run_to(text, m.setting, folder);
      if (report.wall_s < m.seconds) {
        m.seconds = report.wall_s;
        m.report = report;
      }
      if (round == 0) {
        m.compared = compare(folder, reference, {bodies});
        m.error = m.compared.both;
      }
    }
  return all;
}

const Measured& fastest(std::span<const Measured> runs, double error) {
  const Measured* best = nullptr;
  for (const Measured& m : runs)
    if (m.error <= error && (!best || m.seconds < best->seconds)) best = &m;
  if (!best) throw std::runtime_error(fmt::format("no setting reached an error of {:.1e}", error));
  return *best;
}

std::string describe(const Measured& m) {
  return fmt::format(
      "{:<44} {:8.3f} s, error {:.2e}, {} macro steps ({} rejected), {} micro steps, solve {:.2f} idle "
      "{:.2f} interface {:.2f} transport {:.2f} output {:.2f}",
      m.setting.name, m.seconds, m.error, m.report.macro_steps, m.report.rejected_steps,
      m.report.micro_steps_total, m.report.time.solve, m.report.time.idle, m.report.time.interface,
      m.report.time.transport, m.report.time.output);
}

}  // namespace cosimo::bench
