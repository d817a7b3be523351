#include "scheme/overlap_estimator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/check.hpp"
#include "partition/body_graph.hpp"
#include "partition/body_table.hpp"
#include "scheme/batch.hpp"

namespace cosimo {

namespace {

/// Below this part of the tolerance it does not matter where a mismatch comes from.
constexpr double worth_a_look = 0.1;

constexpr std::size_t bodies_per_task = 64;  ///< a task takes some microseconds

}  // namespace

OverlapSide overlap_side(const Component& component, std::span<const Coupling> couplings, Copying& lane) {
  OverlapSide side;
  for (const Port& port : component.ports()) {
    const Coupling& coupling = couplings[port.coupling.index()];
    const bool from = port.side == CutSide::from;
    side.ports.push_back({port.coupling, port.side, (from ? coupling.from : coupling.to).body,
                          (from ? coupling.to : coupling.from).body});
  }
  side.bodies = component.bodies().size();
  side.lane = &lane;
  return side;
}

std::size_t OverlapSide::port_of(CouplingId coupling) const {
  const auto found = std::find_if(ports.begin(), ports.end(),
                                  [&](const OverlapPort& port) { return port.coupling == coupling; });
  COSIMO_CHECK(found != ports.end(), "a part that the cut does not touch");
  return static_cast<std::size_t>(found - ports.begin());
}

OverlapEstimator::OverlapEstimator(const OverlapModel& model, std::span<const OverlapSide> sides,
                                   const Halos& halos)
    : physics_(model.physics),
      couplings_(model.couplings),
      sides_(sides),
      halos_(halos),
      profiles_(sides.size()) {
  for (std::size_t part = 0; part < sides.size(); ++part) {
    const auto& ports = sides[part].ports;
    const std::size_t first = cut_bodies_.size();
    for (std::size_t p = 0; p < ports.size(); ++p) {
      auto known = std::find_if(cut_bodies_.begin() + static_cast<std::ptrdiff_t>(first), cut_bodies_.end(),
                                [&](const CutBody& each) { return each.known.body == ports[p].body; });
      if (known == cut_bodies_.end()) {
        known = cut_bodies_.insert(known, CutBody{});
        known->known.body = ports[p].body;
        known->part = part;
      }
      known->ports.push_back(p);
      known->copies.push_back({ports[p].coupling, ports[p].side, ports[p].beyond, {}, 0});
    }
  }
  const BodyGraph& graph = physics_.graph();
  for (CutBody& each : cut_bodies_) {
    const BodyId body = each.known.body;
    for (const Incident& i : graph.around(body))
      if (i.other != ground && model.part_of[i.other.index()] == static_cast<std::int32_t>(each.part))
        each.known.inner.push_back(i.other);
    for (const BodyId mate : graph.group(body))
      if (mate != body) each.known.mates.push_back(mate);
  }
}

void OverlapEstimator::estimate(const Window& step, const CutStates& y, Pool& pool,
                                std::span<double> cut_error) {
  body_error_.resize(cut_bodies_.size());
  auto judge = [&](std::size_t chunk) {
    const std::size_t last = std::min(cut_bodies_.size(), (chunk + 1) * bodies_per_task);
    for (std::size_t i = chunk * bodies_per_task; i < last; ++i) {
      const double error = push_through(cut_bodies_[i], step, y);
      body_error_[i] = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    }
  };
  const std::size_t chunks = (cut_bodies_.size() + bodies_per_task - 1) / bodies_per_task;
  if (chunks == 1)
    judge(0);
  else
    pool.run(chunks, judge, batch::estimating);
  leave_out_solver_errors(step.size(), pool);
  std::fill(cut_error.begin(), cut_error.end(), 0.0);
  for (std::size_t i = 0; i < cut_bodies_.size(); ++i)
    for (const Overlapping::Copy& copy : cut_bodies_[i].copies) {
      double& cut = cut_error[copy.coupling.index()];
      cut = std::max(cut, body_error_[i]);
    }
}

OverlapEstimator::Place OverlapEstimator::other_side(Place at) const {
  const OverlapPort& port = sides_[at.part].ports[at.port];
  const Coupling& c = couplings_[port.coupling.index()];
  const std::size_t part = (port.side == CutSide::from ? c.to : c.from).part.index();
  return {part, sides_[part].port_of(port.coupling)};
}

/// Behind a port counts the copy there. On the side of a one-sided cut that carries nothing it is that of the
/// port's own body, whose copy made the force that drives it.
double OverlapEstimator::push_through(CutBody& body, const Window& step, const CutStates& y) const {
  for (std::size_t i = 0; i < body.ports.size(); ++i) {
    Overlapping::Copy& copy = body.copies[i];
    const Place at = carrying({body.part, body.ports[i]});
    copy.body = sides_[at.part].ports[at.port].beyond;
    copy.motion = carries(at) ? sides_[at.part].lane->carried_motion(copy.body) : BodyMotion{};
    copy.most = 2 * std::max(1, halos_.layers(at.part, at.port)) + 2;
  }
  return physics_.pushed(body.known, body.copies, step, y);
}

/// Where an error matters only what can have come from the far edge is kept of it. Every part's copies are
/// looked at once, however many cuts it has.
void OverlapEstimator::leave_out_solver_errors(double H, Pool& pool) {
  const auto matters = [&](std::size_t i) {
    return std::isfinite(body_error_[i]) && body_error_[i] > worth_a_look;
  };
  bool any = false;
  for (Profile& profile : profiles_) profile.wanted = false;
  const auto ask = [&](Place at) {
    Profile& profile = profiles_[at.part];
    if (!std::exchange(profile.wanted, true)) profile.asked.assign(sides_[at.part].ports.size(), 0);
    profile.asked[at.port] = 1;
  };
  for (std::size_t i = 0; i < cut_bodies_.size(); ++i) {
    if (!matters(i)) continue;
    any = true;
    for (const std::size_t port : cut_bodies_[i].ports) ask(carrying({cut_bodies_[i].part, port}));
  }
  if (!any) return;
  auto look = [&](std::size_t part) {
    if (profiles_[part].wanted) look_at(part, H, profiles_[part]);
  };
  pool.run(profiles_.size(), look, batch::profiling);
  for (std::size_t i = 0; i < cut_bodies_.size(); ++i)
    if (matters(i)) body_error_[i] *= share(cut_bodies_[i]);
}

/// Looks at the copies of those roots only from which the bodies behind the ports asked for were reached.
void OverlapEstimator::look_at(std::size_t part, double H, Profile& profile) const {
  const Halo& halo = halos_.halo(part);
  // The cone is that of the stiffer end of the step.
  const Halos::Distances end = halos_.distances(part, physics_.states().next_x(), physics_.states().next_v());
  const std::size_t ports = halo.sides.size();
  BodyTable<int> nearest(ports);
  for (const HaloCopy& copy : halo.copies)
    if (copy.layer == 1) nearest.insert(copy.body, copy.root);
  profile.root.assign(ports, -1);
  profile.lost.assign(ports, 0);
  std::vector<char> wanted(ports, 0);
  for (std::size_t port = 0; port < ports; ++port) {
    if (profile.asked[port] == 0) continue;
    // The body behind this cut may have been reached through another one.
    if (const int* const root = nearest.find(sides_[part].ports[port].beyond)) {
      profile.root[port] = *root;
      wanted[static_cast<std::size_t>(*root)] = 1;
    }
    const double far = std::min(halo.sides[port].distance, end.side(halo, port));
    profile.lost[port] = far - halos_.rate(part) * H;
  }
  profile.layers.resize(ports);
  for (auto& layers : profile.layers) layers.clear();
  for (std::size_t k = 0; k < halo.copies.size(); ++k) {
    const HaloCopy& copy = halo.copies[k];
    const auto root = static_cast<std::size_t>(copy.root);
    if (wanted[root] == 0) continue;
    auto& layers = profile.layers[root];
    const auto number = static_cast<std::size_t>(copy.layer - 1);
    if (number >= layers.size()) layers.resize(number + 1);
    LayerMismatch& layer = layers[number];
    layer.mismatch =
        std::max(layer.mismatch, physics_.mismatch(copy.body, sides_[part].lane->carried_motion(copy.body)));
    layer.distance = std::min({layer.distance, copy.distance, end.copy(halo, k)});
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
