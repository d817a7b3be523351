// Runs with overlapping subsystems of models made by hand, for tests: what simulation/ makes from a scenario
// file, without the file.
//
//   OverlapBench bench(model, {4, CutMethod::metis}, settings);
//   Candidate c = bench.step(H);                              one macro step with what settings say
//   RunResult cut = bench.run(times);                         a controlled run, states at these times
//   RunResult whole = run_uncut(model, options, times);       the same model uncut
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "control/controller.hpp"
#include "core/check.hpp"
#include "model/cut_laws.hpp"
#include "model/graphs.hpp"
#include "scheme/overlap.hpp"
#include "scheme/overlap_control.hpp"
#include "subsystem/multibody.hpp"
#include "subsystem/overlap.hpp"
#include "subsystem/overlapping.hpp"

namespace cosimo::testing {

struct OverlapSettings {
  IntegratorOptions solver;
  OverlapOptions overlap;
};

/// The tolerances that a scenario with `solve: {rtol}` and nothing else leads to.
inline Tolerances default_tolerances(double rtol) {
  return {rtol, 1e-3 * rtol, rtol};
}

inline OverlapSettings default_settings(double rtol) {
  OverlapSettings settings;
  settings.solver.tolerances = default_tolerances(rtol);
  settings.overlap = {rtol, 1e-3 * rtol, rtol, 6, {}};
  return settings;
}

/// States of all bodies, in body order, at the times asked for.
struct RunResult {
  bool ok = false;
  std::vector<std::vector<double>> x, v;  ///< per time
  std::int64_t accepted = 0, rejected = 0;
};

class OverlapBench {
 public:
  OverlapBench(Model given, const PartitionRequest& request, const OverlapSettings& settings)
      : model(std::move(given)),
        partition(make_partition(model, request)),
        graph(make_graph(model)),
        part_of(owners(model, partition)),
        breakpoints(cosimo::breakpoints(model.loads)),
        laws(make_laws(model, partition.interface)),
        physics(make_overlapping(model, *graph, partition.interface.couplings, settings.overlap.states())),
        subsystems(make_subsystems(settings.solver)),
        recorded(all_bodies()),
        pool(1),
        lanes(subsystems, recorded, pool, Beside::none, true),
        scheme(lanes, subsystems, {*physics, part_of, partition.interface.couplings, {}}, *laws,
               settings.overlap, pool) {}

  /// One attempt from where the bench stands, with overlaps fitted to its size.
  Candidate step(double H) {
    scheme.plan(H);
    const double ends[] = {H};
    return scheme.attempt({{0, H}, 0}, ends);
  }

  /// A controlled run from 0 to the last of `times`.
  RunResult run(std::span<const double> times) {
    OverlapControlOptions options;
    options.t_end = times.back();
    OverlapControl control(scheme, options);
    RunResult result;
    Decision decision = control.first();
    double t = 0;
    for (int attempts = 0; t < options.t_end && attempts < most_attempts; ++attempts) {
      const Window window{t, end_of(t, decision.H, options.t_end)};
      const auto first = std::upper_bound(times.begin(), times.end(), t);
      const auto last = std::upper_bound(first, times.end(), window.end);
      const Candidate candidate = scheme.attempt({window, 0}, {first, last});
      const StepOutcome here{t, window.size(), decision.H, candidate};
      if (candidate.ok && Controller::passes(candidate.norms)) {
        scheme.accept();
        ++result.accepted;
        t = window.end;
        for (std::size_t k = 0; k < static_cast<std::size_t>(last - first); ++k) keep(k, result);
        decision = control.accepted({t, window.size(), decision.H, candidate});
      } else {
        scheme.reject();
        ++result.rejected;
        decision = candidate.ok ? control.rejected(here) : control.failed(here);
      }
      if (decision.too_small) return result;
    }
    result.ok = t >= options.t_end;
    return result;
  }

  /// Appends the states at an output time of the last attempt.
  void keep(std::size_t row, RunResult& result) const {
    result.x.emplace_back(model.bodies.count);
    result.v.emplace_back(model.bodies.count);
    lanes.sample(row, result.x.back(), result.v.back());
  }

  Model model;
  Partition partition;
  std::unique_ptr<BodyGraph> graph;
  std::vector<std::int32_t> part_of;
  std::vector<double> breakpoints;
  std::shared_ptr<const Laws> laws;
  std::unique_ptr<Overlapping> physics;
  std::vector<std::unique_ptr<Component>> subsystems;
  std::vector<Recorded> recorded;
  Pool pool;
  LaneSet lanes;
  OverlapScheme scheme;

 private:
  static constexpr int most_attempts = 1'000'000;

  static std::vector<std::int32_t> owners(const Model& model, const Partition& partition) {
    std::vector<std::int32_t> owner(model.bodies.count);
    for (std::size_t p = 0; p < partition.parts.size(); ++p)
      for (const BodyId body : partition.parts[p].bodies) owner[body.index()] = static_cast<std::int32_t>(p);
    return owner;
  }

  std::vector<std::unique_ptr<Component>> make_subsystems(const IntegratorOptions& solver) const {
    std::vector<std::unique_ptr<Component>> made;
    for (std::size_t i = 0; i < partition.parts.size(); ++i)
      made.push_back(std::make_unique<OverlapSubsystem>(model, partition.parts[i], PartId{i},
                                                        partition.interface, solver, breakpoints));
    return made;
  }

  std::vector<Recorded> all_bodies() const {
    std::vector<Recorded> all(subsystems.size());
    for (std::size_t s = 0; s < all.size(); ++s)
      for (std::size_t i = 0; i < subsystems[s]->bodies().size(); ++i) {
        all[s].dofs.push_back(static_cast<std::int32_t>(i));
        all[s].columns.push_back(subsystems[s]->bodies()[i].index());
      }
    return all;
  }

  /// As the time loop of a run does it: the last steps before an edge are equally long.
  double end_of(double t, double H, double t_end) const {
    double target = t_end;
    for (const auto& subsystem : subsystems) target = std::min(target, subsystem->next_event(t));
    const double left = target - t;
    if (left <= H * (1 + 1e-9)) return target;
    return left < 2 * H ? t + 0.5 * left : t + H;
  }
};

/// The same model in one piece.
inline RunResult run_uncut(const Model& model, const IntegratorOptions& options,
                           std::span<const double> times) {
  const Partition whole = uncut(model);
  const MultibodySubsystem subsystem(model, whole.parts.front(), PartId{0}, whole.interface, options);
  const auto lane = subsystem.make_lane();
  RunResult result;
  double t = 0;
  for (const double end : times) {
    if (lane->advance({t, end}, {}, {}).status != StepStatus::ok) return result;
    t = end;
    result.x.emplace_back(model.bodies.count);
    result.v.emplace_back(model.bodies.count);
    for (std::size_t i = 0; i < model.bodies.count; ++i) {
      const std::size_t body = subsystem.bodies()[i].index();
      result.x.back()[body] = lane->position()[i];
      result.v.back()[body] = lane->velocity()[i];
    }
  }
  result.ok = true;
  return result;
}

/// Root mean square over all bodies and both levels of the NRMSE (5.1) over the times.
inline double nrmse(const RunResult& run, const RunResult& reference) {
  double total = 0;
  std::size_t columns = 0;
  const auto add = [&](const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
    const std::size_t rows = b.size(), bodies = b.front().size();
    for (std::size_t j = 0; j < bodies; ++j, ++columns) {
      double mean = 0, error = 0, spread = 0;
      for (std::size_t i = 0; i < rows; ++i) mean += b[i][j] / static_cast<double>(rows);
      for (std::size_t i = 0; i < rows; ++i) {
        error += (a[i][j] - b[i][j]) * (a[i][j] - b[i][j]);
        spread += (b[i][j] - mean) * (b[i][j] - mean);
      }
      total += error / spread;
    }
  };
  add(run.x, reference.x);
  add(run.v, reference.v);
  return std::sqrt(total / static_cast<double>(columns));
}

}  // namespace cosimo::testing
