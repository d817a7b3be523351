// Accelerations of mechanisms by tables and their elimination tree (mechanics/joint_table.hpp,
// mechanics/elimination_tree.hpp): nanoseconds per body and evaluation.
//
// Rods with ball joints in a chain set the measure. Work must grow with the bodies, whatever the topology: a
// chain ten times as long, one with dampers or pins, a ring, a star of 200 arms around one body, and two
// closed tracks of 80 shoes with parallel pins (redundant rows) take at most a few times as long per body.
// Slender rods in loops are factorised twice. Then the long chain once more, shared by all threads.
//
// And the linear systems of implicit methods on mechanisms (numerics/block_lu.hpp) against KLU: what a step
// of radau takes, a real and a complex factorisation and five solutions with each. A lattice of rigid bodies
// with bushings has large fronts and no leaves alike.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "bench/benchmarks.hpp"
#include "bench/mechanisms.hpp"
#include "bench/timing.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/dynamics.hpp"
#include "mechanics/elements.hpp"
#include "numerics/kkt_solver.hpp"
#include "parallel/team.hpp"

namespace cosimo::bench {

namespace {

struct Case {
  std::string name;
  PlacedMechanism made;
  double most;  ///< times a link of the chain of 200, per body
};

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
  const int wanted = std::min(team.members(), dynamics.most_shares());
  dynamics.expect(wanted, work);
  std::vector<int> fine(static_cast<std::size_t>(wanted), 1);
  auto share = [&](Team::Member& member) {
    const int number = member.number(), count = member.count();
    for (int k = 0; k < times; ++k) {
      dynamics.place(at, number, count);
      member.meet();
      dynamics.load(at, number, count, false);
      member.meet();
      dynamics.move(at, number, count, false);
    }
    member.meet();
    if (dynamics.judge(at, number, count, 0) != Dynamics::Verdict::fine)
      fine[static_cast<std::size_t>(number)] = 0;
  };
  const double took = seconds([&] { team.run(wanted, share); });
  return std::count(fine.begin(), fine.end(), 1) == wanted ? took / times
                                                           : std::numeric_limits<double>::infinity();
}

std::unique_ptr<Dynamics> dynamics_of(const Mechanism& mechanism) {
  std::vector<BodyId> bodies;
  std::vector<ElementId> elements;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) bodies.emplace_back(b);
  for (std::size_t e = 0; e < mechanism.elements.size(); ++e) elements.emplace_back(e);
  return std::make_unique<Dynamics>(mechanism, bodies, elements);
}

/// Linear algebra of a step of radau.
class ImplicitStep {
 public:
  ImplicitStep(const PlacedMechanism& made, bool blocks)
      : dynamics_(dynamics_of(*made.mechanism)),
        tangent_(linearise(made)),
        real_(solver<double>(blocks)),
        complex_(solver<Complex>(blocks)),
        b_(size()),
        complex_b_(size()) {}

  double operator()() {
    bool fine = true;
    const double took = seconds([&] {
      fine = real_.factor(tangent_, 1e-3) && complex_.factor(tangent_, {1e-3, 1e-3});
      for (int k = 0; k < 5; ++k) {
        std::fill(b_.begin(), b_.end(), 1);
        std::fill(complex_b_.begin(), complex_b_.end(), 1);
        real_.solve(b_);
        complex_.solve(complex_b_);
      }
    });
    return fine ? took : std::numeric_limits<double>::infinity();
  }
  std::string note() const {
    const BlockLu* const blocks = real_.matrix().blocks();
    if (blocks == nullptr) return "KLU";
    const BlockLu::Facts& facts = blocks->facts();
    return fmt::format("{} leaves, {} of them side by side", facts.leaves, facts.in_lanes);
  }

 private:
  using Complex = std::complex<double>;

  std::size_t size() const { return dynamics_->freedoms() + dynamics_->constraints(); }
  /// Rows that others imply are left out, as systems do it.
  ConstrainedTangent linearise(const PlacedMechanism& made) const {
    const std::vector<double> zero(size());
    ConstrainedTangent out;
    dynamics_->linearise(0, made.q.data(), made.v.data(), zero.data(), zero.data(), out);
    out.dependent.resize(dynamics_->constraints());
    dynamics_->dependent_rows(0, made.q.data(), *dynamics_->make_workspace(), out.dependent);
    for (auto* block : {&out.J, &out.rate})
      for (SparseEntry& e : *block)
        if (out.is_dependent(static_cast<std::size_t>(e.row))) e.value = 0;
    return out;
  }
  template <class Scalar>
  KktSolver<Scalar> solver(bool blocks) const {
    return {dynamics_->freedoms(), dynamics_->constraints(), tangent_, 0, {}, {blocks, kkt_iteration}};
  }

  std::unique_ptr<Dynamics> dynamics_;
  ConstrainedTangent tangent_;
  KktSolver<double> real_;
  KktSolver<Complex> complex_;
  std::vector<double> b_;
  std::vector<Complex> complex_b_;
};

void implicit_steps(const Options& options, Table& table) {
  struct Implicit {
    std::string name;
    PlacedMechanism made;
    double most;  ///< of KLU's time
  };
  std::vector<Implicit> cases;
  cases.push_back({"chain of 200 rods", chain_of(200), 0.5});
  cases.push_back({"chain of 2000 rods", chain_of(2000), 0.5});
  cases.push_back({"star of 200 arms", star_of(200), 0.6});
  cases.push_back({"two tracks of 80 shoes", tracks_of(80), 0.5});
  cases.push_back({"lattice of 20 x 20 rigid bodies", lattice_of(20), 0.8});
  for (const Implicit& one : cases) {
    ImplicitStep klu(one.made, false), blocks(one.made, true);
    const std::vector<double> best =
        interleaved(options.quick ? 5 : 30, {[&] { return klu(); }, [&] { return blocks(); }});
    table.add({.benchmark = "tree",
               .work = fmt::format("linear systems of a step of radau, {}", one.name),
               .reference = "KLU",
               .reference_value = 1e6 * best[0],
               .our_value = 1e6 * best[1],
               .unit = "us",
               .ratio = best[1] / best[0],
               .goal = Goal::at_most,
               .target = one.most,
               .note = blocks.note()});
  }
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
    dynamics.push_back(dynamics_of(*one.made.mechanism));
    work.push_back(dynamics.back()->make_workspace());
    const int times =
        static_cast<int>(20'000 / dynamics.back()->bodies());  // short, so that some are left in peace
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
  implicit_steps(options, table);
}

}  // namespace cosimo::bench
