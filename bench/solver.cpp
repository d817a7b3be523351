// Work and precision of every method on the uncut chain of Table 5.9, one thread.
//
// Factors are stated one by one: our vector kernels (same IDA, same KLU), the structured
// linear solver, the integrator (one-step instead of BDF), always at equal tolerance or
// at equal measured error.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/reference_ida.hpp"
#include "bench/timing.hpp"

namespace cosimo::bench {

namespace {

IntegratorOptions options_for(Method method, Linear linear, double rtol) {
  IntegratorOptions o;
  o.method = method;
  o.linear = linear;
  o.tolerances = {rtol, 1e-3 * rtol, rtol};
  return o;
}

struct Point {
  double rtol = 0, seconds = 0, error = 0;
  std::int64_t steps = 0;
};

/// Time at which a method reaches `error`, by interpolation in log-log between measured points.
double time_at_error(std::vector<Point> points, double error) {
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.error < b.error; });
  double best = INFINITY;
  for (const Point& p : points)
    if (p.error <= error) best = std::min(best, p.seconds);
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point &a = points[i], &b = points[i + 1];
    if (a.error <= error && error <= b.error && b.error > a.error) {
      const double w = std::log(error / a.error) / std::log(b.error / a.error);
      best = std::min(best, a.seconds * std::pow(b.seconds / a.seconds, w));
    }
  }
  return best;
}

/// The yardstick program's time per step and mass in ns; NaN without one.
double yardstick(const char* method, std::size_t masses, double end) {
  const char* program = std::getenv("COSIMO_YARDSTICK");
  if (!program) return NAN;
  const std::string command = fmt::format("{} {} {} {} 1e-6 1", program, method, masses, end);
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return NAN;
  std::array<char, 512> line{};
  double value = NAN;
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe)) {
    const std::string text = line.data();
    const auto at = text.find("ns/step/mass=");
    if (at != std::string::npos) value = std::atof(text.c_str() + at + 13);
  }
  pclose(pipe);
  return value;
}

struct Contender {
  const char* name;
  Method method;
  Linear linear;
};
constexpr std::array<Contender, 5> contenders{{{"ida klu", Method::ida, Linear::klu},
                                               {"ida structured", Method::ida, Linear::structured},
                                               {"rk", Method::rk, Linear::automatic},
                                               {"rosenbrock", Method::rosenbrock, Linear::automatic},
                                               {"auto", Method::automatic, Linear::automatic}}};

void compare_steps(const Whole& whole, const Sampler& sampler, double end, int rounds, Table& table) {
  const std::size_t n = whole.model.bodies.count;
  const struct {
    const char* name;
    const char* prototype;
    Method method;
  } methods[] = {{"rk", "dp5", Method::rk}, {"rosenbrock", "rodas", Method::rosenbrock}};
  for (const auto& m : methods) {
    const auto best = interleaved(
        rounds, {[&] { return 1e-9 * yardstick(m.prototype, n, end); },
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
  const Trajectory exact =
      integrate(whole, options_for(Method::rk, Linear::automatic, 1e-12), sampler).trajectory;

  std::vector<std::function<double()>> runs;
  ReferenceRun reference;
  runs.emplace_back([&] {
    reference = reference_ida(whole.model, 1e-6, sampler);
    return reference.seconds;
  });
  std::vector<std::pair<const Contender*, Point>> measured;
  for (const Contender& c : contenders)
    for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
      if (c.method == Method::ida && rtol != 1e-6) continue;  // compared at equal tolerance
      measured.push_back({&c, Point{rtol, 0, 0, 0}});
    }
  for (auto& [contender, point] : measured)
    runs.emplace_back([&, c = contender, p = &point] {
      const Integration r = integrate(whole, options_for(c->method, c->linear, p->rtol), sampler);
      p->error = rms_nrmse(r.trajectory, exact);
      p->steps = r.counters.steps;
      return r.seconds;
    });
  const auto best = interleaved(rounds, runs);
  const double reference_error = rms_nrmse(reference.trajectory, exact);
  const auto nd = static_cast<double>(n);
  table.remark(fmt::format(
      "n = {}: reference IDA+KLU rtol 1e-6: {:.4f} s, {} steps, {:.0f} ns per step and mass, error {:.2e}", n,
      best[0], reference.steps, 1e9 * best[0] / static_cast<double>(reference.steps) / nd, reference_error));
  std::map<std::string, std::vector<Point>> curves;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    Point p = measured[i].second;
    p.seconds = best[i + 1];
    curves[measured[i].first->name].push_back(p);
    table.remark(
        fmt::format("  {:<15} rtol {:.0e}: {:.4f} s, {} steps, {:.1f} ns per step and mass, error {:.2e}",
                    measured[i].first->name, p.rtol, p.seconds, p.steps,
                    1e9 * p.seconds / static_cast<double>(p.steps) / nd, p.error));
  }
  const double klu = curves["ida klu"].front().seconds, structured = curves["ida structured"].front().seconds;
  const auto goal = [&](Goal g) { return targets ? g : Goal::none; };
  table.add({"solver", fmt::format("vector kernels: ida klu, n = {}", n), "Debian IDA+KLU", best[0], klu, "s",
             best[0] / klu, Goal::none, 0, "equal tolerance"});
  table.add({"solver", fmt::format("structured linear solver, n = {}", n), "our ida klu", klu, structured,
             "s", klu / structured, Goal::none, 0, "equal tolerance"});
  table.add({"solver", fmt::format("ida, our vectors and solver, n = {}", n), "Debian IDA+KLU", best[0],
             structured, "s", best[0] / structured, goal(Goal::at_least), 6, "equal tolerance"});
  double fastest = INFINITY;
  std::string winner;
  for (const char* name : {"rk", "rosenbrock", "auto"}) {
    const double t = time_at_error(curves[name], reference_error);
    table.add({"solver", fmt::format("integrator: {} at the reference's error, n = {}", name, n),
               "our ida structured", structured, t, "s", structured / t, Goal::none, 0, ""});
    if (t < fastest) {
      fastest = t;
      winner = name;
    }
  }
  table.add({"solver", fmt::format("best method ({}) at equal error, n = {}", winner, n), "Debian IDA+KLU",
             best[0], fastest, "s", best[0] / fastest, goal(Goal::at_least), 40,
             fmt::format("error {:.1e}", reference_error)});
  if (targets) compare_steps(whole, sampler, end, rounds + 2, table);
}

}  // namespace

void solver(const Options& options, Table& table) {
  const int rounds = options.quick ? 1 : 3;
  one_size(1000, options.quick ? 5e-4 : 2e-3, rounds, false, table);
  one_size(10'000, options.quick ? 2e-4 : 1e-3, rounds, true, table);
  if (!options.quick) one_size(100'000, 1e-4, rounds, false, table);
}

}  // namespace cosimo::bench
