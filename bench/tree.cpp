// Accelerations of mechanisms by tables and their elimination tree (mechanics/joint_table.hpp,
// mechanics/elimination_tree.hpp): nanoseconds per body and evaluation.
//
// Rods with ball joints in a chain set the measure. Work must grow with the bodies, whatever the topology: a
// chain ten times as long, one with dampers or pins, a ring, a star of 200 arms around one body, and two
// closed tracks of 80 shoes with parallel pins (redundant rows) take at most a few times as long per body.
// Slender rods in loops are factorised twice. Then the long chain once more, shared by all threads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "bench/benchmarks.hpp"
#include "bench/timing.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/dynamics.hpp"
#include "mechanics/elements.hpp"
#include "parallel/team.hpp"

namespace cosimo::bench {

namespace {

struct Case {
  std::string name;
  PlacedMechanism made;
  double most;  ///< times a link of the chain of 200, per body
};

BodyId add_rod(MechanismBuilder& builder, const Vec3& from, const Vec3& to) {
  Frame frame;
  frame.r = 0.5 * (from + to);
  frame.R = axes_along((to - from).normalized());
  Mat3 turn;  // the rod is along x of the body
  turn << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  frame.R = frame.R * turn.transpose();
  frame.w = Vec3(0.3, -0.2, 0.1);
  const std::string name = fmt::format("rod{}", builder.bodies());
  return builder.add(
      {.name = name, .kind = BodyKind::rigid, .mass = 1, .inertia = rod_inertia(1, (to - from).norm())},
      frame);
}

PlacedMechanism chain_of(std::size_t links, JointKind kind = JointKind::spherical, double damping = 0) {
  MechanismBuilder builder;
  builder.gravity({0, 0, -9.81});
  Vec3 at = Vec3::Zero();
  BodyId before = ground;
  for (std::size_t k = 0; k < links; ++k) {
    const double angle = 0.8 * std::sin(0.05 * static_cast<double>(k));
    const Vec3 next = at + Vec3(std::sin(angle), 0, -std::cos(angle));
    const BodyId rod = add_rod(builder, at, next);
    builder.joint(fmt::format("joint{}", k), kind, before, rod, at, Vec3::UnitY());
    if (damping > 0) {
      BushingSpec damper;
      for (std::size_t i = 3; i < 6; ++i) damper.law[i].d = damping;
      builder.add(make_bushing(fmt::format("damper{}", k), builder.marker(before, at),
                               builder.marker(rod, at), damper));
    }
    before = rod;
    at = next;
  }
  return builder.finish();
}

void add_ring(MechanismBuilder& builder, std::size_t links, JointKind kind, double side) {
  const double turn = 2 * std::numbers::pi / static_cast<double>(links), radius = 0.5 / std::sin(turn / 2);
  const auto corner = [&](std::size_t k) {
    const double angle = turn * static_cast<double>(k % links);
    return Vec3(radius * std::cos(angle), side, radius * std::sin(angle));
  };
  std::vector<BodyId> rods;
  for (std::size_t k = 0; k < links; ++k) rods.push_back(add_rod(builder, corner(k), corner(k + 1)));
  for (std::size_t k = 0; k < links; ++k)
    builder.joint(fmt::format("joint{}_{}", side, k), kind, rods[(k + links - 1) % links], rods[k], corner(k),
                  Vec3::UnitY());
}

PlacedMechanism ring_of(std::size_t links) {
  MechanismBuilder builder;
  builder.gravity({0, 0, -9.81});
  add_ring(builder, links, JointKind::spherical, 0);
  return builder.finish();
}

PlacedMechanism tracks_of(std::size_t shoes) {
  MechanismBuilder builder;
  builder.gravity({0, 0, -9.81});
  for (const double side : {-1.0, 1.0}) add_ring(builder, shoes, JointKind::revolute, side);
  return builder.finish();
}

PlacedMechanism star_of(std::size_t arms) {
  MechanismBuilder builder;
  builder.gravity({0, 0, -9.81});
  Frame frame;
  const BodyId hub = builder.add(
      {.name = "hub", .kind = BodyKind::rigid, .mass = 10, .inertia = 10 * Mat3::Identity()}, frame);
  builder.joint("pivot", JointKind::revolute, ground, hub, Vec3::Zero(), Vec3::UnitY());
  for (std::size_t k = 0; k < arms; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(arms);
    const Vec3 out(std::cos(angle), 0.1 * std::sin(3 * angle), std::sin(angle));
    builder.joint(fmt::format("ball{}", k), JointKind::spherical, hub, add_rod(builder, out, 2 * out), out,
                  Vec3::UnitY());
  }
  return builder.finish();
}

/// Seconds of one evaluation, the mean of many.
double evaluation(const PlacedMechanism& made, const Dynamics& dynamics, Dynamics::Workspace& work,
                  int times) {
  std::vector<double> a(dynamics.size());
  bool fine = true;
  const double took = seconds([&] {
    for (int k = 0; k < times; ++k)
      fine = dynamics.acceleration(0, made.q.data(), made.v.data(), {}, a.data(), nullptr, work) && fine;
  });
  return fine ? took / times : std::numeric_limits<double>::infinity();
}

/// The same by a team.
double shared_evaluation(const PlacedMechanism& made, const Dynamics& dynamics, Dynamics::Workspace& work,
                         Team& team, int times) {
  std::vector<double> a(dynamics.size());
  const Dynamics::Evaluation at{0, made.q.data(), made.v.data(), {}, a.data(), &work};
  auto share = [&](Team::Member& member) {
    for (int section = 0; section < Dynamics::sections; ++section) {
      if (section > 0) member.meet();
      dynamics.evaluate(section, at, member.number(), member.count());
    }
  };
  bool fine = true;
  const double took = seconds([&] {
    for (int k = 0; k < times; ++k) {
      team.run(dynamics.most_shares(), share);
      fine = dynamics.finish(at) && fine;
    }
  });
  return fine ? took / times : std::numeric_limits<double>::infinity();
}

}  // namespace

void tree(const Options& options, Table& table) {
  std::vector<Case> cases;
  cases.push_back({"chain of 200 rods", chain_of(200), 0});
  cases.push_back({"chain of 2000 rods", chain_of(2000), 1.7});
  cases.push_back({"chain of 200 rods, dampers", chain_of(200, JointKind::spherical, 0.1), 2});
  cases.push_back({"chain of 200 rods, pins", chain_of(200, JointKind::revolute), 6});
  cases.push_back({"ring of 1000 rods", ring_of(1000), 4});
  cases.push_back({"star of 200 arms", star_of(200), 2});
  cases.push_back({"two tracks of 80 shoes", tracks_of(80), 6});
  cases.push_back({"chain of 2000 rods, all threads", chain_of(2000), 1.7});
  std::vector<std::unique_ptr<Dynamics>> dynamics;
  std::vector<Dynamics::WorkspacePtr> work;
  std::vector<std::function<double()>> competitors;
  Team team;
  team.hire(options.thread_count());
  for (const Case& one : cases) {
    const Mechanism& mechanism = *one.made.mechanism;
    std::vector<BodyId> bodies;
    std::vector<ElementId> elements;
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) bodies.emplace_back(b);
    for (std::size_t e = 0; e < mechanism.elements.size(); ++e) elements.emplace_back(e);
    dynamics.push_back(std::make_unique<Dynamics>(mechanism, bodies, elements));
    work.push_back(dynamics.back()->make_workspace());
    const int times = static_cast<int>(20'000 / bodies.size());  // short, so that some are left in peace
    const bool shared = &one == &cases.back();
    competitors.push_back(
        [&made = one.made, &equations = *dynamics.back(), &space = *work.back(), &team, shared, times] {
          return shared ? shared_evaluation(made, equations, space, team, times)
                        : evaluation(made, equations, space, times);
        });
  }
  const std::vector<double> best = interleaved(options.quick ? 20 : 150, competitors);
  const auto per_body = [&](std::size_t k) {
    return 1e9 * best[k] / static_cast<double>(dynamics[k]->bodies());
  };
  for (std::size_t k = 0; k < cases.size(); ++k)
    table.add({.benchmark = "tree",
               .work = fmt::format("acceleration, {}, per body", cases[k].name),
               .reference = cases.front().name,
               .reference_value = per_body(0),
               .our_value = per_body(k),
               .unit = "ns",
               .ratio = per_body(k) / per_body(0),
               .goal = k == 0 ? Goal::none : Goal::at_most,
               .target = cases[k].most,
               .note = fmt::format("{:.1f} us per evaluation", 1e6 * best[k])});
}

}  // namespace cosimo::bench
