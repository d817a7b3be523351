#include "bench/multibody_cut.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>

#include "bench/coupled.hpp"
#include "bench/multibody.hpp"

namespace cosimo::bench {

namespace {

constexpr double limit = 5;  ///< seconds; a run that takes longer has lost

/// Planar rods; every joint number k links/parts + 1 is compliant.
std::string scenario(std::size_t parts, double end) {
  const HangingChain chain;
  return fmt::format(
      R"(cosimo: 1
model:
  pendulum:
    links: {0}
    body: rod
    length: {1}
    mass: {2}
    angle: {{ramp: [{3}, {4}]}}
    compliant: {{every: {5}, stiffness: 1.0e6, damping: 1.0e3}}
simulate: {{end: {6}, output: {7}, record: [{0}]}}
partition: {{parts: {8}, method: auto}}
)",
      chain.links, chain.length, chain.mass, first_angle, last_angle, chain.links / parts, end, end / 10,
      parts);
}

struct Attempt {
  Setting setting;
  std::optional<CoupledRun> run;  ///< the fastest
  double error = 0;

  bool reaches(double wanted) const { return run && run->finished() && error <= wanted; }
};

/// Largest distance of the centre of the last rod: x, y and its angle were recorded.
double distance(const Trajectory& a, const Trajectory& reference) {
  if (a.position.size() != reference.position.size()) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < reference.position.size(); i += reference.columns)
    worst = std::max(worst, std::hypot(a.position[i] - reference.position[i],
                                       a.position[i + 1] - reference.position[i + 1]));
  return worst;
}

std::vector<Attempt> uncut_attempts() {
  std::vector<Attempt> all;
  for (const char* method : {"rk", "radau"})
    for (const char* rtol : {"1e-3", "1e-4", "1e-5", "1e-6"})
      all.push_back(
          {{fmt::format("uncut {} rtol {}", method, rtol),
            {"partition=none", fmt::format("solve.method={}", method), fmt::format("solve.rtol={}", rtol)},
            1},
           {}});
  return all;
}

std::vector<Attempt> cut_attempts(int threads) {
  struct Scheme {
    const char *name, *estimator;
  };
  std::vector<Attempt> all;
  for (const auto& [scheme, estimator] : {Scheme{"explicit", "exCV"}, Scheme{"semi-implicit", "imCV"},
                                          Scheme{"implicit", "imCV"}, Scheme{"implicit", "imMD"}})
    for (const char* rtol : {"1e-1", "1e-2", "1e-3", "1e-4"})
      all.push_back({{fmt::format("{} {} rtol {}", scheme, estimator, rtol),
                      {fmt::format("couple.scheme={}", scheme), "couple.decomposition=force-force",
                       fmt::format("control.estimator={}", estimator), fmt::format("control.rtol={}", rtol),
                       "solve.method=rk", fmt::format("solve.rtol={}", 0.01 * std::stod(rtol)),
                       "control.max_steps=200000"},
                      threads},
                     {}});
  return all;
}

const Attempt* fastest(std::span<const Attempt> attempts, double wanted) {
  const Attempt* best = nullptr;
  for (const Attempt& a : attempts)
    if (a.reaches(wanted) && (best == nullptr || a.run->seconds < best->run->seconds)) best = &a;
  return best;
}

/// After the first round only those run again that may still win.
void measure(const std::string& text, const Trajectory& reference, double wanted, int rounds,
             std::vector<Attempt>& attempts) {
  for (int round = 0; round < rounds; ++round) {
    const Attempt* const best = fastest(attempts, wanted);
    const double slow = best == nullptr ? 0 : 1.5 * best->run->seconds;
    for (Attempt& attempt : attempts) {
      if (round > 0 && (!attempt.reaches(wanted) || attempt.run->seconds > slow)) continue;
      CoupledRun run = run_coupled(text, attempt.setting, limit);
      if (round == 0 && run.finished()) attempt.error = distance(run.trajectory, reference);
      if (!attempt.run || run.seconds < attempt.run->seconds) attempt.run = std::move(run);
    }
  }
}

void print(std::span<const Attempt> attempts, double end, Table& table) {
  for (const Attempt& a : attempts) {
    if (!a.run->finished())
      table.remark(fmt::format("{:<32} {}", a.setting.name, a.run->trouble));
    else
      table.remark(fmt::format("{:<32} error {:.1e}, {:8.4f} s per s, {} macro steps, {} rejected",
                               a.setting.name, a.error, a.run->seconds / end, a.run->macro_steps,
                               a.run->rejected_steps));
  }
}

void one_division(std::size_t parts, double wanted, const Options& options, Table& table) {
  const double end = options.quick ? 0.1 : 1;
  const int threads = std::min(2, options.thread_count()), rounds = options.quick ? 1 : 4;
  const std::string text = scenario(parts, end);
  const CoupledRun reference = run_coupled(text, tight_uncut("rk"), INFINITY);
  if (!reference.finished()) throw std::runtime_error(fmt::format("multibody: {}", reference.trouble));
  auto uncut = uncut_attempts(), cut = cut_attempts(threads);
  measure(text, reference.trajectory, wanted, rounds, uncut);
  measure(text, reference.trajectory, wanted, rounds, cut);
  table.remark(fmt::format("compliant joints of 1e6 N/m, {} parts, {} s:", parts, end));
  print(uncut, end, table);
  print(cut, end, table);
  const Attempt *whole = fastest(uncut, wanted), *divided = fastest(cut, wanted);
  if (whole == nullptr || divided == nullptr) {
    table.remark(fmt::format("{} parts: no run {} reached an error of {:.0e}", parts,
                             whole == nullptr ? "uncut" : "with cuts", wanted));
    return;
  }
  table.add(
      {"multibody",
       fmt::format("compliant at the cuts, {} parts, {} threads: {}", parts, threads, divided->setting.name),
       whole->setting.name, whole->run->seconds / end, divided->run->seconds / end, "s",
       whole->run->seconds / divided->run->seconds, Goal::at_least, 1,
       fmt::format("errors {:.1e}, {:.1e}", whole->error, divided->error)});
}

}  // namespace

void cut_chains(double error, const Options& options, Table& table) {
  for (const std::size_t parts : {2, 4}) one_division(parts, error, options, table);
}

}  // namespace cosimo::bench
