// Small cut models for the tests of ports and interface Jacobians.
//
//   CutPair pair(linear_pair());                             two masses between walls, cut in the middle
//   auto left = pair.subsystem(0, pair.interface(Drive::force, Drive::motion));
//   CutChain chain(spec, 10, 30);                            bodies [10, 30) as a part with two ports
//   central_difference(subsystem, inputs, i, shape, window, size)   d(outputs)/d(end value of input i)
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "model/chain.hpp"
#include "subsystem/multibody.hpp"

namespace cosimo::samples {

inline IntegratorOptions tight_options(Method method = Method::rk) {
  IntegratorOptions options;
  options.method = method;
  options.tolerances = {1e-13, 1e-14, 1e-14};
  return options;
}

inline ChainSpec linear_pair() {
  ChainSpec spec;
  spec.masses = 2;
  spec.mass = std::vector<double>{1.5, 0.6};
  spec.c = std::vector<double>{3.0, 5.0, 2.0};
  spec.d = std::vector<double>{0.2, 0.7, 0.1};
  spec.x = std::vector<double>{0.3, -0.4};
  spec.v = std::vector<double>{-1.0, 0.5};
  return spec;
}

inline ChainSpec nonlinear_pair() {
  ChainSpec spec = linear_pair();
  spec.C = std::vector<double>{2.0, 4.0, 1.0};
  spec.D = std::vector<double>{0.3, 0.2, 0.5};
  return spec;
}

/// Two masses between walls; element 1 is cut.
struct CutPair {
  Model model;
  std::vector<Part> parts;

  explicit CutPair(const ChainSpec& spec) : model(make_chain(spec)) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
      parts.push_back({{BodyId(i)}, {0, 1}, {ElementId(2 * i)}});
  }
  Interface interface(Drive from, Drive to) const {
    const BodyId left(std::size_t{0}), right(std::size_t{1});
    return {{{ElementId(std::size_t{1}),
              {PartId(std::size_t{0}), left, from},
              {PartId(std::size_t{1}), right, to}}}};
  }
  std::unique_ptr<MultibodySubsystem> subsystem(std::size_t part, const Interface& interface,
                                                const IntegratorOptions& options = tight_options()) const {
    return std::make_unique<MultibodySubsystem>(model, parts[part], PartId(part), interface, options);
  }
};

/// The bodies [first, last) of a chain as part 0, with a port at each end that is not a wall.
struct CutChain {
  Model model;
  Part part;
  Interface interface;

  /// `shuffled` coordinates: the pattern is no path then.
  CutChain(const ChainSpec& spec, std::size_t first, std::size_t last, Drive at_first, Drive at_last,
           bool shuffled = false)
      : model(make_chain(spec)) {
    const std::size_t n = last - first;
    for (std::size_t i = 0; i < n; ++i) part.bodies.push_back(BodyId(first + (shuffled ? (i * 7) % n : i)));
    part.owned = {0, n};
    for (std::size_t e = first + 1; e < last; ++e) part.elements.push_back(ElementId(e));
    const PartId own(std::size_t{0}), other(std::size_t{1});
    if (first > 0)
      interface.couplings.push_back(
          {ElementId(first), {other, BodyId(first - 1)}, {own, BodyId(first), at_first}});
    else
      part.elements.insert(part.elements.begin(), ElementId(std::size_t{0}));
    if (last < model.bodies.count)
      interface.couplings.push_back(
          {ElementId(last), {own, BodyId(last - 1), at_last}, {other, BodyId(last)}});
    else
      part.elements.push_back(ElementId(last));
  }
  std::unique_ptr<MultibodySubsystem> subsystem(const IntegratorOptions& options = tight_options()) const {
    return std::make_unique<MultibodySubsystem>(model, part, PartId(std::size_t{0}), interface, options);
  }
};

/// The Lagrange basis polynomial of the window's end on equidistant macro points; 1 for degree 0.
inline Polynomial end_shape(const Window& window, int degree) {
  std::vector<double> nodes{window.end}, values{1.0};
  for (int j = 0; j < degree; ++j) {
    nodes.push_back(window.begin - j * window.size());
    values.push_back(0.0);
  }
  return interpolate(nodes, values, window.begin, window.size());
}

inline Polynomial sum(const Polynomial& p, double factor, const Polynomial& q) {
  // Both through the same nodes: interpolation is exact.
  const int degree = std::max(p.degree, q.degree);
  std::vector<double> nodes, values;
  for (int j = 0; j <= degree; ++j) {
    nodes.push_back(q.origin + q.scale * j / std::max(degree, 1));
    values.push_back(p(nodes.back()) + factor * q(nodes.back()));
  }
  return interpolate(nodes, values, q.origin, q.scale);
}

/// d(outputs at the end of the window) / d(end value of an input), from two perturbed advances of new lanes.
inline std::vector<PortState> central_difference(const Component& subsystem, std::vector<Polynomial> inputs,
                                                 std::size_t input, const Polynomial& shape,
                                                 const Window& window, double size,
                                                 const Snapshot* from = nullptr) {
  const std::size_t ports = subsystem.ports().size();
  std::vector<PortState> plus(ports), minus(ports);
  const Polynomial kept = inputs[input];
  for (std::vector<PortState>* y : {&plus, &minus}) {
    inputs[input] = sum(kept, y == &plus ? size : -size, shape);
    const auto lane = subsystem.make_lane();
    if (from != nullptr) lane->restore(*from);
    if (lane->advance(window, inputs, {}).status != StepStatus::ok) return {};
    lane->outputs(0, {}, *y);
  }
  for (std::size_t p = 0; p < ports; ++p)
    plus[p] = {(plus[p].x - minus[p].x) / (2 * size), (plus[p].v - minus[p].v) / (2 * size)};
  return plus;
}

}  // namespace cosimo::samples
