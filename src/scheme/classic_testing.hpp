// Short chains with classic cuts, for tests of the schemes: what simulation/ makes from a scenario file,
// without it.
//
//   ClassicBench bench(3, {.damping = 2, .nonlinear = true});       // three bodies, a part each
//   ExplicitScheme scheme(bench.lanes, bench.conditions, 0, {});
//   const Candidate c = step(scheme, 0.01, 1);                      // from where the bench stands
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/cut_laws.hpp"
#include "model/graphs.hpp"
#include "scheme/classic.hpp"
#include "subsystem/multibody.hpp"

namespace cosimo::testing {

struct ClassicSettings {
  double damping = 2;
  bool nonlinear = false;
  Drive first = Drive::force, second = Drive::force;  ///< of the ends of every cut, by body number
  Beside beside = Beside::none;
};

class ClassicBench {
 public:
  explicit ClassicBench(std::size_t bodies, const ClassicSettings& settings = {})
      : model(make_model(bodies, settings)),
        partition(cut(model, settings)),
        conditions(make_laws(model, partition.interface), partition.interface),
        subsystems(make_subsystems()),
        recorded(subsystems.size()),
        pool(1),
        lanes(subsystems, recorded, pool, settings.beside, true) {}

  const Model model;
  const Partition partition;
  const CouplingConditions conditions;
  const std::vector<std::unique_ptr<Component>> subsystems;
  const std::vector<Recorded> recorded;
  Pool pool;
  LaneSet lanes;

 private:
  static Model make_model(std::size_t bodies, const ClassicSettings& settings) {
    Model model;
    model.bodies.count = bodies;
    model.bodies.mass = Field(1.5);
    model.elements.c = Field(100.0);
    model.elements.d = Field(settings.damping);
    if (settings.nonlinear) {
      model.elements.C = Field(50.0);
      model.elements.D = Field(0.02);
    }
    for (std::size_t i = 0; i < bodies; ++i) {
      model.bodies.x.push_back(i % 2 == 0 ? 1.0 : -0.4);
      model.bodies.v.push_back(3.0 - static_cast<double>(i));
      model.elements.from.push_back(i == 0 ? BodyId{} : BodyId{i - 1});
      model.elements.to.push_back(BodyId{i});
    }
    return model;
  }

  static Partition cut(const Model& model, const ClassicSettings& settings) {
    Partition made = make_partition(model, {static_cast<std::int64_t>(model.bodies.count), CutMethod::equal});
    for (Coupling& c : made.interface.couplings) {
      c.from.drive = settings.first;
      c.to.drive = settings.second;
    }
    return made;
  }

  std::vector<std::unique_ptr<Component>> make_subsystems() const {
    IntegratorOptions solver;
    solver.method = Method::rk;
    solver.tolerances = {1e-13, 1e-15, 1e-13};
    std::vector<std::unique_ptr<Component>> made;
    for (std::size_t i = 0; i < partition.parts.size(); ++i)
      made.push_back(std::make_unique<MultibodySubsystem>(model, partition.parts[i], PartId{i},
                                                          partition.interface, solver));
    return made;
  }
};

/// One attempt from the last accepted point.
inline Candidate attempt(ClassicScheme& scheme, double H, int kappa) {
  const double t = scheme.history().time(0);
  return scheme.attempt({{t, t + H}, kappa}, {});
}

/// The same, accepted.
inline Candidate step(ClassicScheme& scheme, double H, int kappa) {
  const Candidate candidate = attempt(scheme, H, kappa);
  scheme.accept();
  return candidate;
}

/// All that is known at the end of an attempt, as plain numbers.
inline std::vector<double> numbers(const ClassicScheme& scheme) {
  const PointView p = scheme.point();
  std::vector<double> all(p.u.begin(), p.u.end());
  for (const auto* part : {&p.y.from_x, &p.y.from_v, &p.y.to_x, &p.y.to_v})
    all.insert(all.end(), part->begin(), part->end());
  return all;
}

/// How far the coupling variables are from those that belong to the states, at most.
inline double inconsistency(const ClassicBench& bench, const ClassicScheme& scheme) {
  std::vector<double> u(bench.conditions.size());
  bench.conditions.evaluate(0, scheme.point().y, u);
  double most = 0;
  for (std::size_t i = 0; i < u.size(); ++i) most = std::max(most, std::fabs(u[i] - scheme.point().u[i]));
  return most;
}

}  // namespace cosimo::testing
