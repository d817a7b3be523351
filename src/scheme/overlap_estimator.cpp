#include "scheme/overlap_estimator.hpp"

#include <algorithm>
#include <array>
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

constexpr std::size_t bodies_per_task = 32;  ///< at least: a task takes some microseconds
constexpr std::size_t no_part = static_cast<std::size_t>(-1);

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
                                   Halos& halos)
    : physics_(model.physics), sides_(sides), halos_(halos), cuts_(sides.size()) {
  for (std::size_t part = 0; part < sides.size(); ++part) add_part(part);
  body_error_.resize(cut_bodies_.size());
  find_other_sides();
  // What is next to each body, now that the list does not grow any more.
  const BodyGraph& graph = physics_.graph();
  std::vector<std::array<std::size_t, 3>> first;
  for (std::size_t part = 0; part < sides.size(); ++part)
    for (std::size_t i = cuts_[part].bodies.first; i < cuts_[part].bodies.last; ++i) {
      const BodyId body = cut_bodies_[i].body;
      const std::size_t inner = near_.size();
      for (const Incident& each : graph.around(body))
        if (each.other != ground && model.part_of[each.other.index()] == static_cast<std::int32_t>(part))
          near_.push_back(each.other);
      const std::size_t mates = near_.size();
      for (const BodyId mate : graph.group(body))
        if (mate != body) near_.push_back(mate);
      first.push_back({inner, mates, near_.size()});
    }
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto [inner, mates, end] = first[i];
    cut_bodies_[i].inner = std::span(near_).subspan(inner, mates - inner);
    cut_bodies_[i].mates = std::span(near_).subspan(mates, end - mates);
  }
  for (std::size_t part = 0, begin = 0; part < sides.size(); ++part) {
    const std::size_t bodies = cuts_[part].bodies.last - cuts_[begin].bodies.first;
    if (bodies < bodies_per_task && part + 1 < sides.size()) continue;
    tasks_.push_back({begin, part + 1});
    begin = part + 1;
  }
}

/// Its cut bodies in the order of their first ports, and their copies.
void OverlapEstimator::add_part(std::size_t part) {
  const auto& ports = sides_[part].ports;
  Cuts& cuts = cuts_[part];
  BodyTable<std::size_t> number(ports.size());
  std::vector<std::vector<std::size_t>> ports_of;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    const auto [known, fresh] = number.insert(ports[p].body, ports_of.size());
    if (fresh) ports_of.emplace_back();
    ports_of[*known].push_back(p);
  }
  cuts.ports.resize(ports.size());
  cuts.bodies.first = cut_bodies_.size();
  cuts.copies.first = copies_.size();
  for (const auto& own : ports_of) {
    Overlapping::CutBody& body = cut_bodies_.emplace_back();
    body.body = ports[own.front()].body;
    body.copies.first = copies_.size();
    for (const std::size_t p : own) {
      cuts.ports[p] = {cut_bodies_.size() - 1, copies_.size()};
      copies_.push_back({ports[p].coupling, ports[p].side, ports[p].beyond, {}, 0});
      behind_.push_back({p, {no_part, 0}, {part, p}, false});
    }
    body.copies.last = copies_.size();
  }
  cuts.bodies.last = cut_bodies_.size();
  cuts.copies.last = copies_.size();
}

void OverlapEstimator::find_other_sides() {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> first;  // copy seen of every coupling
  for (const Cuts& cuts : cuts_)
    for (const Cuts::Port& port : cuts.ports) {
      const std::size_t coupling = copies_[port.copy].coupling.index();
      if (coupling >= first.size()) first.resize(coupling + 1, none);
      const std::size_t other = std::exchange(first[coupling], port.copy);
      if (other == none) continue;
      behind_[other].other = behind_[port.copy].at;
      behind_[port.copy].other = behind_[other].at;
    }
}

void OverlapEstimator::estimate(const Window& step, const CutStates& y, Pool& pool) {
  auto some = [&](std::size_t task) {
    for (std::size_t part = tasks_[task].first; part < tasks_[task].last; ++part) judge(part, step, y);
  };
  if (tasks_.size() == 1)
    some(0);
  else
    pool.run(tasks_.size(), some, batch::estimating);
  const auto asks_others = [](const Cuts& cuts) { return cuts.elsewhere; };
  if (std::any_of(cuts_.begin(), cuts_.end(), asks_others)) look_elsewhere(step.size());
}

bool OverlapEstimator::matters(std::size_t body) const {
  return std::isfinite(body_error_[body]) && body_error_[body] > worth_a_look;
}

/// Its part carries all of its copies that are carried.
bool OverlapEstimator::at_home(std::size_t part, std::size_t body) const {
  if (!cuts_[part].elsewhere) return true;
  const Range copies = cut_bodies_[body].copies;
  return std::all_of(behind_.begin() + static_cast<std::ptrdiff_t>(copies.first),
                     behind_.begin() + static_cast<std::ptrdiff_t>(copies.last),
                     [&](const Behind& each) { return each.at.part == part; });
}

/// The errors of a part's bodies. Where one matters only what can have come from the far edge is kept of it:
/// the part's copies are looked at once, however many cuts it has.
void OverlapEstimator::judge(std::size_t part, const Window& step, const CutStates& y) {
  find_copies(part);
  Cuts& cuts = cuts_[part];
  const Range own = cuts.bodies;
  physics_.push(std::span(cut_bodies_).subspan(own.first, own.size()), copies_, step, y,
                std::span(body_error_).subspan(own.first, own.size()));
  cuts.profile.wanted = false;
  for (std::size_t i = own.first; i < own.last; ++i) {
    if (std::isnan(body_error_[i])) body_error_[i] = std::numeric_limits<double>::infinity();
    if (matters(i) && at_home(part, i)) ask(i);
  }
  if (!cuts.profile.wanted) return;
  look_at(part, step.size());
  for (std::size_t i = own.first; i < own.last; ++i)
    if (matters(i) && at_home(part, i)) body_error_[i] *= share(i);
}

/// Behind a port counts the copy there. On the side of a one-sided cut that carries nothing it is that of the
/// port's own body, whose copy made the force that drives it.
void OverlapEstimator::find_copies(std::size_t part) {
  Cuts& cuts = cuts_[part];
  cuts.elsewhere = false;
  const Copying::Behind here = sides_[part].lane->behind();
  for (std::size_t k = cuts.copies.first; k < cuts.copies.last; ++k) {
    Behind& behind = behind_[k];
    Overlapping::Copy& copy = copies_[k];
    behind.at = {part, behind.port};
    behind.carried = here.carries(behind.port);
    if (behind.carried) {
      copy.motion = here.motion(behind.port);
    } else {
      copy.motion = {};
      if (behind.other.part == no_part) continue;
      behind.at = behind.other;
      cuts.elsewhere = true;
      const Copying::Behind there = sides_[behind.at.part].lane->behind();
      behind.carried = there.carries(behind.at.port);
      if (behind.carried) copy.motion = there.motion(behind.at.port);
    }
    copy.body = sides_[behind.at.part].ports[behind.at.port].beyond;
    copy.most = 2 * std::max(1, halos_.layers(behind.at.part, behind.at.port)) + 2;
  }
}

/// Errors of bodies whose copies other parts carry, after all have been judged.
void OverlapEstimator::look_elsewhere(double H) {
  for (Cuts& cuts : cuts_) cuts.profile.wanted = false;
  const auto each = [&](auto action) {
    for (std::size_t part = 0; part < cuts_.size(); ++part)
      for (std::size_t i = cuts_[part].bodies.first; i < cuts_[part].bodies.last; ++i)
        if (matters(i) && !at_home(part, i)) action(i);
  };
  each([&](std::size_t body) { ask(body); });
  for (std::size_t part = 0; part < cuts_.size(); ++part)
    if (cuts_[part].profile.wanted) look_at(part, H);
  each([&](std::size_t body) { body_error_[body] *= share(body); });
}

void OverlapEstimator::ask(std::size_t body) {
  for (std::size_t k = cut_bodies_[body].copies.first; k < cut_bodies_[body].copies.last; ++k) {
    const Place at = behind_[k].at;
    Profile& profile = cuts_[at.part].profile;
    if (!std::exchange(profile.wanted, true)) profile.asked.assign(sides_[at.part].ports.size(), 0);
    profile.asked[at.port] = 1;
  }
}

/// Looks at the copies of those roots only from which the bodies behind the ports asked for were reached.
void OverlapEstimator::look_at(std::size_t part, double H) {
  Profile& profile = cuts_[part].profile;
  const Halo& halo = halos_.halo(part);
  // The cone is that of the stiffer end of the step.
  const Halos::Distances end = halos_.distances(part, physics_.states().next_x(), physics_.states().next_v());
  const std::size_t ports = halo.sides.size();
  profile.root.assign(ports, -1);
  profile.lost.assign(ports, 0);
  profile.wanted_root.assign(ports, 0);
  for (std::size_t port = 0; port < ports; ++port) {
    if (profile.asked[port] == 0) continue;
    // The body behind this cut may have been reached through another one.
    if (const std::int32_t copy = halo.rows.behind[port];
        copy >= 0 && halo.copies[static_cast<std::size_t>(copy)].layer == 1) {
      const int root = halo.copies[static_cast<std::size_t>(copy)].root;
      profile.root[port] = root;
      profile.wanted_root[static_cast<std::size_t>(root)] = 1;
    }
    const double far = std::min(halo.sides[port].distance, end.side(halo, port));
    profile.lost[port] = far - halos_.rate(part) * H;
  }
  profile.layers.resize(ports);
  for (auto& layers : profile.layers) layers.clear();
  for (std::size_t k = 0; k < halo.copies.size(); ++k) {
    const HaloCopy& copy = halo.copies[k];
    const auto root = static_cast<std::size_t>(copy.root);
    if (profile.wanted_root[root] == 0) continue;
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
double OverlapEstimator::share(std::size_t body) const {
  double largest = 0;
  for (std::size_t k = cut_bodies_[body].copies.first; k < cut_bodies_[body].copies.last; ++k) {
    if (!behind_[k].carried) return 1;
    const Place at = behind_[k].at;
    const Profile& profile = cuts_[at.part].profile;
    const int root = profile.root[at.port];
    if (root < 0) return 1;
    largest = std::max(largest,
                       far_edge_share(profile.layers[static_cast<std::size_t>(root)], profile.lost[at.port]));
  }
  return largest;
}

}  // namespace cosimo
