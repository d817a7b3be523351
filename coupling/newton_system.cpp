#include "coupling/newton_system.hpp"

#include <cstdint>
#include <string>

#include "core/check.hpp"

namespace cosimo {
namespace {

/// Where an end of a coupling is found among the subsystems.
struct PortPlace {
  bool known = false;
  std::size_t block = 0, port = 0;
};

std::size_t end_index(CouplingId coupling, CutSide side) {
  return 2 * coupling.index() + (side == CutSide::to ? 1 : 0);
}

std::vector<PortPlace> find_ports(std::size_t couplings, std::span<const InterfaceBlock> blocks) {
  std::vector<PortPlace> places(2 * couplings);
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t p = 0; p < blocks[b].ports.size(); ++p) {
      const InterfaceBlock::End& end = blocks[b].ports[p];
      COSIMO_CHECK(end.coupling.valid() && end.coupling.index() < couplings, "a port without a coupling");
      PortPlace& place = places[end_index(end.coupling, end.side)];
      COSIMO_CHECK(!place.known, "two ports at one end of coupling " + std::to_string(end.coupling.label()));
      place = {true, b, p};
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
    std::uint32_t response = 0;  ///< place in the block's responses
    CutSide side = CutSide::from;
  };
  /// A force that depends on a position variable and on the velocity variable behind it.
  struct Feed {
    std::size_t variable = 0, motion = 0;
  };

  std::size_t n = 0;
  std::vector<std::size_t> response_count;  ///< per block
  std::vector<Feed> feeds;
  std::vector<Term> terms;
  std::vector<SparseLu::Entry> entries;
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
  SparseLu result(n, entries);
  entries = {};
  return result;
}

/// One side driven by the force, the other by motion: whether the force feeds through is known only when the
/// gradients come.
void NewtonSystem::Impl::add_feeds(const CouplingVariables& variables) {
  for (std::size_t i = 0; i < n; ++i) {
    if (variables[i].quantity != Quantity::force) continue;
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const std::size_t drives = variables.driving(variables[i].coupling, side);
      if (variables[drives].quantity != Quantity::position) continue;
      feeds.push_back({i, drives});
      add_entry(i, drives);
      add_entry(i, drives + 1);
    }
  }
}

void NewtonSystem::Impl::add_responses(const CouplingVariables& variables,
                                       std::span<const InterfaceBlock> blocks) {
  const std::vector<PortPlace> ports = find_ports(variables.couplings(), blocks);
  for (const InterfaceBlock& block : blocks) {
    response_count.push_back(block.inputs.size() * block.ports.size());
    for (const std::size_t input : block.inputs)
      COSIMO_CHECK(input < n, "an input of coupling variable " + std::to_string(input + 1));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      if (variables[i].quantity != Quantity::force && variables[i].of != side) continue;
      const PortPlace& place = ports[end_index(variables[i].coupling, side)];
      const InterfaceBlock& block = blocks[place.block];
      for (std::size_t input = 0; input < block.inputs.size(); ++input) {
        terms.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(place.block),
                         static_cast<std::uint32_t>(input * block.ports.size() + place.port), side});
        add_entry(i, block.inputs[input]);
      }
    }
}

NewtonSystem::NewtonSystem(const CouplingConditions& conditions, std::span<const InterfaceBlock> blocks)
    : impl_(std::make_unique<Impl>(conditions, blocks)) {}
NewtonSystem::~NewtonSystem() = default;

bool NewtonSystem::factor(std::span<const ConditionGradient> gradients,
                          std::span<const std::span<const OutputDerivative>> responses) {
  Impl& m = *impl_;
  COSIMO_CHECK(gradients.size() == m.n, "gradients of another interface");
  COSIMO_CHECK(responses.size() == m.response_count.size(), "responses of other subsystems");
  for (std::size_t b = 0; b < responses.size(); ++b)
    COSIMO_CHECK(responses[b].size() == m.response_count[b],
                 "responses of subsystem " + std::to_string(b + 1) + ": " +
                     std::to_string(responses[b].size()) + " for " + std::to_string(m.response_count[b]));

  double* value = m.lu.values().data();
  for (std::size_t i = 0; i < m.n; ++i) *value++ = 1.0;
  for (const Impl::Feed& feed : m.feeds) {
    const ConditionGradient& g = gradients[feed.variable];
    *value++ = -g.motion_x;
    *value++ = -g.motion_v;
  }
  for (const Impl::Term& term : m.terms) {
    const ConditionGradient& g = gradients[term.variable];
    const OutputDerivative& y = responses[term.block][term.response];
    const bool from = term.side == CutSide::from;
    *value++ = -((from ? g.from_x : g.to_x) * y.x + (from ? g.from_v : g.to_v) * y.v);
  }
  return m.lu.factor();
}

bool NewtonSystem::factored() const {
  return impl_->lu.factored();
}

void NewtonSystem::solve(std::span<double> residual) const {
  impl_->lu.solve(residual);
  for (double& delta : residual) delta = -delta;
}

}  // namespace cosimo
