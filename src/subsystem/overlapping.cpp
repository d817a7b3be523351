#include "subsystem/overlapping.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "mechanics/dynamics.hpp"
#include "mechanics/mechanism.hpp"
#include "model/cut_effort.hpp"
#include "model/media.hpp"
#include "model/power.hpp"
#include "subsystem/overlap_offsets.hpp"

namespace cosimo {

namespace {

/// Behind the initial state of a model's bodies what its elements remember.
BodyStates initial_body_states(const Model& model) {
  const Extent memory = remembered_extent(model);
  if (memory.z + memory.s == 0) return {model.bodies.x, model.bodies.v};
  std::vector<double> x(model.bodies.x.begin(), model.bodies.x.end());
  std::vector<double> v(model.bodies.v.begin(), model.bodies.v.end());
  const std::size_t first = x.size();
  x.resize(first + memory.z + memory.s);
  std::vector<BodyId> bodies;
  std::vector<ElementId> elements;
  for (std::size_t i = 0; i < model.bodies.count; ++i) bodies.emplace_back(i);
  for (std::size_t i = 0; i < element_count(model); ++i) elements.emplace_back(i);
  const Dynamics dynamics(*model.mechanism, bodies, elements);
  dynamics.begin(x.data(), v.data(), x.data() + first, x.data() + first + memory.z);
  v.resize(x.size());
  return {x, v};
}

class ModelOverlapping : public Overlapping {
 public:
  ModelOverlapping(const Model& model, const BodyGraph& graph, Reach reach)
      : model_(model),
        graph_(graph),
        media_(model, graph),
        states_(initial_body_states(model)),
        memory_(model.mechanism ? model.mechanism->memory_offsets() : std::vector<Extent>()),
        reach_(std::move(reach)) {}

  const BodyGraph& graph() const final { return graph_; }
  BodyStates& states() final { return states_; }
  Range coordinates(BodyId body) const final { return model_.coordinates(body); }
  std::vector<std::size_t> places(BodyId body) const final {
    std::vector<std::size_t> result;
    const Range range = coordinates(body);
    for (std::size_t c = range.first; c < range.last; ++c) result.push_back(c);
    if (states_.x().size() == model_.coordinate_count()) return result;
    for (const Incident& i : graph_.around(body))
      if (keeper_of(model_, i.element) == body) add_places(i.element, result);
    return result;
  }
  void media(std::span<const BodyId> bodies, std::span<const double> x, std::span<const double> v,
             std::span<Medium> out) const final {
    media_.at(bodies, x, v, out);
  }
  void reach(std::size_t depth) final {
    if (reach_) reach_(depth);
  }

 protected:
  const Model& model() const { return model_; }
  const BodyStates& owners() const { return states_; }

 private:
  /// Of what an element remembers.
  void add_places(ElementId element, std::vector<std::size_t>& places) const {
    const Extent &first = memory_[element.index()], &last = memory_[element.index() + 1];
    const std::size_t z = model_.coordinate_count(), s = z + memory_.back().z;
    for (std::size_t k = first.z; k < last.z; ++k) places.push_back(z + k);
    for (std::size_t k = first.s; k < last.s; ++k) places.push_back(s + k);
  }

  const Model& model_;
  const BodyGraph& graph_;
  Media media_;
  BodyStates states_;
  std::vector<Extent> memory_;  ///< where that of every element begins
  Reach reach_;
};

class ScalarOverlapping final : public ModelOverlapping {
 public:
  ScalarOverlapping(const Model& model, const BodyGraph& graph, std::span<const Coupling> couplings,
                    const Tolerances& tolerances, Reach reach)
      : ModelOverlapping(model, graph, std::move(reach)), tolerances_(tolerances) {
    for (const Coupling& coupling : couplings) laws_.push_back(model.elements.law(coupling.element));
  }

  double mismatch(BodyId body, BodyMotion copy) const override {
    return size(off_owner(body, copy), Weights(*this).of(body));
  }

  void push(std::span<const CutBody> bodies, std::span<const Copy> copies, const Window& step,
            const CutStates& y, std::span<double> errors) const override {
    const Weights weights(*this);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      errors[i] = push(bodies[i], copies.subspan(bodies[i].copies.first, bodies[i].copies.size()),
                       step.size(), y, weights);
  }

 private:
  /// What an error of one unit of the tolerance is, as the states are at the two ends of the step: a body
  /// that happens to pass through zero is weighed with where it comes from.
  class Weights {
   public:
    explicit Weights(const ScalarOverlapping& owner)
        : x_(owner.owners().x().data()),
          v_(owner.owners().v().data()),
          next_x_(owner.owners().next_x().data()),
          next_v_(owner.owners().next_v().data()),
          least_(owner.tolerances_.absolute().length),
          rtol_(owner.tolerances_.rtol) {}

    MotionSize of(BodyId body) const {
      const std::size_t i = body.index();
      const double x = std::max(std::fabs(x_[i]), std::fabs(next_x_[i]));
      const double v = std::max(std::fabs(v_[i]), std::fabs(next_v_[i]));
      return {least_.position + rtol_ * x, least_.velocity + rtol_ * v};
    }
    /// No body's are smaller.
    const MotionSize& least() const { return least_; }

   private:
    const double *x_, *v_, *next_x_, *next_v_;
    MotionSize least_;
    double rtol_;
  };

  static double squares(PortState d, const MotionSize& weight) {
    const double ex = d.x / weight.position, ev = d.v / weight.velocity;
    return ex * ex + ev * ev;
  }
  static double size(PortState d, const MotionSize& weight) { return std::sqrt(0.5 * squares(d, weight)); }

  double push(const CutBody& body, std::span<const Copy> copies, double H, const CutStates& y,
              const Weights& weights) const {
    double impulse = 0, steepest = 1;
    PortState largest;  // of the mismatches
    for (const Copy& copy : copies) {
      if (copy.motion.x == nullptr) continue;
      PortState d = off_owner(copy.body, copy.motion);
      if (d.x == 0 && d.v == 0) continue;
      const double p = d.x != 0 ? std::clamp(std::fabs(H * d.v / d.x), 1.0, copy.most) : copy.most;
      // An oscillating mismatch that just passes through zero is as large as its other half says.
      d.x = std::copysign(std::max(std::fabs(d.x), std::fabs(H * d.v) / p), d.x);
      d.v = std::max(std::fabs(d.v), std::fabs(d.x) / H);
      const std::size_t c = copy.coupling.index();
      const SpringLaw& law = laws_[c];
      const double dx = y.to_x[c] - y.from_x[c], dv = y.to_v[c] - y.from_v[c];
      const double k = power_slope(law.c, law.C, law.ex, dx), damping = power_slope(law.d, law.D, law.ev, dv);
      impulse += (k * H / (p + 1) + damping) * d.x;
      steepest = std::max(steepest, p);
      largest = {std::max(largest.x, std::fabs(d.x)), std::max(largest.v, d.v)};
    }
    const double dv = impulse / model().bodies.mass[body.body.index()];
    const PortState arrived{dv * H / (steepest + 2), dv};
    const MotionSize own = weights.of(body.body);
    const double full = size(arrived, own), capacity = size(largest, own);
    if (full == 0 || capacity == 0) return 0;
    const double error = 1 / (1 / full + 1 / capacity);
    // The next bodies lose the same again, but may be at rest and weigh it more.
    const double onward = error / full * error / capacity;
    const PortState passed{onward * arrived.x, onward * arrived.v};
    if (size(passed, weights.least()) <= error) return error;
    double most = 0;
    for (const BodyId inner : body.inner) most = std::max(most, squares(passed, weights.of(inner)));
    return std::max(error, std::sqrt(0.5 * most));
  }

  /// What a part made of a body that it carries, less what the owner made of it.
  PortState off_owner(BodyId body, BodyMotion copy) const {
    return {*copy.x - owners().next_x()[body.index()], *copy.v - owners().next_v()[body.index()]};
  }

  Tolerances tolerances_;
  std::vector<SpringLaw> laws_;  ///< per coupling
};

/// Both sides of all its cuts carry copies.
class MechanismOverlapping final : public ModelOverlapping {
 public:
  MechanismOverlapping(const Model& model, const BodyGraph& graph, std::span<const Coupling> couplings,
                       const Tolerances& tolerances, Reach reach)
      : ModelOverlapping(model, graph, std::move(reach)), offsets_(model, owners(), tolerances) {
    for (const Coupling& coupling : couplings) {
      efforts_.emplace_back(model, coupling.element);
      from_.push_back(from_.back() + coupling.from.coordinates);
      to_.push_back(to_.back() + coupling.to.coordinates);
    }
  }

  double mismatch(BodyId body, BodyMotion copy) const override {
    return offsets_.weighted(body, offsets_.off_owner(body, copy));
  }

  void push(std::span<const CutBody> bodies, std::span<const Copy> copies, const Window& step,
            const CutStates& y, std::span<double> errors) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i)
      errors[i] = push(bodies[i], copies.subspan(bodies[i].copies.first, bodies[i].copies.size()), step, y);
  }

 private:
  double push(const CutBody& body, std::span<const Copy> copies, const Window& step,
              const CutStates& y) const {
    const double H = step.size();
    Vec6 impulse = Vec6::Zero();
    Offset largest;
    double steepest = 1;
    for (const Copy& copy : copies) {
      if (copy.motion.x == nullptr || copy.body == body.body) continue;
      Offset d = offsets_.off_owner(copy.body, copy.motion);
      if (d.none()) continue;
      const double p = complete(d, H, copy.most);
      const Eigen::Matrix<double, 6, 12> slopes = slopes_across(copy, step.end, y);
      impulse += slopes.leftCols<6>() * (d.x * (H / (p + 1))) + slopes.rightCols<6>() * d.x;
      steepest = std::max(steepest, p);
      widen(copy, d, largest);
    }
    Offset arrived;
    arrived.v = offsets_.velocity_of(body.body, impulse);
    arrived.x = arrived.v * (H / (steepest + 2));
    const double full = offsets_.weighted(body.body, arrived),
                 capacity = offsets_.weighted(body.body, largest);
    if (full == 0 || capacity == 0) return 0;
    double error = 1 / (1 / full + 1 / capacity);
    const auto share_with = [&](std::span<const BodyId> others, double part) {
      for (const BodyId other : others)
        error = std::max(error, offsets_.weighted(other, {part * arrived.x, part * arrived.v}));
    };
    const double kept = error / full, onward = kept * error / capacity;
    share_with(body.mates, kept);
    share_with(body.inner, onward);
    return error;
  }

  /// The element moves its end on this body by no more than it is moved by the other body, and turns this
  /// body by no more than that over its arm.
  void widen(const Copy& copy, const Offset& d, Offset& largest) const {
    const CutEffort& law = efforts_[copy.coupling.index()];
    const bool from = copy.side == CutSide::from;
    const double far_arm = law.marker(from ? CutSide::to : CutSide::from).point.norm();
    const double arm = law.marker(copy.side).point.norm();
    const auto reach = [&](const Vec6& moved, Vec6& most) {
      const double shift = moved.head<3>().norm() + far_arm * moved.tail<3>().norm();
      const double turn = std::max(moved.tail<3>().norm(), arm > 0 ? shift / arm : 0.0);
      most.head<3>() = most.head<3>().cwiseMax(Vec3::Constant(shift));
      most.tail<3>() = most.tail<3>().cwiseMax(Vec3::Constant(turn));
    };
    reach(d.x, largest.x);
    reach(d.v, largest.v);
  }

  /// How the wrench on the cut body changes with displacement, rotation and velocities of the far body.
  Eigen::Matrix<double, 6, 12> slopes_across(const Copy& copy, double t, const CutStates& y) const {
    const std::size_t c = copy.coupling.index();
    const CutEffort& law = efforts_[c];
    const auto frame = [&](CutSide side) {
      const std::size_t first = (side == CutSide::from ? from_ : to_)[c];
      return frame_of(law.kind(side), y.x(side).data() + first, y.v(side).data() + first);
    };
    const Frame from = frame(CutSide::from), to = frame(CutSide::to);
    EffortGradient gradient;
    law.gradient(t, from, to, gradient);
    const bool own_from = copy.side == CutSide::from;
    const Vec3 arm = (own_from ? from : to).R * law.marker(copy.side).point;
    return wrench_slopes(copy.side, arm, own_from ? gradient.to : gradient.from);
  }

  BodyOffsets offsets_;
  std::vector<CutEffort> efforts_;            ///< per coupling
  std::vector<std::size_t> from_{0}, to_{0};  ///< and where its ends are (network/cut_layout.hpp)
};

}  // namespace

std::unique_ptr<Overlapping> make_overlapping(const Model& model, const BodyGraph& graph,
                                              std::span<const Coupling> couplings,
                                              const Tolerances& tolerances, Reach reach) {
  if (model.mechanism)
    return std::make_unique<MechanismOverlapping>(model, graph, couplings, tolerances, std::move(reach));
  return std::make_unique<ScalarOverlapping>(model, graph, couplings, tolerances, std::move(reach));
}

}  // namespace cosimo
