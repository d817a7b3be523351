#include "studies/feedthrough_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cosimo::studies {
namespace {

struct Way {
  std::string name;
  const char* scheme = "explicit";
  const char* kind = "force-displacement";
  const char* sequence = "";
  const char* update = "consistent";
};

constexpr const char* force_first = ", sequence: {gauss-seidel: [1, 2]}";
constexpr const char* base_first = ", sequence: {gauss-seidel: [2, 1]}";

const std::array<Way, feedthrough_ways>& all_ways() {
  static const std::array<Way, feedthrough_ways> ways{{
      {.name = "force/force, Jacobi", .kind = "force-force"},
      {.name = "displ./displ., Jacobi", .kind = "displacement-displacement"},
      {.name = "force/force, Gauss-Seidel", .kind = "force-force", .sequence = force_first},
      {.name = "displ./displ., Gauss-Seidel", .kind = "displacement-displacement", .sequence = force_first},
      {.name = "a) update, Jacobi"},
      {.name = "a) update, GS force-driven first", .sequence = force_first},
      {.name = "a) update, GS base-driven first", .sequence = base_first},
      {.name = "b) no update, Jacobi", .update = "none"},
      {.name = "c) no update, GS force-driven first", .sequence = force_first, .update = "none"},
      {.name = "d) no update, GS base-driven first", .sequence = base_first, .update = "none"},
      {.name = "implicit, no update",
       .scheme = "implicit, corrector_rtol: 1.0e-12, corrector_atol: 1.0e-12",
       .update = "none"},
  }};
  return ways;
}

const Way& way_of(FeedthroughWay way) {
  return all_ways()[static_cast<std::size_t>(way)];
}

double rms(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(values.size(), 1)));
}

/// States of both masses at the output times.
struct Motion {
  std::vector<double> x, v;
  explicit Motion(const ResultFolder& results)
      : x(results.positions(0, results.time().size(), 0, 2)),
        v(results.velocities(0, results.time().size(), 0, 2)) {}

  /// Coupling variables that the states of a row give, as they are recorded: forces, then motions of mass 1.
  std::vector<double> coupling(const std::string& kind, std::size_t row) const {
    const double *p = &x[2 * row], *w = &v[2 * row];
    const double force = DampedOscillator::force(p[1] - p[0], w[1] - w[0]);
    if (kind == "force-force") return {force};
    if (kind == "force-displacement") return {force, p[0], w[0]};
    return {p[1], w[1], p[0], w[0]};
  }
};

/// Compares stored coupling variables with those of the run's own states and with the true ones.
void judge_coupling(const std::string& kind, const Trial& trial, const Trial& reference,
                    FeedthroughErrors& out) {
  const ResultFolder& mine = trial.results();
  const Motion ours(mine), truth(reference.results());
  const std::size_t n = mine.variables();
  const std::vector<double> u = mine.coupling(0, mine.points().size(), 0, n);
  double stored = 0, error = 0, size = 0;
  for (std::size_t row = 0; row < mine.time().size(); ++row) {
    const auto here = [&](double point) { return std::fabs(point - mine.time()[row]) < 1e-9; };
    const auto point = std::find_if(mine.points().begin(), mine.points().end(), here);
    if (point == mine.points().end()) continue;  // the start is no macro point
    const double* at = &u[static_cast<std::size_t>(point - mine.points().begin()) * n];
    const std::vector<double> own = ours.coupling(kind, row), exact = truth.coupling(kind, row);
    for (std::size_t i = 0; i < n; ++i) {
      stored = std::max(stored, std::fabs(at[i] - own[i]));
      error += (at[i] - exact[i]) * (at[i] - exact[i]);
      size += exact[i] * exact[i];
    }
  }
  out.stored.push_back(stored);
  out.coupling.push_back(std::sqrt(error / size));
}

void judge_sample(const Trial& trial, FeedthroughErrors& out) {
  const std::vector<double> x = trial.results().local_positions(), v = trial.results().local_velocities();
  std::vector<double> force;
  for (std::size_t i = 0; i + 1 < x.size(); i += 2)
    force.push_back(DampedOscillator::force(x[i + 1] - x[i], v[i + 1] - v[i]));
  out.sample.push_back(rms(force));
}

}  // namespace

const std::string& name_of(FeedthroughWay way) {
  return way_of(way).name;
}

std::string couple_of(FeedthroughWay way) {
  const Way& w = way_of(way);
  const std::string kind(w.kind);
  const std::string decomposition =
      kind == "force-displacement" ? "{kind: force-displacement, displaced: second}, update: " : kind;
  return fmt::format("scheme: {}, decomposition: {}{}{}", w.scheme, decomposition,
                     kind == "force-displacement" ? w.update : "", w.sequence);
}

bool FeedthroughErrors::is_consistent() const {
  return *std::max_element(stored.begin(), stored.end()) < 1e-9;
}

FeedthroughTable measure_feedthrough(OscillatorBench& bench, int degrees, std::span<const double> steps) {
  FeedthroughTable table;
  for (std::size_t i = 0; i < feedthrough_ways; ++i) {
    const auto way = static_cast<FeedthroughWay>(i);
    const bool updated = way_of(way).update == std::string("consistent");
    for (int kappa = 0; kappa < degrees; ++kappa) {
      FeedthroughErrors& errors = table[i].emplace_back();
      const auto look = [&](const Trial& trial) {
        judge_coupling(way_of(way).kind, trial, bench.reference(), errors);
        judge_sample(trial, errors);
        // In units of a tolerance that is 1 for every variable: what the estimator exCV compares.
        if (updated) errors.predicted.push_back(rms(trial.results().steps().error));
      };
      errors.orders =
          bench.measure(fmt::format("way{}", i), couple_of(way), kappa, steps, look,
                        updated ? "estimator: exCV, rtol: 1.0e-15, atol_u: 1, atol_pos: 1, atol_vel: 1" : "");
    }
  }
  return table;
}

}  // namespace cosimo::studies
