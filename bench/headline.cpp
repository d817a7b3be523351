// The full model of Section 5.8: 100 000 masses, 100 subsystems, impulses beside the cuts,
// 1 s. Published: 26 900 s uncut, 1014 s co-simulated on a cluster with error 4e-5.
//
//   bench/run headline --until 1        the whole second, for a larger machine
//   bench/run headline                  a prefix; the projection is stated as such
//
// The error is measured on the first 0.11 s (two impulses) or on the prefix, if shorter. Up to
// there the uncut run is timed too; beyond, its time is projected from there.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/scenarios.hpp"

namespace cosimo::bench {

namespace {

constexpr std::array<double, 10> impulse_starts{1e-4, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};

}  // namespace

void headline(const Options& options, Table& table) {
  const double until = options.until > 0 ? options.until : options.quick ? 2e-4 : 2e-3;
  const double judged = std::min(until, 0.11);
  const bool beyond = until > judged;
  const int threads = options.thread_count();
  const std::string text =
      table_5_9_yaml(
          100'000,
          "    initial: {x: {uniform: [-1.0e-2, 1.0e-2]}, v: {uniform: [-100, 100]}}\n"
          "    loads: [{impulse: {bodies: {beside_cuts_of: 100}, sign: alternating, amplitude: 1.0e6,\n"
          "                       duration: 1.0e-3, steepness: 1.0e-6,\n" +
              fmt::format("                       start: [{}]}}}}]", fmt::join(impulse_starts, ", "))) +
      fmt::format("simulate: {{end: {}, output: {}, record: coupling}}\npartition: {{parts: 100}}\n", until,
                  std::min(1e-4, until / 100));
  std::string bodies;
  for (int i = 1; i < 100; ++i) bodies += fmt::format("{}{}, {}", i > 1 ? ", " : "", 1000 * i, 1000 * i + 1);

  const Scratch scratch;
  const std::string judged_end = fmt::format("simulate.end={}", judged),
                    record = fmt::format("simulate.record=[{}]", bodies);
  run_to(
      text,
      {"reference",
       {"partition=none", record, judged_end, "solve.method=rk", "solve.rtol=1e-10", "solve.atol_pos=1e-13"},
       1},
      scratch / "reference");
  const Setting uncut{
      "uncut rk rtol 1e-6", {"partition=none", record, judged_end, "solve.method=rk", "solve.rtol=1e-6"}, 1};
  const Setting cut{fmt::format("exCV rtol 1e-6 on {} threads", threads),
                    {"control.estimator=exCV", "control.rtol=1e-6", "control.atol_u=0.01", "solve.method=rk",
                     "solve.rtol=1e-6"},
                    threads};
  const auto runs =
      measure(text, {uncut, cut}, scratch / "reference", {}, beyond || options.quick ? 1 : 2, scratch);
  const Measured &a = runs[0], &b = runs[1];
  const double uncut_seconds = a.seconds * until / judged;
  for (const Measured& m : runs) table.remark(describe(m));
  if (until < 1)
    table.remark(fmt::format(
        "projected to 1 s at the rate of this prefix ({} of 10 impulses begin in it): uncut {:.0f} s, "
        "co-simulation {:.0f} s, mean H {:.3g}",
        std::count_if(impulse_starts.begin(), impulse_starts.end(), [&](double t) { return t < until; }),
        uncut_seconds / until, b.seconds / until, b.report.mean_H));
  table.add({"headline", fmt::format("Section 5.8, t = {:g}, {}", until, cut.name),
             beyond ? fmt::format("{}, projected from t = {:g}", uncut.name, judged) : uncut.name,
             uncut_seconds, b.seconds, "s", uncut_seconds / b.seconds, Goal::none, 0,
             fmt::format("errors up to t = {:g}: {:.1e}, {:.1e}; published for 1 s: 26900 s uncut, 1014 s on "
                         "a cluster",
                         judged, a.error, b.error)});
}

}  // namespace cosimo::bench
