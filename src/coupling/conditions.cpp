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

CouplingConditions::CouplingConditions(std::shared_ptr<const Laws> laws, const Interface& interface)
    : laws_(std::move(laws)),
      variables_(interface),
      transfers_(interface.transfers),
      feed_graph_(interface, variables_) {
  COSIMO_CHECK(laws_->size() == interface.couplings.size(), "laws of another interface");
  for (std::size_t c = 0; c < laws_->size(); ++c) {
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
Laws::Ends CouplingConditions::ends(const CutStates& y, std::span<const double> used,
                                    std::size_t coupling) const {
  Laws::Ends at = laws_->ends(y, coupling);
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
      case Quantity::torque:
        if (variable.component == 0) laws_->force(c, t, ends(y, used, c), u.data() + i);  // with the others
        break;
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
        if (variable.component == 0) laws_->slopes(c, t, ends(y, used, c), out.force(i));
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

void CouplingConditions::resolution(const MotionSizes& off, std::span<const double> signals,
                                    std::span<double> u) const {
  check_size(u.size(), size());
  for (std::size_t i = 0; i < size(); ++i) {
    const auto& [coupling, quantity, of, component] = variables_[i];
    if (is_effort(quantity)) {
      u[i] = laws_->resolution(coupling.index(), component, off);
      continue;
    }
    if (quantity == Quantity::signal) {
      u[i] = 0;
      continue;
    }
    const MotionSize& own = off.of(laws_->is_angle(coupling.index(), of, component));
    u[i] = quantity == Quantity::position ? own.position : own.velocity;
  }
  if (transfers_.empty()) return;
  std::vector<char> known(size(), 0);
  for (std::size_t i = 0; i < size(); ++i) known[i] = variables_[i].quantity != Quantity::signal ? 1 : 0;
  follow_signals(known, u);
  if (signals.empty()) return;
  std::vector<double> off_by(u.begin(), u.end());
  std::vector<char> seeds = known;
  for (std::size_t i = 0; i < size(); ++i)
    if (known[i] == 0 && signals[i] > 0) {
      off_by[i] = signals[i];
      seeds[i] = 1;
    }
  std::vector<char> reached = seeds;
  follow_signals(reached, off_by);
  for (std::size_t i = 0; i < size(); ++i)
    if (seeds[i] == 0) u[i] = off_by[i];
}

void CouplingConditions::give(std::span<const std::size_t> variables) {
  if (variables.empty()) return;
  given_.assign(size(), 0);
  for (const std::size_t i : variables) given_[i] = 1;
}

void CouplingConditions::spread_given(std::span<double> sizes) const {
  if (given_.empty()) return;
  std::vector<char> known = given_;
  follow_signals(known, sizes);
}

/// From known signals on, every one once: what comes back around a loop is not added.
void CouplingConditions::follow_signals(std::vector<char>& known, std::span<double> u) const {
  if (transfers_.empty()) return;
  const auto variable = [&](CouplingId coupling) { return variables_.driving(coupling, CutSide::to); };
  std::vector<char> next(size(), 0);
  for (bool more = true; more;) {
    more = false;
    for (const Interface::Transfer& transfer : transfers_) {
      const std::size_t from = variable(transfer.from), to = variable(transfer.to);
      if (known[from] == 0 || known[to] != 0) continue;
      u[to] = std::max(u[to], transfer.gain * u[from]);
      if (u[to] == 0) continue;  // what the component makes of it is not known
      next[to] = 1;
      more = true;
    }
    for (std::size_t i = 0; i < size(); ++i)
      if (next[i] != 0) known[i] = 1;
  }
}

double CouplingConditions::arm(std::size_t variable) const {
  if (variables_[variable].quantity != Quantity::torque) return 0;
  return laws_->arm(variables_[variable].coupling.index());
}

}  // namespace cosimo
