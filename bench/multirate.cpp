// Stiff contacts in two small end subsystems (last model of Section 5.8, scaled): the
// uncut run must follow the contacts with every mass, the cut one only with 50.
//
// A second row per variant leaves everything but the solver's tolerance to the defaults (`scheme: auto`).
//
// Two variants: bodies that a constant force keeps pressed against their walls, where they
// rattle all the time; and bodies that only bounce now and then, which costs an adaptive
// one-step solver few extra steps and so leaves little to gain.
#include <fmt/format.h>

#include <algorithm>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/scenarios.hpp"

namespace cosimo::bench {

namespace {

struct Variant {
  const char* name;
  bool pressed;
  double end, error;  ///< both sides must reach this error in the contact bodies
  std::vector<const char*> uncut_rtol, cut_rtol;
  Goal goal;
};

struct Layout {
  int masses, inner;
  std::string bodies, cuts;
  Layout(int n, int parts) : masses(n), inner(parts), cuts("26") {
    const int last = n - 25;
    bodies = fmt::format("3, 5, 7, {}, {}, {}", last + 19, last + 21, last + 24);
    for (int i = 1; i < parts; ++i) cuts += fmt::format(", {}", 26 + i * (n - 50) / parts);
    cuts += fmt::format(", {}", last + 1);
  }
};

std::string scenario(const Layout& layout, const Variant& variant) {
  std::string loads = fmt::format("{{contact: {{bodies: [{}], A: -1.0e-2, B: 5.0e5}}}}", layout.bodies);
  if (variant.pressed)
    loads +=
        fmt::format(", {{harmonic: {{bodies: [{}], amplitude: 2.0e4, omega: 0, phase: 1.5707963267948966}}}}",
                    layout.bodies);
  return table_5_9_yaml(static_cast<std::size_t>(layout.masses),
                        fmt::format("    initial: {{v: {{uniform: [-100, 100]}}}}\n    loads: [{}]", loads)) +
         fmt::format(
             "simulate: {{end: {}, output: {}, record: [{}]}}\npartition: {{method: manual, cuts: [{}]}}\n",
             variant.end, variant.end / 200, layout.bodies, layout.cuts);
}

std::vector<Setting> uncut_settings(const Variant& variant) {
  std::vector<Setting> settings;
  for (const char* rtol : variant.uncut_rtol)
    for (const char* method : {"rk", "auto"})
      settings.push_back(
          {fmt::format("uncut {} rtol {}", method, rtol),
           {"partition=none", fmt::format("solve.method={}", method), fmt::format("solve.rtol={}", rtol)},
           1});
  settings.push_back(
      {"uncut rosenbrock rtol 1e-6", {"partition=none", "solve.method=rosenbrock", "solve.rtol=1e-6"}, 1});
  return settings;
}

/// What the program chooses by itself.
void by_default(const Variant& variant, const Layout& layout, const Measured& uncut,
                std::span<const Measured> runs, Table& table) {
  for (const std::string& choice : runs.back().report.choices) table.remark(choice);
  const bool reached =
      std::any_of(runs.begin(), runs.end(), [&](const Measured& m) { return m.error <= variant.error; });
  if (!reached) {
    table.remark(fmt::format("{}: the default settings did not reach an error of {:.1e}", variant.name,
                             variant.error));
    return;
  }
  const Measured& ours = fastest(runs, variant.error);
  table.add({"multirate",
             fmt::format("{} masses, {}, {} ({})", layout.masses, variant.name, ours.setting.name,
                         ours.report.decomposition),
             uncut.setting.name, uncut.seconds, ours.seconds, "s", uncut.seconds / ours.seconds, Goal::none,
             0, fmt::format("errors of the contact bodies {:.1e}, {:.1e}", uncut.error, ours.error)});
}

void one_variant(const Variant& variant, const Layout& layout, const Options& options, Table& table) {
  const int threads = options.thread_count();
  const std::string text = scenario(layout, variant);
  const Scratch scratch;
  run_to(text,
         {"reference", {"partition=none", "solve.method=rk", "solve.rtol=1e-12", "solve.atol_pos=1e-15"}, 1},
         scratch / "reference");
  std::vector<Setting> settings = uncut_settings(variant);
  const std::size_t uncut = settings.size();
  for (const char* rtol : {"1e-3", "1e-4", "1e-5"})
    for (const char* solve : variant.cut_rtol) settings.push_back(cut_setting(rtol, solve, threads));
  const std::size_t classic = settings.size();
  for (const char* solve : variant.cut_rtol)
    settings.push_back({fmt::format("default rtol {} on {} threads", solve, threads),
                        {fmt::format("solve.rtol={}", solve)},
                        threads});
  const auto runs = measure(text, settings, scratch / "reference", {}, options.quick ? 1 : 2, scratch);
  for (const Measured& m : runs) table.remark(describe(m));
  const Measured &a = fastest(std::span(runs).first(uncut), variant.error),
                 &b = fastest(std::span(runs).subspan(uncut, classic - uncut), variant.error);
  const auto uncut_steps = static_cast<double>(a.report.micro_steps_max);
  const double mean_steps = static_cast<double>(b.report.micro_steps_total) / (layout.inner + 2);
  table.remark(fmt::format(
      "{}: uncut, {:.0f} steps with all masses; cut, {:.0f} in the end parts and {:.0f} on average",
      variant.name, uncut_steps, static_cast<double>(b.report.micro_steps_max), mean_steps));
  table.add({"multirate", fmt::format("{} masses, {}, {}", layout.masses, variant.name, b.setting.name),
             a.setting.name, a.seconds, b.seconds, "s", a.seconds / b.seconds, variant.goal, 20,
             fmt::format("errors of the contact bodies {:.1e}, {:.1e}", a.error, b.error)});
  by_default(variant, layout, a, std::span(runs).subspan(classic), table);
}

}  // namespace

void multirate(const Options& options, Table& table) {
  const Layout layout(options.quick ? 2'000 : 10'000, options.quick ? 2 : 10);
  const Variant pressed{
      "contacts kept closed",   true,          options.quick ? 5e-5 : 2e-4, 1e-2, {"1e-8", "3e-9", "1e-9"},
      {"1e-7", "3e-8", "1e-8"}, Goal::at_least};
  const Variant bouncing{
      "bouncing contacts", false,     options.quick ? 2e-4 : 1e-3, 5e-4, {"1e-6", "1e-7", "1e-8"},
      {"1e-6", "1e-7"},    Goal::none};
  one_variant(pressed, layout, options, table);
  one_variant(bouncing, layout, options, table);
}

}  // namespace cosimo::bench
