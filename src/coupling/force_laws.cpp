#include "coupling/force_laws.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "mechanics/mechanism.hpp"
#include "model/cut_effort.hpp"

namespace cosimo {

namespace {

/// How steeply component k of an effort goes with lengths and with angles of a body.
MotionSizes steepness(const EffortSlopes& slopes, std::uint8_t k, BodyKind kind) {
  MotionSizes squares;
  for (std::size_t i = 0; i < coordinates_of(kind); ++i) {
    MotionSize& own = is_angle(kind, i) ? squares.angle : squares.length;
    const double x = slopes.x(k, static_cast<Eigen::Index>(i)), v = slopes.v(k, static_cast<Eigen::Index>(i));
    own.position += x * x;
    own.velocity += v * v;
  }
  const auto roots = [](const MotionSize& s) {
    return MotionSize{std::sqrt(s.position), std::sqrt(s.velocity)};
  };
  return {roots(squares.length), roots(squares.angle)};
}

}  // namespace

CutStates initial_states(const Model& model, const Interface& interface) {
  const CutLayout layout(interface);
  CutStates y(layout);
  for (std::size_t c = 0; c < layout.couplings(); ++c)
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const CutEnd& end = side == CutSide::from ? interface.couplings[c].from : interface.couplings[c].to;
      if (interface.couplings[c].is_signal()) continue;
      const Range mine = layout.coordinates(c, side), his = model.coordinates(end.body);
      COSIMO_CHECK(mine.size() == his.size(), "a coupling of another model");
      std::copy_n(model.bodies.x.data() + his.first, his.size(), y.x(side).data() + mine.first);
      std::copy_n(model.bodies.v.data() + his.first, his.size(), y.v(side).data() + mine.first);
    }
  return y;
}

ForceLaws::ForceLaws(const Model& model, const Interface& interface) : layout_(interface) {
  for (const Coupling& coupling : interface.couplings) {
    first_.push_back(first_.back() + coupling.components);
    if (coupling.is_signal())
      signal_angles_.push_back(coupling.from.angle ? 1 : 0);
    else
      ++cuts_;
  }
  if (model.mechanism) {
    add_mechanism(model, interface);
    return;
  }
  for (std::size_t c = 0; c < cuts_; ++c) {
    const Coupling& coupling = interface.couplings[c];
    laws_.push_back(model.elements.law(coupling.element));
    inverse_mass_.push_back(1.0 / model.bodies.mass[coupling.from.body.index()] +
                            1.0 / model.bodies.mass[coupling.to.body.index()]);
  }
}

ForceLaws::ForceLaws(const ForceLaws&) = default;
ForceLaws::ForceLaws(ForceLaws&&) noexcept = default;
ForceLaws::~ForceLaws() = default;

void ForceLaws::add_mechanism(const Model& model, const Interface& interface) {
  const CutStates y = initial_states(model, interface);
  for (std::size_t c = 0; c < cuts_; ++c) {
    const CutEffort& law = efforts_.emplace_back(model, interface.couplings[c].element);
    COSIMO_CHECK(law.components() == interface.couplings[c].components, "components of a coupling");
    EffortSlopes from, to;
    law.slopes(0, body(y, c, CutSide::from), body(y, c, CutSide::to), from, to);
    for (const std::uint8_t k : law.active()) {
      MotionSizes& steepest = steepest_.emplace_back(steepness(from, k, law.kind(CutSide::from)));
      steepest.raise_to(steepness(to, k, law.kind(CutSide::to)));
    }
  }
  scalar_ = efforts_.empty();
  find_turning(y);
}

void ForceLaws::find_turning(const CutStates& y) {
  std::vector<Switch> at;
  for (std::size_t c = 0; c < efforts_.size(); ++c) {
    at.resize(efforts_[c].element().switch_count());
    efforts_[c].switches(0, body(y, c, CutSide::from), body(y, c, CutSide::to), at.data());
    if (std::any_of(at.begin(), at.end(), [](const Switch& s) { return s.angle; })) turning_.push_back(c);
  }
}

CouplingId ForceLaws::lost_turn(double t, const CutStates& y, double t_before, const CutStates& before,
                                std::vector<Switch>& scratch) const {
  for (const std::size_t c : turning_) {
    const std::size_t count = efforts_[c].element().switch_count();
    if (scratch.size() < 2 * count) scratch.resize(2 * count);
    Switch *const now = scratch.data(), *const past = now + count;
    efforts_[c].switches(t, body(y, c, CutSide::from), body(y, c, CutSide::to), now);
    efforts_[c].switches(t_before, body(before, c, CutSide::from), body(before, c, CutSide::to), past);
    for (std::size_t k = 0; k < count; ++k)
      if (now[k].lost_turn(past[k])) return CouplingId{c};
  }
  return {};
}

const CutEffort& ForceLaws::effort(std::size_t coupling) const {
  return efforts_[coupling];
}

bool ForceLaws::is_angle_of_effort(std::size_t coupling, CutSide side, std::size_t k) const {
  return cosimo::is_angle(efforts_[coupling].kind(side), k);
}

void ForceLaws::evaluate(double t, const CutStates& y, std::span<double> u) const {
  for (std::size_t i = 0; i < laws_.size(); ++i)
    u[i] = laws_[i].force(y.to_x[i] - y.from_x[i], y.to_v[i] - y.from_v[i]);
  for (std::size_t i = 0; i < efforts_.size(); ++i)
    efforts_[i].evaluate(t, body(y, i, CutSide::from), body(y, i, CutSide::to), u.data() + first_[i]);
}

double ForceLaws::resolution(std::size_t coupling, std::size_t component, const MotionSizes& off) const {
  if (scalar()) return laws_[coupling].force(off.length.position, off.length.velocity);
  const auto [length, angle] = steepest_[first_[coupling] + component];
  return length.position * off.length.position + length.velocity * off.length.velocity +
         angle.position * off.angle.position + angle.velocity * off.angle.velocity;
}

double ForceLaws::fastest_rate(double t, const CutStates& y) const {
  double rate = 0;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const double k = laws_[i].stiffness(y.to_x[i] - y.from_x[i]);
    const double d = laws_[i].damping(y.to_v[i] - y.from_v[i]);
    rate = std::max({rate, std::sqrt(std::max(0.0, k * inverse_mass_[i])), d * inverse_mass_[i]});
  }
  for (std::size_t i = 0; i < efforts_.size(); ++i)
    rate = std::max(rate, efforts_[i].fastest_rate(t, body(y, i, CutSide::from), body(y, i, CutSide::to)));
  return rate;
}

}  // namespace cosimo
