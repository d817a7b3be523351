#include "coupling/conditions.hpp"

#include <algorithm>
#include <string>

#include "core/check.hpp"
#include "model/cut_effort.hpp"

namespace cosimo {
namespace {

void check_size(std::size_t given, std::size_t variables) {
  COSIMO_CHECK(given == variables,
               std::to_string(given) + " values for " + std::to_string(variables) + " coupling variables");
}

}  // namespace

CouplingConditions::CouplingConditions(const ForceLaws& laws, const Interface& interface)
    : laws_(laws),
      variables_(interface),
      transfers_(interface.transfers),
      feed_graph_(interface, variables_) {
  COSIMO_CHECK(laws.size() == interface.couplings.size(), "laws of another interface");
  for (std::size_t c = 0; c < laws.size(); ++c) {
    const Coupling& coupling = interface.couplings[c];
    FeedThrough feed;
    feed.exists = !coupling.is_signal() && coupling.from.drive != coupling.to.drive;
    feed.motion_driven = coupling.from.drive == Drive::motion ? CutSide::from : CutSide::to;
    if (feed.exists) feed.motion = variables_.driving(CouplingId{c}, feed.motion_driven);
    feed_.push_back(feed);
    nominal_.push_back(coupling.nominal);
  }
}

bool CouplingConditions::can_feed_through() const {
  return std::any_of(feed_.begin(), feed_.end(), [](const FeedThrough& feed) { return feed.exists; });
}

void CouplingConditions::evaluate(double t, const CutStates& y, std::span<double> u) const {
  evaluate_with(t, y, {}, u);
}

void CouplingConditions::evaluate_reported(double t, const CutStates& y, std::span<const double> used,
                                           std::span<double> u) const {
  check_size(used.size(), size());
  evaluate_with(t, y, used, u);
}

/// Where the ends of an element are; where its force feeds through and motions are given in `used`, the
/// force-driven end is where they say.
CouplingConditions::Ends CouplingConditions::ends(const CutStates& y, std::span<const double> used,
                                                  std::size_t coupling) const {
  Ends at{laws_.body(y, coupling, CutSide::from), laws_.body(y, coupling, CutSide::to)};
  const FeedThrough& feed = feed_[coupling];
  if (!feed.exists || used.empty()) return at;
  const bool replace_from = feed.motion_driven == CutSide::to;
  const std::size_t coordinates =
      layout().coordinates(coupling, replace_from ? CutSide::from : CutSide::to).size();
  (replace_from ? at.from : at.to) = {used.data() + feed.motion, used.data() + feed.motion + coordinates};
  return at;
}

void CouplingConditions::evaluate_with(double t, const CutStates& y, std::span<const double> used,
                                       std::span<double> u) const {
  check_size(u.size(), size());
  for (std::size_t i = 0; i < size(); ++i) {
    const CouplingVariable& variable = variables_[i];
    const std::size_t c = variable.coupling.index();
    switch (variable.quantity) {
      case Quantity::force:
      case Quantity::torque: {
        if (variable.component > 0) break;  // the first has brought the others along
        const Ends at = ends(y, used, c);
        if (laws_.scalar())
          u[i] = laws_.law(c).force(*at.to.x - *at.from.x, *at.to.v - *at.from.v);
        else
          laws_.effort(c).evaluate(t, at.from, at.to, u.data() + i);
        break;
      }
      case Quantity::signal:
      case Quantity::position:
        u[i] = y.x(variable.of)[layout().first(c, variable.of) + variable.component];
        break;
      case Quantity::velocity:
        u[i] = y.v(variable.of)[layout().first(c, variable.of) + variable.component];
        break;
    }
  }
}

/// Of all components of a force, with respect to the motions of both ends.
void CouplingConditions::force_gradients(double t, const Ends& at, std::size_t first_variable,
                                         ConditionGradients& out) const {
  const std::size_t c = variables_[first_variable].coupling.index();
  if (laws_.scalar()) {
    const SpringLaw& law = laws_.law(c);
    const double k = law.stiffness(*at.to.x - *at.from.x), d = law.damping(*at.to.v - *at.from.v);
    out.at(first_variable, CutSide::to)[0] = {k, d};
    out.at(first_variable, CutSide::from)[0] = {-k, -d};
    return;
  }
  EffortSlopes from, to;
  laws_.effort(c).slopes(t, at.from, at.to, from, to);
  const auto active = laws_.effort(c).active();
  for (std::size_t k = 0; k < active.size(); ++k)
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const EffortSlopes& slopes = side == CutSide::from ? from : to;
      const std::span<Slope> row = out.at(first_variable + k, side);
      for (std::size_t j = 0; j < row.size(); ++j) {
        const auto column = static_cast<Eigen::Index>(j);
        row[j] = {slopes.x(active[k], column), slopes.v(active[k], column)};
      }
    }
}

void CouplingConditions::gradients(double t, const CutStates& y, std::span<const double> used,
                                   ConditionGradients& out) const {
  check_size(out.size(), size());
  if (!used.empty()) check_size(used.size(), size());
  for (std::size_t i = 0; i < size(); ++i) {
    const CouplingVariable& variable = variables_[i];
    const std::size_t c = variable.coupling.index();
    switch (variable.quantity) {
      case Quantity::force:
      case Quantity::torque: {
        if (variable.component == 0) force_gradients(t, ends(y, used, c), i, out);
        const std::span<Slope> motion = out.motion(i);
        if (used.empty()) {
          std::fill(motion.begin(), motion.end(), Slope{});
        } else if (!motion.empty()) {
          // The prescribed motion takes the place of the force-driven end.
          const bool replace_from = feed_[c].motion_driven == CutSide::to;
          const std::span<Slope> replaced = out.at(i, replace_from ? CutSide::from : CutSide::to);
          std::copy(replaced.begin(), replaced.end(), motion.begin());
          std::fill(replaced.begin(), replaced.end(), Slope{});
        }
        break;
      }
      case Quantity::signal:
      case Quantity::position:
        out.at(i, variable.of)[0] = {1, 0};
        break;
      case Quantity::velocity:
        out.at(i, variable.of)[0] = {0, 1};
        break;
    }
  }
}

void CouplingConditions::resolution(const MotionSizes& off, std::span<double> u) const {
  check_size(u.size(), size());
  for (std::size_t i = 0; i < size(); ++i) {
    const auto& [coupling, quantity, of, component] = variables_[i];
    if (is_effort(quantity)) {
      u[i] = laws_.resolution(coupling.index(), component, off);
      continue;
    }
    if (quantity == Quantity::signal) {
      u[i] = 0;
      continue;
    }
    const MotionSize& own = off.of(laws_.is_angle(coupling.index(), of, component));
    u[i] = quantity == Quantity::position ? own.position : own.velocity;
  }
  follow_signals(u);
}

/// From measured coordinates on, every signal once: what comes back around a loop is not added.
void CouplingConditions::follow_signals(std::span<double> u) const {
  if (transfers_.empty()) return;
  const auto variable = [&](CouplingId coupling) { return variables_.driving(coupling, CutSide::to); };
  std::vector<char> known(size(), 0), next(size(), 0);
  for (std::size_t i = 0; i < size(); ++i) known[i] = variables_[i].quantity != Quantity::signal ? 1 : 0;
  for (bool more = true; more;) {
    more = false;
    for (const Interface::Transfer& transfer : transfers_) {
      const std::size_t from = variable(transfer.from), to = variable(transfer.to);
      if (known[from] == 0 || known[to] != 0) continue;
      u[to] = std::max(u[to], transfer.gain * u[from]);
      next[to] = 1;
      more = true;
    }
    for (std::size_t i = 0; i < size(); ++i)
      if (next[i] != 0) known[i] = 1;
  }
}

double CouplingConditions::arm(std::size_t variable) const {
  if (variables_[variable].quantity != Quantity::torque) return 0;
  return laws_.effort(variables_[variable].coupling.index()).arm();
}

}  // namespace cosimo
