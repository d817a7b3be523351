// Interfaces of any shape for the tests of this module.
//
//   samples::Cuts cuts({{0, 1, force, motion}, {1, 2}}, true);   // part, part, drive of either
//   cuts.conditions, cuts.blocks, cuts.random_states(seed)
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "coupling/conditions.hpp"
#include "coupling/newton_system.hpp"
#include "model/cut_laws.hpp"

namespace cosimo::samples {

struct Cut {
  std::size_t from = 0, to = 1;  ///< parts
  Drive from_drive = Drive::force, to_drive = Drive::force;
};

/// Every cut element has two bodies of its own: only the interface matters here.
inline Model cut_model(std::size_t cuts, bool nonlinear) {
  const RandomStream random(11, 3);
  Model model;
  model.bodies.count = 2 * cuts;
  model.bodies.mass = Field(1.0);
  std::vector<double> c, d, C, D;
  for (std::size_t i = 0; i < cuts; ++i) {
    model.elements.from.push_back(BodyId{2 * i});
    model.elements.to.push_back(BodyId{2 * i + 1});
    c.push_back(random.uniform(4 * i, 2, 5));
    d.push_back(random.uniform(4 * i + 1, 0.5, 1.5));
    C.push_back(nonlinear ? random.uniform(4 * i + 2, 1, 2) : 0.0);
    D.push_back(nonlinear ? random.uniform(4 * i + 3, 0.3, 0.6) : 0.0);
  }
  model.elements.c = Field(c);
  model.elements.d = Field(d);
  model.elements.C = Field(C);
  model.elements.D = Field(D);
  return model;
}

inline Interface cut_interface(const std::vector<Cut>& cuts) {
  Interface interface;
  for (std::size_t i = 0; i < cuts.size(); ++i)
    interface.couplings.push_back({ElementId{i},
                                   {PartId{cuts[i].from}, BodyId{2 * i}, cuts[i].from_drive},
                                   {PartId{cuts[i].to}, BodyId{2 * i + 1}, cuts[i].to_drive}});
  return interface;
}

/// Ports and inputs of all parts, in the order of the couplings.
inline std::vector<InterfaceBlock> cut_blocks(const Interface& interface) {
  const CouplingVariables variables(interface);
  std::vector<InterfaceBlock> blocks;
  const auto connect = [&](const CutEnd& end, CouplingId coupling, CutSide side) {
    if (blocks.size() <= end.part.index()) blocks.resize(end.part.index() + 1);
    InterfaceBlock& block = blocks[end.part.index()];
    block.ports.push_back({coupling, side, end.coordinates});
    const std::size_t first = variables.driving(coupling, side);
    for (std::size_t k = 0; k < variables.driving_count(coupling, side); ++k)
      block.inputs.push_back(first + k);
  };
  for (std::size_t c = 0; c < interface.couplings.size(); ++c) {
    connect(interface.couplings[c].from, CouplingId{c}, CutSide::from);
    connect(interface.couplings[c].to, CouplingId{c}, CutSide::to);
  }
  return blocks;
}

/// Of a variable of a scalar model; zero where it does not depend on the end.
inline Slope slope_at(const ConditionGradients& gradients, std::size_t variable, CutSide side) {
  const auto slopes = gradients.at(variable, side);
  return slopes.empty() ? Slope{} : slopes[0];
}

struct Cuts {
  Model model;
  Interface interface;
  CouplingConditions conditions;
  std::vector<InterfaceBlock> blocks;

  Cuts(const std::vector<Cut>& cuts, bool nonlinear)
      : model(cut_model(cuts.size(), nonlinear)),
        interface(cut_interface(cuts)),
        conditions(make_laws(model, interface), interface),
        blocks(cut_blocks(interface)) {}

  std::size_t couplings() const { return interface.couplings.size(); }
  CutStates random_states(std::uint64_t seed) const {
    const RandomStream random(seed, 4);
    CutStates y(couplings());
    for (std::size_t c = 0; c < couplings(); ++c) {
      y.from_x[c] = random.uniform(4 * c, -1, 1);
      y.from_v[c] = random.uniform(4 * c + 1, -1, 1);
      y.to_x[c] = random.uniform(4 * c + 2, -1, 1);
      y.to_v[c] = random.uniform(4 * c + 3, -1, 1);
    }
    return y;
  }
  std::vector<double> random_variables(std::uint64_t seed) const {
    const RandomStream random(seed, 5);
    std::vector<double> u(conditions.size());
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = random.uniform(i, -1, 1);
    return u;
  }
};

/// All decompositions in one interface: force/force, force/displacement both ways, displacement/displacement.
inline std::vector<Cut> mixed_cuts() {
  return {{0, 1, Drive::force, Drive::force},
          {1, 2, Drive::force, Drive::motion},
          {2, 3, Drive::motion, Drive::force},
          {3, 0, Drive::motion, Drive::motion}};
}

}  // namespace cosimo::samples
