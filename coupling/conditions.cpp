#include "coupling/conditions.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/check.hpp"

namespace cosimo {
namespace {

void check_size(std::size_t given, std::size_t variables) {
  COSIMO_CHECK(given == variables,
               std::to_string(given) + " values for " + std::to_string(variables) + " coupling variables");
}

}  // namespace

CouplingConditions::CouplingConditions(const ForceLaws& laws, const Interface& interface)
    : variables_(interface) {
  COSIMO_CHECK(laws.size() == interface.couplings.size(), "laws of another interface");
  for (std::size_t c = 0; c < laws.size(); ++c) {
    laws_.push_back(laws.law(c));
    const Coupling& coupling = interface.couplings[c];
    FeedThrough feed;
    feed.exists = coupling.from.drive != coupling.to.drive;
    feed.motion_driven = coupling.from.drive == Drive::motion ? CutSide::from : CutSide::to;
    if (feed.exists) feed.motion = variables_.driving(CouplingId{c}, feed.motion_driven);
    feed_.push_back(feed);
  }
}

bool CouplingConditions::can_feed_through() const {
  return std::any_of(feed_.begin(), feed_.end(), [](const FeedThrough& feed) { return feed.exists; });
}

void CouplingConditions::evaluate(const CutStates& y, std::span<double> u) const {
  evaluate_with(y, {}, u);
}

void CouplingConditions::evaluate_reported(const CutStates& y, std::span<const double> used,
                                           std::span<double> u) const {
  check_size(used.size(), size());
  evaluate_with(y, used, u);
}

/// How far the ends of an element are apart; where its force feeds through and motions are given in `used`,
/// the force-driven end is where they say.
CouplingConditions::Stretch CouplingConditions::stretch(const CutStates& y, std::span<const double> used,
                                                        std::size_t coupling) const {
  const FeedThrough& feed = feed_[coupling];
  double from_x = y.from_x[coupling], from_v = y.from_v[coupling];
  double to_x = y.to_x[coupling], to_v = y.to_v[coupling];
  if (feed.exists && !used.empty()) {
    const bool replace_from = feed.motion_driven == CutSide::to;
    (replace_from ? from_x : to_x) = used[feed.motion];
    (replace_from ? from_v : to_v) = used[feed.motion + 1];
  }
  return {to_x - from_x, to_v - from_v};
}

void CouplingConditions::evaluate_with(const CutStates& y, std::span<const double> used,
                                       std::span<double> u) const {
  check_size(u.size(), size());
  for (std::size_t i = 0; i < size(); ++i) {
    const CouplingVariable& variable = variables_[i];
    const std::size_t c = variable.coupling.index();
    const bool of_from = variable.of == CutSide::from;
    switch (variable.quantity) {
      case Quantity::force: {
        const Stretch s = stretch(y, used, c);
        u[i] = laws_[c].force(s.dx, s.dv);
        break;
      }
      case Quantity::position:
        u[i] = of_from ? y.from_x[c] : y.to_x[c];
        break;
      case Quantity::velocity:
        u[i] = of_from ? y.from_v[c] : y.to_v[c];
        break;
    }
  }
}

void CouplingConditions::gradients(const CutStates& y, std::span<const double> used,
                                   std::span<ConditionGradient> out) const {
  check_size(out.size(), size());
  if (!used.empty()) check_size(used.size(), size());
  for (std::size_t i = 0; i < size(); ++i) {
    const CouplingVariable& variable = variables_[i];
    const std::size_t c = variable.coupling.index();
    const bool of_from = variable.of == CutSide::from;
    ConditionGradient& g = out[i] = {};
    switch (variable.quantity) {
      case Quantity::force: {
        const Stretch s = stretch(y, used, c);
        g.to_x = laws_[c].stiffness(s.dx);
        g.to_v = laws_[c].damping(s.dv);
        g.from_x = -g.to_x;
        g.from_v = -g.to_v;
        if (!feed_[c].exists || used.empty()) break;
        const bool replace_from = feed_[c].motion_driven == CutSide::to;
        g.motion = feed_[c].motion;
        std::swap(g.motion_x, replace_from ? g.from_x : g.to_x);
        std::swap(g.motion_v, replace_from ? g.from_v : g.to_v);
        break;
      }
      case Quantity::position:
        (of_from ? g.from_x : g.to_x) = 1;
        break;
      case Quantity::velocity:
        (of_from ? g.from_v : g.to_v) = 1;
        break;
    }
  }
}

void CouplingConditions::resolution(double dx, double dv, std::span<double> u) const {
  check_size(u.size(), size());
  for (std::size_t i = 0; i < size(); ++i) switch (variables_[i].quantity) {
      case Quantity::force:
        u[i] = laws_[variables_[i].coupling.index()].force(dx, dv);
        break;
      case Quantity::position:
        u[i] = dx;
        break;
      case Quantity::velocity:
        u[i] = dv;
        break;
    }
}

}  // namespace cosimo
