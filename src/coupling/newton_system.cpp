#include "coupling/newton_system.hpp"

#include <cstdint>
#include <string>

#include "core/check.hpp"

namespace cosimo {
namespace {

/// Where an end of a coupling is found among the subsystems.
struct PortPlace {
  bool known = false;
  std::size_t block = 0, output = 0;  ///< of its first coordinate
};

std::size_t end_index(CouplingId coupling, CutSide side) {
  return 2 * coupling.index() + (side == CutSide::to ? 1 : 0);
}

std::vector<PortPlace> find_ports(std::size_t couplings, std::span<const InterfaceBlock> blocks) {
  std::vector<PortPlace> places(2 * couplings);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::size_t output = 0;
    for (const InterfaceBlock::End& end : blocks[b].ports) {
      COSIMO_CHECK(end.coupling.valid() && end.coupling.index() < couplings, "a port without a coupling");
      PortPlace& place = places[end_index(end.coupling, end.side)];
      COSIMO_CHECK(!place.known, "two ports at one end of coupling " + std::to_string(end.coupling.label()));
      place = {true, b, output};
      output += end.coordinates;
    }
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    COSIMO_CHECK(places[i].known, "no port at an end of coupling " + std::to_string(i / 2 + 1));
  return places;
}

}  // namespace

/// The matrix is a sum of terms with a fixed place each, so that filling it is one loop per kind of term. In
/// the values of the factorisation the unit diagonal comes first, then the feed-through, then the responses.
struct NewtonSystem::Impl {
  /// What the state at one end of its coupling, moved by one input of the subsystem there, adds to a
  /// condition.
  struct Term {
    std::uint32_t variable = 0;
    std::uint32_t block = 0;
    std::uint32_t response = 0;  ///< place in the block's responses; those of further coordinates follow
    CutSide side = CutSide::from;
  };

  std::size_t n = 0;
  std::vector<std::size_t> response_count;  ///< per block
  std::vector<std::size_t> feeds;           ///< forces that depend on the variables of a motion
  std::vector<Term> terms;
  std::vector<SparseLu::Entry> entries;  ///< of the values, in their order
  std::vector<double> sizes;             ///< of the variables that the factors are for; empty: one
  SparseLu lu;

  Impl(const CouplingConditions& conditions, std::span<const InterfaceBlock> blocks);
  SparseLu analyse(const CouplingConditions& conditions, std::span<const InterfaceBlock> blocks);
  void add_entry(std::size_t row, std::size_t column) {
    entries.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(column)});
  }
  void add_feeds(const CouplingVariables& variables);
  void add_responses(const CouplingVariables& variables, std::span<const InterfaceBlock> blocks);
};

NewtonSystem::Impl::Impl(const CouplingConditions& conditions, std::span<const InterfaceBlock> blocks)
    : n(conditions.size()), lu(analyse(conditions, blocks)) {}

SparseLu NewtonSystem::Impl::analyse(const CouplingConditions& conditions,
                                     std::span<const InterfaceBlock> blocks) {
  for (std::size_t i = 0; i < n; ++i) add_entry(i, i);
  add_feeds(conditions.variables());
  add_responses(conditions.variables(), blocks);
  return SparseLu(n, entries);
}

/// One side driven by the force, the other by motion: whether the force feeds through is known only when the
/// gradients come.
void NewtonSystem::Impl::add_feeds(const CouplingVariables& variables) {
  const ConditionGradients gradients(variables);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t coordinates = gradients.motion(i).size(), first = gradients.motion_variable(i);
    if (coordinates > 0) feeds.push_back(i);
    for (std::size_t k = 0; k < coordinates; ++k) {
      add_entry(i, first + k);
      add_entry(i, first + coordinates + k);
    }
  }
}

void NewtonSystem::Impl::add_responses(const CouplingVariables& variables,
                                       std::span<const InterfaceBlock> blocks) {
  const std::vector<PortPlace> ports = find_ports(variables.couplings(), blocks);
  for (const InterfaceBlock& block : blocks) {
    response_count.push_back(block.inputs.size() * block.outputs());
    for (const std::size_t input : block.inputs)
      COSIMO_CHECK(input < n, "an input of coupling variable " + std::to_string(input + 1));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const bool effort = is_effort(variables[i].quantity);
      if (!effort && variables[i].of != side) continue;
      const PortPlace& place = ports[end_index(variables[i].coupling, side)];
      const InterfaceBlock& block = blocks[place.block];
      const std::size_t outputs = block.outputs();
      const std::size_t first = place.output + (effort ? 0 : variables[i].component);
      for (std::size_t input = 0; input < block.inputs.size(); ++input) {
        terms.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(place.block),
                         static_cast<std::uint32_t>(input * outputs + first), side});
        add_entry(i, block.inputs[input]);
      }
    }
}

NewtonSystem::NewtonSystem(const CouplingConditions& conditions, std::span<const InterfaceBlock> blocks)
    : impl_(std::make_unique<Impl>(conditions, blocks)) {}
NewtonSystem::~NewtonSystem() = default;

bool NewtonSystem::factor(const ConditionGradients& gradients,
                          std::span<const std::span<const OutputDerivative>> responses,
                          std::span<const double> sizes) {
  Impl& m = *impl_;
  COSIMO_CHECK(gradients.size() == m.n, "gradients of another interface");
  COSIMO_CHECK(responses.size() == m.response_count.size(), "responses of other subsystems");
  for (std::size_t b = 0; b < responses.size(); ++b)
    COSIMO_CHECK(responses[b].size() == m.response_count[b],
                 "responses of subsystem " + std::to_string(b + 1) + ": " +
                     std::to_string(responses[b].size()) + " for " + std::to_string(m.response_count[b]));

  double* value = m.lu.values().data();
  for (std::size_t i = 0; i < m.n; ++i) *value++ = 1.0;
  for (const std::size_t variable : m.feeds)
    for (const Slope& slope : gradients.motion(variable)) {
      *value++ = -slope.x;
      *value++ = -slope.v;
    }
  for (const Impl::Term& term : m.terms) {
    const auto g = gradients.at(term.variable, term.side);
    const OutputDerivative* const y = responses[term.block].data() + term.response;
    double sum = g[0].x * y[0].x + g[0].v * y[0].v;
    for (std::size_t k = 1; k < g.size(); ++k) sum += g[k].x * y[k].x + g[k].v * y[k].v;
    *value++ = -sum;
  }
  for (std::size_t k = 0; k < m.entries.size() && !sizes.empty(); ++k)
    m.lu.values()[k] *= sizes[static_cast<std::size_t>(m.entries[k].column)] /
                        sizes[static_cast<std::size_t>(m.entries[k].row)];
  if (!m.lu.factor()) return false;
  m.sizes.assign(sizes.begin(), sizes.end());
  return true;
}

bool NewtonSystem::factored() const {
  return impl_->lu.factored();
}

void NewtonSystem::solve(std::span<double> residual) const {
  const std::vector<double>& sizes = impl_->sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) residual[i] /= sizes[i];
  impl_->lu.solve(residual);
  for (std::size_t i = 0; i < sizes.size(); ++i) residual[i] *= sizes[i];
  for (double& delta : residual) delta = -delta;
}

}  // namespace cosimo
