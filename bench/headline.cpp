// The full model of Section 5.8: 100 000 masses, 100 subsystems, impulses beside the cuts,
// 1 s. Published: 26 900 s uncut, 1014 s co-simulated on a cluster with error 4e-5.
//
//   bench/run headline --full           the whole second, for a larger machine
//   bench/run headline                  a prefix; the projection is stated as such
//
// The error is measured on the first 0.11 s (two impulses) or on the prefix, if shorter. Up to
// there the uncut run is timed too; beyond, its time is projected from there.
//
// Classic cuts under exCV, and the default settings (overlap) at two tolerances. Of these the first that is
// good enough is judged: 200 s for the whole second, where there are 16 cores, and an error of 1e-4, where
// the run reaches 0.11 s.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/scenarios.hpp"

namespace cosimo::bench {

namespace {

constexpr std::array<double, 10> impulse_starts{1e-4, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};

std::string scenario(double until) {
  return table_5_9_yaml(
             100'000,
             "    initial: {x: {uniform: [-1.0e-2, 1.0e-2]}, v: {uniform: [-100, 100]}}\n"
             "    loads: [{impulse: {bodies: {beside_cuts_of: 100}, sign: alternating, amplitude: 1.0e6,\n"
             "                       duration: 1.0e-3, steepness: 1.0e-6,\n" +
                 fmt::format("                       start: [{}]}}}}]", fmt::join(impulse_starts, ", "))) +
         fmt::format("simulate: {{end: {}, output: {}, record: coupling}}\npartition: {{parts: 100}}\n",
                     until, std::min(1e-4, until / 100));
}

/// The bodies beside the cuts, which an uncut run has to be told.
std::string coupling_bodies() {
  std::string bodies;
  for (int i = 1; i < 100; ++i) bodies += fmt::format("{}{}, {}", i > 1 ? ", " : "", 1000 * i, 1000 * i + 1);
  return bodies;
}

/// Uncut, classic, and the defaults at two tolerances.
std::vector<Setting> contenders(const std::vector<std::string>& whole, int threads) {
  Setting uncut{"uncut rk rtol 1e-6", whole, 1};
  uncut.overrides.emplace_back("solve.rtol=1e-6");
  const Setting classic{fmt::format("exCV rtol 1e-6 on {} threads", threads),
                        {"control.estimator=exCV", "control.rtol=1e-6", "control.atol_u=0.01",
                         "solve.method=rk", "solve.rtol=1e-6"},
                        threads};
  std::vector<Setting> settings{uncut, classic};
  for (const char* rtol : {"1e-6", "1e-7"})
    settings.push_back({fmt::format("default rtol {} on {} threads", rtol, threads),
                        {fmt::format("solve.rtol={}", rtol)},
                        threads});
  return settings;
}

/// The two targets.
void judge(const Measured& ours, double until, double judged, int threads, Table& table) {
  table.add({"headline",
             fmt::format("the whole second{}, {}", until < 1 ? ", projected" : "", ours.setting.name),
             "published, about 200 cores", 1014, ours.seconds / until, "s", ours.seconds / until,
             threads >= 16 ? Goal::at_most : Goal::none, 200, "target: at most 200 s on 16 cores"});
  table.add({"headline", fmt::format("NRMSE (5.2) up to t = {:g}, {}", judged, ours.setting.name),
             "published", 4e-5, ours.error, "", ours.error, judged < 0.11 ? Goal::none : Goal::at_most, 1e-4,
             "target: at most 1e-4 up to t = 0.11"});
}

}  // namespace

void headline(const Options& options, Table& table) {
  const double until = options.until > 0 ? options.until : options.full ? 1 : options.quick ? 2e-4 : 2e-3;
  const double judged = std::min(until, 0.11);
  const bool beyond = until > judged;
  const int threads = options.thread_count();
  const Scratch scratch;
  const std::vector<std::string> whole{"partition=none",
                                       fmt::format("simulate.record=[{}]", coupling_bodies()),
                                       fmt::format("simulate.end={}", judged), "solve.method=rk"};
  Setting reference{"reference", whole, 1};
  for (const char* tight : {"solve.rtol=1e-10", "solve.atol_pos=1e-13"})
    reference.overrides.emplace_back(tight);
  const std::string text = scenario(until);
  run_to(text, reference, scratch / "reference");
  const std::vector<Setting> settings = contenders(whole, threads);
  const auto runs =
      measure(text, settings, scratch / "reference", {}, beyond || options.quick ? 1 : 2, scratch);
  for (const Measured& m : runs) table.remark(describe(m));
  for (const std::string& choice : runs.back().report.choices) table.remark(choice);
  const double uncut_seconds = runs[0].seconds * until / judged;
  if (until < 1)
    table.remark(fmt::format(
        "projections to 1 s are at the rate of this prefix, in which {} of 10 impulses begin; uncut {:.0f} s",
        std::count_if(impulse_starts.begin(), impulse_starts.end(), [&](double t) { return t < until; }),
        uncut_seconds / until));
  for (const Measured& m : std::span(runs).subspan(1))
    table.add(
        {"headline",
         fmt::format("Section 5.8, t = {:g}, {} ({})", until, m.setting.name, m.report.decomposition),
         beyond ? fmt::format("{}, projected from t = {:g}", settings[0].name, judged) : settings[0].name,
         uncut_seconds, m.seconds, "s", uncut_seconds / m.seconds, Goal::none, 0,
         fmt::format("errors up to t = {:g}: {:.1e}, {:.1e}", judged, runs[0].error, m.error)});
  judge(runs[2].error <= 1e-4 ? runs[2] : runs[3], until, judged, threads, table);
}

}  // namespace cosimo::bench
