#include "scheme/overlap_estimator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanics/mechanism.hpp"
#include "model/cut_effort.hpp"
#include "partition/body_table.hpp"
#include "scheme/batch.hpp"

namespace cosimo {

namespace {

/// Below this part of the tolerance it does not matter where a mismatch comes from.
constexpr double worth_a_look = 0.1;

constexpr std::size_t bodies_per_task = 64;  ///< a task takes some microseconds

}  // namespace

OverlapEstimator::OverlapEstimator(const OverlapModel& model, const ForceLaws& laws, const Sides& sides,
                                   const OverlapOptions& options)
    : laws_(laws),
      couplings_(model.couplings),
      sides_(sides),
      options_(options),
      profiles_(sides.subsystems.size()) {
  for (std::size_t part = 0; part < sides.subsystems.size(); ++part) {
    const auto ports = sides.subsystems[part]->cut_ports();
    const std::size_t first = cut_bodies_.size();
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const BodyId body = ports[p].body;
      auto known = std::find_if(cut_bodies_.begin() + static_cast<std::ptrdiff_t>(first), cut_bodies_.end(),
                                [&](const CutBody& each) { return each.body == body; });
      if (known == cut_bodies_.end()) {
        known = cut_bodies_.insert(known, CutBody{});
        known->part = part;
        known->body = body;
        if (!model.model.mechanism) known->mass = model.model.bodies.mass[body.index()];
      }
      known->ports.push_back(p);
    }
  }
  for (CutBody& each : cut_bodies_) {
    for (const Incident& i : model.graph.around(each.body))
      if (i.other != ground && model.part_of[i.other.index()] == static_cast<std::int32_t>(each.part))
        each.inner.push_back(i.other);
    for (const BodyId mate : model.graph.group(each.body))
      if (mate != each.body) each.mates.push_back(mate);
  }
  if (model.model.mechanism) offsets_.emplace(model.model, sides.states, options);
}

void OverlapEstimator::estimate(const Window& step, const CutStates& y, Pool& pool,
                                std::span<double> cut_error) {
  const double H = step.size();
  body_error_.resize(cut_bodies_.size());
  auto judge = [&](std::size_t chunk) {
    const std::size_t last = std::min(cut_bodies_.size(), (chunk + 1) * bodies_per_task);
    for (std::size_t i = chunk * bodies_per_task; i < last; ++i) {
      const CutBody& body = cut_bodies_[i];
      const double error = offsets_ ? push_twist_through(body, step, y) : push_through(body, H, y);
      body_error_[i] = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    }
  };
  const std::size_t chunks = (cut_bodies_.size() + bodies_per_task - 1) / bodies_per_task;
  if (chunks == 1)
    judge(0);
  else
    pool.run(chunks, judge, batch::estimating);
  leave_out_solver_errors(H, pool);
  std::fill(cut_error.begin(), cut_error.end(), 0.0);
  for (std::size_t i = 0; i < cut_bodies_.size(); ++i)
    for (const std::size_t port : cut_bodies_[i].ports) {
      double& cut = cut_error[sides_.subsystems[cut_bodies_[i].part]->cut_ports()[port].coupling.index()];
      cut = std::max(cut, body_error_[i]);
    }
}

/// A body that happens to pass through zero is weighed with where it comes from.
double OverlapEstimator::weighted(BodyId body, PortState d) const {
  const std::size_t i = body.index();
  BodyStates& s = sides_.states;
  const double x = std::max(std::fabs(s.x()[i]), std::fabs(s.next_x()[i]));
  const double v = std::max(std::fabs(s.v()[i]), std::fabs(s.next_v()[i]));
  const MotionSize atol = options_.states().absolute().length;
  const double ex = d.x / (atol.position + options_.rtol * x);
  const double ev = d.v / (atol.velocity + options_.rtol * v);
  return std::sqrt(0.5 * (ex * ex + ev * ev));
}

/// What a part made of a body that it carries, less what the owner made of it.
PortState OverlapEstimator::off_owner(std::size_t part, BodyId body) const {
  const PortState copy = sides_.lanes[part]->carried_state(body);
  return {copy.x - sides_.states.next_x()[body.index()], copy.v - sides_.states.next_v()[body.index()]};
}

double OverlapEstimator::weighted_mismatch(std::size_t part, BodyId body) const {
  if (!offsets_) return weighted(body, off_owner(part, body));
  return offsets_->weighted(body, offsets_->off_owner(body, sides_.lanes[part]->carried_motion(body)));
}

OverlapEstimator::Place OverlapEstimator::other_side(Place at) const {
  const CutPort& port = sides_.subsystems[at.part]->cut_ports()[at.port];
  const Coupling& c = couplings_[port.coupling.index()];
  const std::size_t part = (port.side == CutSide::from ? c.to : c.from).part.index();
  return {part, sides_.subsystems[part]->port_of(port.coupling)};
}

/// Of the copy behind a port. On the side of a one-sided cut that carries nothing it is that of the
/// port's own body, whose copy made the force that drives it.
PortState OverlapEstimator::mismatch(Place at) const {
  at = carrying(at);
  return carries(at) ? off_owner(at.part, sides_.subsystems[at.part]->beyond(at.port)) : PortState{};
}

double OverlapEstimator::push_through(const CutBody& body, double H, const CutStates& y) const {
  double impulse = 0, steepest = 1;
  PortState largest;  // of the mismatches
  const auto ports = sides_.subsystems[body.part]->cut_ports();
  for (const std::size_t port : body.ports) {
    const std::size_t c = ports[port].coupling.index();
    PortState d = mismatch({body.part, port});
    if (d.x == 0 && d.v == 0) continue;
    const Place at = carrying({body.part, port});
    const double most = 2 * std::max(1, sides_.halos.layers(at.part, at.port)) + 2;
    const double p = d.x != 0 ? std::clamp(std::fabs(H * d.v / d.x), 1.0, most) : most;
    // An oscillating mismatch that just passes through zero is as large as its other half says.
    d.x = std::copysign(std::max(std::fabs(d.x), std::fabs(H * d.v) / p), d.x);
    d.v = std::max(std::fabs(d.v), std::fabs(d.x) / H);
    const double dx = y.to_x[c] - y.from_x[c], dv = y.to_v[c] - y.from_v[c];
    impulse += (laws_.law(c).stiffness(dx) * H / (p + 1) + laws_.law(c).damping(dv)) * d.x;
    steepest = std::max(steepest, p);
    largest = {std::max(largest.x, std::fabs(d.x)), std::max(largest.v, d.v)};
  }
  const double dv = impulse / body.mass;
  const PortState pushed{dv * H / (steepest + 2), dv};
  const double full = weighted(body.body, pushed), capacity = weighted(body.body, largest);
  if (full == 0 || capacity == 0) return 0;
  double error = 1 / (1 / full + 1 / capacity);
  // The next bodies lose the same again, but may be at rest and weigh it more.
  const double onward = error / full * error / capacity;
  for (const BodyId inner : body.inner)
    error = std::max(error, weighted(inner, {onward * pushed.x, onward * pushed.v}));
  return error;
}

/// How the wrench on the body of a port changes with displacement, rotation and velocities of the far body.
Eigen::Matrix<double, 6, 12> OverlapEstimator::slopes_across(const CutPort& port, double t,
                                                             const CutStates& y) const {
  const std::size_t c = port.coupling.index();
  const CutEffort& law = laws_.effort(c);
  const auto frame = [&](CutSide side) {
    const BodyMotion at = laws_.body(y, c, side);
    return frame_of(law.kind(side), at.x, at.v);
  };
  const Frame from = frame(CutSide::from), to = frame(CutSide::to);
  EffortGradient gradient;
  law.gradient(t, from, to, gradient);
  const bool own_from = port.side == CutSide::from;
  const Vec3 arm = (own_from ? from : to).R * law.marker(port.side).point;
  return wrench_slopes(port.side, arm, own_from ? gradient.to : gradient.from);
}

/// The same in a mechanism. Both sides of its cuts carry copies.
double OverlapEstimator::push_twist_through(const CutBody& body, const Window& step,
                                            const CutStates& y) const {
  const double H = step.size();
  Vec6 impulse = Vec6::Zero();
  Offset largest;
  double steepest = 1;
  for (const std::size_t number : body.ports) {
    if (!carries({body.part, number})) continue;
    const BodyId beyond = sides_.subsystems[body.part]->beyond(number);
    Offset d = offsets_->off_owner(beyond, sides_.lanes[body.part]->carried_motion(beyond));
    if (d.none()) continue;
    const CutPort& port = sides_.subsystems[body.part]->cut_ports()[number];
    const double p = complete(d, H, 2 * std::max(1, sides_.halos.layers(body.part, number)) + 2);
    const Eigen::Matrix<double, 6, 12> slopes = slopes_across(port, step.end, y);
    impulse += slopes.leftCols<6>() * (d.x * (H / (p + 1))) + slopes.rightCols<6>() * d.x;
    steepest = std::max(steepest, p);
    // The element moves its end on this body by no more than it is moved by the other body, and turns this
    // body by no more than that over its arm.
    const CutEffort& law = laws_.effort(port.coupling.index());
    const bool from = port.side == CutSide::from;
    const double far_arm = law.marker(from ? CutSide::to : CutSide::from).point.norm();
    const double arm = law.marker(port.side).point.norm();
    const auto reach = [&](const Vec6& moved, Vec6& most) {
      const double shift = moved.head<3>().norm() + far_arm * moved.tail<3>().norm();
      const double turn = std::max(moved.tail<3>().norm(), arm > 0 ? shift / arm : 0.0);
      most.head<3>() = most.head<3>().cwiseMax(Vec3::Constant(shift));
      most.tail<3>() = most.tail<3>().cwiseMax(Vec3::Constant(turn));
    };
    reach(d.x, largest.x);
    reach(d.v, largest.v);
  }
  Offset pushed;
  pushed.v = offsets_->velocity_of(body.body, impulse);
  pushed.x = pushed.v * (H / (steepest + 2));
  const double full = offsets_->weighted(body.body, pushed),
               capacity = offsets_->weighted(body.body, largest);
  if (full == 0 || capacity == 0) return 0;
  double error = 1 / (1 / full + 1 / capacity);
  const auto share_with = [&](const std::vector<BodyId>& others, double part) {
    for (const BodyId other : others)
      error = std::max(error, offsets_->weighted(other, {part * pushed.x, part * pushed.v}));
  };
  const double kept = error / full, onward = kept * error / capacity;
  share_with(body.mates, kept);
  share_with(body.inner, onward);
  return error;
}

/// Where an error matters only what can have come from the far edge is kept of it. Every part's copies are
/// looked at once, however many cuts it has.
void OverlapEstimator::leave_out_solver_errors(double H, Pool& pool) {
  const auto matters = [&](std::size_t i) {
    return std::isfinite(body_error_[i]) && body_error_[i] > worth_a_look;
  };
  bool any = false;
  for (Profile& profile : profiles_) profile.wanted = false;
  for (std::size_t i = 0; i < cut_bodies_.size(); ++i) {
    if (!matters(i)) continue;
    any = true;
    for (const std::size_t port : cut_bodies_[i].ports)
      profiles_[carrying({cut_bodies_[i].part, port}).part].wanted = true;
  }
  if (!any) return;
  auto look = [&](std::size_t part) {
    if (profiles_[part].wanted) look_at(part, H, profiles_[part]);
  };
  pool.run(profiles_.size(), look, batch::profiling);
  for (std::size_t i = 0; i < cut_bodies_.size(); ++i)
    if (matters(i)) body_error_[i] *= share(cut_bodies_[i]);
}

void OverlapEstimator::look_at(std::size_t part, double H, Profile& profile) const {
  const Halo& halo = sides_.halos.halo(part);
  // The cone is that of the stiffer end of the step.
  const Halo end = sides_.halos.measured(part, sides_.states.next_x(), sides_.states.next_v());
  const std::size_t ports = halo.sides.size();
  profile.layers.resize(ports);
  for (auto& layers : profile.layers) layers.clear();
  BodyTable<int> nearest(ports);
  for (std::size_t k = 0; k < halo.copies.size(); ++k) {
    const HaloCopy& copy = halo.copies[k];
    if (copy.layer == 1) nearest.insert(copy.body, copy.root);
    auto& layers = profile.layers[static_cast<std::size_t>(copy.root)];
    const auto number = static_cast<std::size_t>(copy.layer - 1);
    if (number >= layers.size()) layers.resize(number + 1);
    LayerMismatch& layer = layers[number];
    layer.mismatch = std::max(layer.mismatch, weighted_mismatch(part, copy.body));
    layer.distance = std::min({layer.distance, copy.distance, end.copies[k].distance});
  }
  profile.root.assign(ports, -1);
  profile.lost.assign(ports, 0);
  for (std::size_t port = 0; port < ports; ++port) {
    // The body behind this cut may have been reached through another one.
    if (const int* const root = nearest.find(sides_.subsystems[part]->beyond(port)))
      profile.root[port] = *root;
    const double far = std::min(halo.sides[port].distance, end.sides[port].distance);
    profile.lost[port] = far - sides_.halos.rate(part) * H;
  }
}

/// How much of the mismatch behind the cuts of a body can have come from the far edge.
double OverlapEstimator::share(const CutBody& body) const {
  double largest = 0;
  for (const std::size_t port : body.ports) {
    const Place at = carrying({body.part, port});
    if (!carries(at)) return 1;
    const Profile& profile = profiles_[at.part];
    const int root = profile.root[at.port];
    if (root < 0) return 1;
    largest = std::max(largest,
                       far_edge_share(profile.layers[static_cast<std::size_t>(root)], profile.lost[at.port]));
  }
  return largest;
}

}  // namespace cosimo
