// Work and precision of every method on the uncut chain of Table 5.9, one thread.
//
// Factors are stated one by one: our vector kernels (same IDA, same KLU), the structured
// linear solver, the integrator (one-step instead of BDF). The first compares equal
// tolerances, the others equal measured error: the time at which a method reaches the error
// of the reference at rtol 1e-6, interpolated between its measured points.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "bench/benchmarks.hpp"
#include "bench/curve.hpp"
#include "bench/models.hpp"
#include "bench/reference_ida.hpp"
#include "bench/timing.hpp"
#include "bench/yardstick.hpp"

namespace cosimo::bench {

namespace {

IntegratorOptions options_for(Method method, Linear linear, double rtol) {
  IntegratorOptions o;
  o.method = method;
  o.linear = linear;
  o.tolerances = {rtol, 1e-3 * rtol, rtol};
  return o;
}

Point at_rtol(const Curve& points, double rtol) {
  return *std::find_if(points.begin(), points.end(), [&](const Point& p) { return p.rtol == rtol; });
}

/// The prototype's time per step and mass in ns; NaN without one.
double prototype_step(const char* method, std::size_t masses, double end) {
  return yardstick("COSIMO_YARDSTICK", fmt::format("{} {} {} 1e-6 1", method, masses, end), "ns/step/mass=");
}

/// One method, or the reference where there is none.
struct Contender {
  const char* name;
  std::optional<Method> method;
  Linear linear;
  std::vector<double> rtols;
};

/// The reference at rtol 1e-7 costs minutes with 10^5 masses and decides nothing there.
std::vector<Contender> contenders(std::size_t n) {
  const std::vector<double> wide{1e-3, 1e-4, 1e-5, 1e-6, 1e-7}, three{1e-5, 1e-6, 1e-7}, two{1e-5, 1e-6};
  return {{"reference", {}, Linear::klu, n < 100'000 ? three : two},
          {"ida klu", Method::ida, Linear::klu, {1e-6}},
          {"ida structured", Method::ida, Linear::structured, three},
          {"rk", Method::rk, Linear::automatic, wide},
          {"rosenbrock", Method::rosenbrock, Linear::automatic, wide},
          {"auto", Method::automatic, Linear::automatic, wide}};
}

using Curves = std::map<std::string, Curve>;

/// All contenders at all their tolerances, interleaved.
Curves work_precision(const Whole& whole, const Sampler& sampler, int rounds, Table& table) {
  const std::size_t n = whole.model.bodies.count;
  const Trajectory exact =
      integrate(whole, options_for(Method::rk, Linear::automatic, 1e-12), sampler).trajectory;
  const auto all = contenders(n);
  std::vector<std::pair<const Contender*, Point>> measured;
  for (const Contender& c : all)
    for (const double rtol : c.rtols) measured.push_back({&c, Point{rtol, 0, 0, 0}});
  std::vector<std::function<double()>> runs;
  for (auto& [contender, point] : measured)
    runs.emplace_back([&, c = contender, p = &point] {
      if (!c->method) {
        const ReferenceRun r = reference_ida(whole.model, p->rtol, sampler);
        p->error = rms_nrmse(r.trajectory, exact);
        p->steps = r.steps;
        return r.seconds;
      }
      const Integration r = integrate(whole, options_for(*c->method, c->linear, p->rtol), sampler);
      p->error = rms_nrmse(r.trajectory, exact);
      p->steps = r.counters.steps;
      return r.seconds;
    });
  const auto best = interleaved(rounds, runs);
  Curves curves;
  table.remark(fmt::format("n = {}, t = {:g}, one thread", n, sampler.times.back()));
  for (std::size_t i = 0; i < measured.size(); ++i) {
    Point p = measured[i].second;
    p.seconds = best[i];
    curves[measured[i].first->name].push_back(p);
    table.remark(
        fmt::format("  {:<15} rtol {:.0e}: {:.4f} s, {} steps, {:.1f} ns per step and mass, error {:.2e}",
                    measured[i].first->name, p.rtol, p.seconds, p.steps,
                    1e9 * p.seconds / static_cast<double>(p.steps) / static_cast<double>(n), p.error));
  }
  return curves;
}

void compare_steps(const Whole& whole, const Sampler& sampler, double end, int rounds, Table& table) {
  const std::size_t n = whole.model.bodies.count;
  const struct {
    const char* name;
    const char* prototype;
    Method method;
  } methods[] = {{"rk", "dp5", Method::rk}, {"rosenbrock", "rodas", Method::rosenbrock}};
  for (const auto& m : methods) {
    const auto best = interleaved(
        rounds, {[&] { return 1e-9 * prototype_step(m.prototype, n, end); },
                 [&] {
                   const Integration r =
                       integrate(whole, options_for(m.method, Linear::automatic, 1e-6), sampler);
                   return r.seconds / static_cast<double>(r.counters.steps) / static_cast<double>(n);
                 }});
    if (!std::isfinite(best[0])) {
      table.remark("no yardstick given: the cost of a step is not compared (see bench/run --yardstick)");
      return;
    }
    table.add({"solver", fmt::format("one step of {}, per mass, n = {}", m.name, n), "prototype",
               1e9 * best[0], 1e9 * best[1], "ns", best[1] / best[0], Goal::at_most, 1.2,
               "ours / prototype"});
  }
}

void one_size(std::size_t n, double end, int rounds, bool targets, Table& table) {
  const Whole whole(table_5_9(n));
  const Sampler sampler(n, end);
  Curves curves = work_precision(whole, sampler, rounds, table);
  const auto row = [&](const std::string& work, const char* against, const Point& theirs, const Point& ours,
                       double target) {
    table.add({"solver", fmt::format("{}, n = {}", work, n), against, theirs.seconds, ours.seconds, "s",
               theirs.seconds / ours.seconds, target > 0 && targets ? Goal::at_least : Goal::none, target,
               fmt::format("errors {:.1e}, {:.1e}", theirs.error, ours.error)});
  };
  const Point reference = at_rtol(curves["reference"], 1e-6), klu = at_rtol(curves["ida klu"], 1e-6);
  const Point structured = at_error(curves["ida structured"], reference.error);
  row("vector kernels: ida klu at rtol 1e-6", "Debian IDA+KLU at rtol 1e-6", reference, klu, 0);
  row("structured linear solver at rtol 1e-6", "our ida klu at rtol 1e-6", klu,
      at_rtol(curves["ida structured"], 1e-6), 0);
  row("ida, our vectors and solver, equal error", "Debian IDA+KLU", reference, structured, 6);
  Point fastest;
  fastest.seconds = INFINITY;
  std::string winner;
  for (const char* name : {"rk", "rosenbrock", "auto"}) {
    const Point p = at_error(curves[name], reference.error);
    row(fmt::format("integrator: {}, equal error", name), "our ida structured", structured, p, 0);
    if (p.seconds < fastest.seconds) {
      fastest = p;
      winner = name;
    }
  }
  row(fmt::format("best method ({}), equal error", winner), "Debian IDA+KLU", reference, fastest, 40);
  if (targets) compare_steps(whole, sampler, end, rounds + 4, table);
}

/// The scaling study of the linear solvers has a dense one; here only what it costs.
void dense_remark(Table& table) {
  constexpr std::size_t n = 200;
  const Whole whole(table_5_9(n));
  const Sampler sampler(n, 1e-4);
  const auto run = [&](Linear linear) {
    return [&, linear] { return integrate(whole, options_for(Method::ida, linear, 1e-6), sampler).seconds; };
  };
  const auto best = interleaved(3, {run(Linear::dense), run(Linear::klu), run(Linear::structured)});
  table.remark(
      fmt::format("n = {}, t = 1e-4, ida rtol 1e-6: dense {:.4f} s, klu {:.4f} s, structured {:.4f} s", n,
                  best[0], best[1], best[2]));
}

}  // namespace

void solver(const Options& options, Table& table) {
  dense_remark(table);
  const int rounds = options.quick ? 1 : 2;
  one_size(1000, options.quick ? 5e-4 : 2e-3, rounds, false, table);
  one_size(10'000, 2e-4, rounds, true, table);
  if (!options.quick) one_size(100'000, 5e-5, rounds, false, table);
}

}  // namespace cosimo::bench
