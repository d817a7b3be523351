// Heaps of spheres that touch their neighbours and the floor: milliseconds of rk per attempt at a step,
// everything included, on one thread and on several. Steps are the same for any team, to the bit.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "bench/benchmarks.hpp"
#include "bench/mechanisms.hpp"
#include "bench/team_run.hpp"
#include "bench/timing.hpp"
#include "contact/contact_group.hpp"

namespace cosimo::bench {

namespace {

/// Glass balls of 2 cm, pressed into each other by a hundredth, a bit out of order.
PlacedMechanism heap_of(std::size_t wide, std::size_t high) {
  constexpr double r = 0.02, apart = 1.98 * r, mass = 0.084;
  MechanismBuilder builder;
  builder.gravity({0, 0, -9.81});
  contact::Scene scene;
  SolidShape ball;
  ball.kind = SolidShape::Kind::sphere;
  ball.radius = r;
  for (std::size_t k = 0; k < wide * wide * high; ++k) {
    Frame frame;
    const auto number = static_cast<double>(k);
    const auto at = [&](std::size_t n) { return apart * static_cast<double>(n); };
    frame.r = Vec3(at(k % wide) + 0.002 * r * std::sin(7 * number),
                   at(k / wide % wide) + 0.002 * r * std::sin(11 * number), 0.99 * r + at(k / (wide * wide)));
    frame.w = 0.5 * Vec3(std::sin(3 * number), std::sin(5 * number), 0);
    scene.bodies.push_back(builder.add({.name = fmt::format("ball{}", k),
                                        .kind = BodyKind::rigid,
                                        .mass = mass,
                                        .inertia = 0.4 * mass * r * r * Mat3::Identity()},
                                       frame));
    scene.shapes.push_back(contact::make_outline(ball, Vec3::Zero(), Mat3::Identity()));
  }
  const double far = apart * static_cast<double>(wide - 1) + 0.99 * r;
  scene.shapes.push_back(contact::make_plane(Vec3::Zero(), Vec3::UnitZ()));
  for (const auto& [at, normal] : {std::pair<Vec3, Vec3>{{-0.99 * r, 0, 0}, {1, 0, 0}},
                                   {{far, 0, 0}, {-1, 0, 0}},
                                   {{0, -0.99 * r, 0}, {0, 1, 0}},
                                   {{0, far, 0}, {0, -1, 0}}})
    scene.shapes.push_back(contact::make_plane(at, normal));
  scene.allowed.sides.assign(scene.shapes.size(), 3);
  builder.add(contact::make_contacts("pour", std::move(scene),
                                     {.stiffness = 5e7, .damping = 0.5, .friction = 0.3, .slip = 0.01}));
  return builder.finish();
}

}  // namespace

void contacts(const Options& options, Table& table) {
  struct Heap {
    std::size_t wide, high;
  };
  std::vector<Heap> heaps{{10, 10}};
  if (!options.quick) heaps.push_back({22, 21});
  for (const auto& [wide, high] : heaps) {
    const PlacedMechanism made = heap_of(wide, high);
    std::vector<std::unique_ptr<TeamRun>> runs;
    for (const int threads : std::set<int>{1, 2, options.thread_count()})
      runs.push_back(std::make_unique<TeamRun>(made, Method::rk, TeamRun::Span{1e-5, 4e-4}, threads));
    std::vector<std::function<double()>> competitors;
    for (const auto& run : runs) competitors.emplace_back([&run] { return (*run)(); });
    const std::vector<double> best = interleaved(options.quick ? 2 : 5, competitors);
    for (std::size_t k = 0; k < runs.size(); ++k)
      table.add({.benchmark = "contacts",
                 .work = fmt::format("a step of rk, {} spheres that touch, {} thread{}", wide * wide * high,
                                     runs[k]->threads(), runs[k]->threads() == 1 ? "" : "s"),
                 .reference = "one thread",
                 .reference_value = 1e3 * best[0],
                 .our_value = 1e3 * best[k],
                 .unit = "ms",
                 .ratio = best[0] / best[k],
                 .goal = runs[k]->threads() == 2 ? Goal::at_least : Goal::none,
                 .target = runs[k]->threads() == 2 ? 1.4 : 0,
                 .note = {}});
  }
}

}  // namespace cosimo::bench
