#include "model/cut_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.hpp"
#include "mechanics/mechanism.hpp"
#include "model/cut_effort.hpp"

namespace cosimo {

namespace {

/// Of a scalar model.
class SpringLaws final : public Laws {
 public:
  SpringLaws(const Model& model, const Interface& interface) : Laws(interface) {
    for (std::size_t c = 0; c < cuts(); ++c) {
      const Coupling& coupling = interface.couplings[c];
      laws_.push_back(model.elements.law(coupling.element));
      inverse_mass_.push_back(1.0 / model.bodies.mass[coupling.from.body.index()] +
                              1.0 / model.bodies.mass[coupling.to.body.index()]);
    }
  }

  void evaluate(double /*t*/, const CutStates& y, Range cuts, std::span<double> u) const override {
    for (std::size_t i = cuts.first; i < cuts.last; ++i)
      u[i] = laws_[i].force(y.to_x[i] - y.from_x[i], y.to_v[i] - y.from_v[i]);
  }

  void force(std::size_t cut, double /*t*/, const Ends& at, double* u) const override {
    *u = laws_[cut].force(*at.to.x - *at.from.x, *at.to.v - *at.from.v);
  }

  void slopes(std::size_t cut, double /*t*/, const Ends& at, const Rows& out) const override {
    const double k = laws_[cut].stiffness(*at.to.x - *at.from.x);
    const double d = laws_[cut].damping(*at.to.v - *at.from.v);
    *out.to = {k, d};
    *out.from = {-k, -d};
  }

  std::optional<Linear> linear(std::size_t cut) const override {
    const SpringLaw& law = laws_[cut];
    return law.C == 0 && law.D == 0 ? std::optional<Linear>({law.c, law.d}) : std::nullopt;
  }

  /// law(dx, dv)
  double resolution(std::size_t cut, std::size_t /*component*/, const MotionSizes& off) const override {
    return laws_[cut].force(off.length.position, off.length.velocity);
  }

  /// The largest of sqrt(k (1/m_a + 1/m_b)) and d (1/m_a + 1/m_b).
  double fastest_rate(double /*t*/, const CutStates& y) const override {
    double rate = 0;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      const double k = laws_[i].stiffness(y.to_x[i] - y.from_x[i]);
      const double d = laws_[i].damping(y.to_v[i] - y.from_v[i]);
      rate = std::max({rate, std::sqrt(std::max(0.0, k * inverse_mass_[i])), d * inverse_mass_[i]});
    }
    return rate;
  }

 private:
  std::vector<SpringLaw> laws_;
  std::vector<double> inverse_mass_;  ///< 1/m_a + 1/m_b
};

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

/// Of all active components of an effort, with one body moving.
using Steepness = std::array<MotionSizes, most_components>;

/// False when it is zero, or not finite.
bool find_steepness(const CutEffort& law, BodyMotion from, BodyMotion to, Steepness& out) {
  EffortSlopes by_from, by_to;
  law.slopes(0, from, to, by_from, by_to);
  if (!by_from.x.allFinite() || !by_from.v.allFinite() || !by_to.x.allFinite() || !by_to.v.allFinite())
    return false;
  bool some = false;
  for (std::size_t k = 0; k < law.components(); ++k) {
    out[k] = steepness(by_from, law.active()[k], law.kind(CutSide::from));
    out[k].raise_to(steepness(by_to, law.active()[k], law.kind(CutSide::to)));
    some = some || !out[k].none();
  }
  return some;
}

/// Of a law that is slack at the start (a rope that hangs, teeth in their gap): where it first acts when the
/// body at `to` is moved, further and further along each of its coordinates.
void find_where_taut(const CutEffort& law, BodyMotion from, BodyMotion to, Steepness& out) {
  const BodyKind kind = law.kind(CutSide::to);
  const auto place = [&](CutSide side, BodyMotion body) {
    return marker_frame(frame_of(law.kind(side), body.x, body.v), law.marker(side)).r;
  };
  const double apart = (place(CutSide::to, to) - place(CutSide::from, from)).norm(),
               length = apart > 0 ? apart : 1;
  std::array<double, most_coordinates> x{};
  bool found = false;
  for (int e = -20; e <= 20 && !found; ++e)
    for (std::size_t k = 0; k < coordinates_of(kind); ++k)
      for (const double way : {1.0, -1.0}) {
        const double by = way * std::ldexp(is_angle(kind, k) ? 1 : length, 2 * e);
        if (is_angle(kind, k) && std::fabs(by) > 1) continue;
        std::copy_n(to.x, coordinates_of(kind), x.begin());
        x[k] += by;
        Steepness here;
        if (!find_steepness(law, from, {x.data(), to.v}, here)) continue;
        for (std::size_t i = 0; i < law.components(); ++i) out[i].raise_to(here[i]);
        found = true;
      }
}

/// Of a mechanism.
class EffortLaws final : public Laws {
 public:
  EffortLaws(const Model& model, const Interface& interface) : Laws(interface) {
    const CutStates y = initial_states(model, interface);
    for (std::size_t c = 0; c < cuts(); ++c) {
      const CutEffort& law = efforts_.emplace_back(model, interface.couplings[c].element);
      COSIMO_CHECK(law.components() == interface.couplings[c].components, "components of a coupling");
      const auto [from, to] = ends(y, c);
      Steepness steepest{};
      if (!find_steepness(law, from, to, steepest) && law.element().switch_count() > 0)
        find_where_taut(law, from, to, steepest);
      steepest_.insert(steepest_.end(), steepest.begin(),
                       steepest.begin() + static_cast<std::ptrdiff_t>(law.components()));
    }
    find_turning(y);
  }

  void evaluate(double t, const CutStates& y, Range cuts, std::span<double> u) const override {
    for (std::size_t i = cuts.first; i < cuts.last; ++i)
      force(i, t, ends(y, i), u.data() + first_component(i));
  }

  void force(std::size_t cut, double t, const Ends& at, double* u) const override {
    efforts_[cut].evaluate(t, at.from, at.to, u);
  }

  void slopes(std::size_t cut, double t, const Ends& at, const Rows& out) const override {
    const CutEffort& law = efforts_[cut];
    EffortSlopes from, to;
    law.slopes(t, at.from, at.to, from, to);
    const auto write = [&](const EffortSlopes& slopes, CutSide side, Slope* row) {
      for (const std::uint8_t k : law.active()) {
        for (std::size_t j = 0; j < coordinates_of(law.kind(side)); ++j) {
          const auto column = static_cast<Eigen::Index>(j);
          row[j] = {slopes.x(k, column), slopes.v(k, column)};
        }
        row += out.stride;
      }
    };
    write(from, CutSide::from, out.from);
    write(to, CutSide::to, out.to);
  }

  /// Linearised at the initial state, or where it first acts.
  double resolution(std::size_t cut, std::size_t component, const MotionSizes& off) const override {
    const auto [length, angle] = steepest_[first_component(cut) + component];
    return length.position * off.length.position + length.velocity * off.length.velocity +
           angle.position * off.angle.position + angle.velocity * off.angle.velocity;
  }

  double arm(std::size_t cut) const override { return efforts_[cut].arm(); }

  double fastest_rate(double t, const CutStates& y) const override {
    double rate = 0;
    for (std::size_t i = 0; i < efforts_.size(); ++i)
      rate = std::max(rate, efforts_[i].fastest_rate(t, body(y, i, CutSide::from), body(y, i, CutSide::to)));
    return rate;
  }

  bool counts_turns() const override { return !turning_.empty(); }

  CouplingId lost_turn(double t, const CutStates& y, double t_before, const CutStates& before,
                       std::vector<Switch>& scratch) const override {
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

 private:
  bool is_cut_angle(std::size_t cut, CutSide side, std::size_t k) const override {
    return cosimo::is_angle(efforts_[cut].kind(side), k);
  }

  void find_turning(const CutStates& y) {
    std::vector<Switch> at;
    for (std::size_t c = 0; c < efforts_.size(); ++c) {
      at.resize(efforts_[c].element().switch_count());
      efforts_[c].switches(0, body(y, c, CutSide::from), body(y, c, CutSide::to), at.data());
      if (std::any_of(at.begin(), at.end(), [](const Switch& s) { return s.angle; })) turning_.push_back(c);
    }
  }

  std::vector<CutEffort> efforts_;
  std::vector<std::size_t> turning_;  ///< couplings with angles that must not jump
  /// Per unit of each, of every component, with one body moving.
  std::vector<MotionSizes> steepest_;
};

}  // namespace

std::shared_ptr<const Laws> make_laws(const Model& model, const Interface& interface) {
  if (model.mechanism) return std::make_shared<const EffortLaws>(model, interface);
  return std::make_shared<const SpringLaws>(model, interface);
}

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

}  // namespace cosimo
