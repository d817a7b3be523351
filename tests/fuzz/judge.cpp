#include "judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <string_view>

namespace cosimo::fuzz {
namespace {

constexpr const char* scenario_name = "mutant.yaml";
constexpr int success = 0, failed = 1, refused = 2;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The limit is ours, and it was told in order.
bool out_of_memory(const Trial& trial) {
  return trial.code == failed && contains(trial.err, "not enough memory");
}

/// What no command may do.
void look_at(const Trial& trial, const std::string& command, std::vector<std::string>& faults) {
  static constexpr std::array alarms = {"should not have happened", "AddressSanitizer", "LeakSanitizer",
                                        "ThreadSanitizer",          "runtime error:",   "terminate called"};
  for (const char* alarm : alarms)
    if (contains(trial.err, alarm)) faults.push_back(fmt::format("{} says '{}'", command, alarm));
  if (trial.hung) {
    faults.push_back(fmt::format("{} does not end: killed after {:.1f} s", command, trial.wall_s));
  } else if (trial.signal != 0) {
    faults.push_back(
        fmt::format("{} ends by signal {} ({})", command, trial.signal, ::strsignal(trial.signal)));
  } else if (trial.code < success || trial.code > refused) {
    faults.push_back(fmt::format("{} ends with exit code {}", command, trial.code));
  } else if (trial.code != success && !contains(trial.err, "cosimo: error: ")) {
    faults.push_back(fmt::format("{} ends with exit code {} and without a message", command, trial.code));
  } else if (trial.code == refused && !contains(trial.err, scenario_name)) {
    faults.push_back(fmt::format("{} refuses without naming the file", command));
  }
}

void look_around(const std::filesystem::path& folder, std::vector<std::string>& faults) {
  static constexpr std::array expected = {scenario_name, "stdout", "stderr", "out"};
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (std::find(expected.begin(), expected.end(), name) == expected.end())
      faults.push_back(fmt::format("'{}' is left beside the output folder", name));
  }
}

}  // namespace

Verdict judge(const Program& program, const std::string& scenario, const std::filesystem::path& folder,
              const Patience& patience) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / scenario_name, std::ios::binary) << scenario;

  Verdict verdict;
  std::vector<std::string>& faults = verdict.faults;
  Limits limits{.interrupt_s = 0, .patience_s = patience.end_s, .bytes = patience.bytes};
  verdict.check = attempt(program, {"check", scenario_name}, folder, limits);
  look_at(verdict.check, "check", faults);
  look_around(folder, faults);
  if (verdict.check.hung || out_of_memory(verdict.check)) return verdict;
  if (verdict.check.code == failed) faults.emplace_back("check fails where it should accept or refuse");

  limits.interrupt_s = patience.run_s;
  verdict.run = attempt(program, {"run", scenario_name, "--out", "out", "--threads", "2"}, folder, limits);
  look_at(verdict.run, "run", faults);
  look_around(folder, faults);
  const bool accepted = verdict.check.code == success, ran = verdict.run.code != refused;
  if (accepted != ran && faults.empty() && !out_of_memory(verdict.run))
    faults.emplace_back(accepted ? "check accepts what run refuses" : "check refuses what run accepts");
  return verdict;
}

}  // namespace cosimo::fuzz
