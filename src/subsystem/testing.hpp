// Overlapping subsystems of a chain for tests, without partition/ and scheme/.
//
//   samples::OverlappedChain cut(spec, {20, 40}, options);     parts [0, 20), [20, 40), [40, n)
//   cut.carry_layers(8);                                       the same width everywhere
//   cut.step({0, H}, 30);                                      all lanes, 30 micro steps each; accepted
//   cut.x(), cut.v()                                           published by the owners
//   samples::Uncut whole(cut.model, options);                  the same model in one piece
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "model/equations.hpp"
#include "model/testing.hpp"
#include "subsystem/driven_part.hpp"
#include "subsystem/overlap.hpp"

namespace cosimo::samples {

inline std::vector<double> values(std::span<const double> x) {
  return {x.begin(), x.end()};
}

/// The bodies [owned.first - left, owned.last + right) of a chain, as far as there are any. The nearer half
/// of the copies is judged.
inline OverlappingPart part_of_chain(const Model& model, Range owned, std::size_t left, std::size_t right) {
  const std::size_t n = model.bodies.count;
  left = std::min(left, owned.first);
  right = std::min(right, n - owned.last);
  const std::size_t first = owned.first - left, last = owned.last + right;
  OverlappingPart result;
  for (std::size_t i = first; i < last; ++i) result.part.bodies.push_back(BodyId(i));
  result.part.owned = {left, left + owned.size()};
  result.judged = {left / 2, left + owned.size() + (right + 1) / 2};
  for (std::size_t e = first; e <= last; ++e) {
    const bool at_wall = e == 0 || e == n;
    const BodyId end = at_wall ? model.elements.from[e == 0 ? 0 : n] : ground;
    const BodyId other = at_wall ? model.elements.to[e == 0 ? 0 : n] : ground;
    const bool acts = end != ground || other != ground;  // no wall at a free end
    if (at_wall ? acts : e > first && e < last) result.part.elements.push_back(ElementId(e));
  }
  if (left > 0 && first > 0) result.edges.push_back({ElementId(first), BodyId(first), BodyId(first - 1)});
  if (right > 0 && last < n) result.edges.push_back({ElementId(last), BodyId(last - 1), BodyId(last)});
  return result;
}

class OverlappedChain {
 public:
  OverlappedChain(const ChainSpec& spec, std::vector<std::size_t> cuts, const IntegratorOptions& options)
      : model(make_chain(spec)), states(model.bodies.x, model.bodies.v) {
    cuts.insert(cuts.begin(), 0);
    cuts.push_back(model.bodies.count);
    for (std::size_t p = 0; p + 1 < cuts.size(); ++p) ranges.push_back({cuts[p], cuts[p + 1]});
    for (std::size_t p = 0; p + 1 < ranges.size(); ++p) {
      const std::size_t b = ranges[p].last;
      interface.couplings.push_back({ElementId(b), {PartId(p), BodyId(b - 1)}, {PartId(p + 1), BodyId(b)}});
    }
    for (std::size_t p = 0; p < ranges.size(); ++p)
      subsystems.push_back(std::make_unique<OverlapSubsystem>(
          model, part_of_chain(model, ranges[p], 0, 0).part, PartId(p), interface, options, breakpoints));
    for (const auto& subsystem : subsystems) {
      lanes.push_back(std::make_unique<OverlapLane>(*subsystem));
      lanes.back()->connect(states);
    }
  }
  OverlappedChain(const OverlappedChain&) = delete;
  OverlappedChain& operator=(const OverlappedChain&) = delete;

  void carry(std::size_t part, std::size_t left, std::size_t right) {
    lanes[part]->carry(
        std::make_shared<const OverlappingPart>(part_of_chain(model, ranges[part], left, right)));
  }
  void carry_layers(std::size_t layers) {
    for (std::size_t p = 0; p < lanes.size(); ++p) carry(p, layers, layers);
  }

  StepResult advance(std::size_t part, const Window& window, std::int64_t grid = 0,
                     const Sampling& samples = {}) {
    const std::vector<Polynomial> inputs(subsystems[part]->ports().size());
    lanes[part]->use_grid(grid);
    return lanes[part]->advance(window, inputs, samples);
  }
  /// All parts in order; false when one failed. The step is accepted if all are good.
  bool step(const Window& window, std::int64_t grid = 0) {
    for (std::size_t p = 0; p < lanes.size(); ++p)
      if (advance(p, window, grid).status != StepStatus::ok) return false;
    states.accept();
    return true;
  }

  std::vector<double> x() const { return values(states.x()); }
  std::vector<double> v() const { return values(states.v()); }

  Model model;
  std::vector<Range> ranges;
  Interface interface;
  std::vector<double> breakpoints;
  BodyStates states;
  std::vector<std::unique_ptr<OverlapSubsystem>> subsystems;
  std::vector<std::unique_ptr<OverlapLane>> lanes;
};

/// The model in one piece.
class Uncut {
 public:
  Uncut(const Model& model, const IntegratorOptions& options)
      : equations_(model, whole_of(model)),
        system_(equations_, {}),
        integrator(make_integrator(system_, options)) {
    integrator->start(0.0, equations_.initial_position(), equations_.initial_velocity());
  }
  bool step(double end, std::int64_t grid = 0, const Sampling& samples = {}) {
    integrator->use_grid(grid);
    return integrator->advance(end, samples).ok;
  }
  std::vector<double> x() const { return values(integrator->position()); }
  std::vector<double> v() const { return values(integrator->velocity()); }

 private:
  static Part whole_of(const Model& model) {
    return part_of_chain(model, {0, model.bodies.count}, 0, 0).part;
  }
  Equations equations_;
  DrivenPart system_;

 public:
  std::unique_ptr<Integrator> integrator;
};

inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i) result = std::max(result, std::fabs(a[i] - b[i]));
  return result;
}

/// Unit masses and springs without damping: tau = H, and an error decays like J_2w(2 H).
inline ChainSpec unit_chain(std::size_t masses, std::uint64_t seed = 1) {
  ChainSpec spec;
  spec.masses = masses;
  spec.c = 1.0;
  spec.x = Uniform{-1, 1};
  spec.v = Uniform{-1, 1};
  spec.seed = seed;
  return spec;
}

inline IntegratorOptions options_of(Method method, double tolerance) {
  IntegratorOptions options;
  options.method = method;
  options.tolerances = {tolerance, tolerance, tolerance};
  return options;
}

}  // namespace cosimo::samples
