// Contacts of all shapes against differences, sums and closed forms.
#include "contact/contact_group.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

#include "contact/testing.hpp"

namespace cosimo::contact {
namespace {

using cosimo::testing::displaced;
using cosimo::testing::random_frame;
using cosimo::testing::random_number;
using cosimo::testing::random_vector;
using cosimo::testing::relative_difference;
using cosimo::testing::Rng;
using Kind = SolidShape::Kind;

struct Case {
  std::string name;
  Outline shape;
};

std::vector<Case> shapes() {
  return {{"sphere", testing::outline(testing::sphere(0.4))},
          {"box", testing::outline(testing::box(0.9, 0.6, 0.7))},
          {"capsule", testing::outline(testing::round(Kind::capsule, 0.2, 0.8))},
          {"cylinder", testing::outline(testing::round(Kind::cylinder, 0.3, 0.7))},
          {"hull", testing::outline(testing::octahedron(0.5))}};
}

using Frames = std::vector<Frame>;

std::vector<Wrench> wrenches(const ForceGroup& group, const Frames& frames, const double* s = nullptr) {
  std::vector<Wrench> out(frames.size());
  EXPECT_TRUE(group.wrenches({.frames = frames, .s = s}, out));
  return out;
}
Eigen::VectorXd stacked(const std::vector<Wrench>& list) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(6 * list.size()));
  for (std::size_t i = 0; i < list.size(); ++i)
    out.segment<6>(static_cast<Eigen::Index>(6 * i)) << list[i].force, list[i].torque;
  return out;
}

/// The second frame, brought towards the first from a random direction until the two overlap by about
/// `depth`.
Frames overlapping(const ForceGroup& group, Rng& rng, double depth, bool both) {
  Frames frames{random_frame(rng, BodyKind::rigid)};
  if (both) frames.push_back(random_frame(rng, BodyKind::rigid));
  const Vec3 way = both ? Vec3(random_vector(rng).normalized()) : Vec3(Vec3::UnitZ());
  const Vec3 from = both ? frames[0].r : Vec3::Zero();
  double near = 0, far = 4;
  for (int i = 0; i < 60; ++i) {
    const double half = 0.5 * (near + far);
    frames.back().r = from + half * way;
    (group.potential({.frames = frames}) > 0 ? near : far) = half;
  }
  frames.back().r = from + (far - depth) * way;
  return frames;
}

/// Derivatives of all wrenches by the displacement, and by the velocities, of all bodies.
std::pair<Eigen::MatrixXd, Eigen::MatrixXd> differences(const ForceGroup& group, const Frames& frames,
                                                        const double* s) {
  const auto n = static_cast<Eigen::Index>(6 * frames.size());
  Eigen::MatrixXd x(n, n), v(n, n);
  const double h = 1e-7;
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto body = static_cast<std::size_t>(j / 6);
    const Vec6 unit = h * Vec6::Unit(j % 6);
    const auto at = [&](double sign, bool place) {
      Frames shifted = frames;
      Frame& moved = shifted[body];
      if (place)
        moved = displaced(moved, sign * unit);
      else {
        moved.v += sign * unit.head<3>();
        moved.w += sign * unit.tail<3>();
      }
      return stacked(wrenches(group, shifted, s));
    };
    x.col(j) = (at(1, true) - at(-1, true)) / (2 * h);
    v.col(j) = (at(1, false) - at(-1, false)) / (2 * h);
  }
  return {x, v};
}

void expect_exact_gradient(const ForceGroup& group, const Frames& frames, const double* s,
                           const std::string& name) {
  GroupGradient exact(frames.size());
  group.gradient({.frames = frames, .s = s}, exact);
  const auto [x, v] = differences(group, frames, s);
  EXPECT_LT(relative_difference(exact.displacement, x, 1e-3), 2e-5) << name;
  EXPECT_LT(relative_difference(exact.velocity, v, 1e-3), 2e-5) << name;
}

/// Forces and moments about the origin balance.
void expect_balance(const ForceGroup& group, const Frames& frames, const std::string& name) {
  const std::vector<Wrench> found = wrenches(group, frames);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double size = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    force += found[i].force;
    moment += found[i].torque + frames[i].r.cross(found[i].force);
    size = std::max(size, found[i].force.norm());
  }
  EXPECT_GT(size, 0) << name;
  EXPECT_LT(force.norm(), 1e-12 * size) << name;
  EXPECT_LT(moment.norm(), 1e-12 * size * 4) << name;
}

/// Work done by small displacements is taken from the potential.
void expect_potential(const ForceGroup& group, const Frames& moving, const std::string& name) {
  Frames frames = moving;
  for (Frame& frame : frames) frame.v = frame.w = Vec3::Zero();
  const Eigen::VectorXd found = stacked(wrenches(group, frames));
  const double h = 1e-6;
  for (Eigen::Index j = 0; j < found.size(); ++j) {
    const auto at = [&](double sign) {
      Frames shifted = frames;
      Frame& moved = shifted[static_cast<std::size_t>(j / 6)];
      moved = displaced(moved, sign * h * Vec6::Unit(j % 6));
      return group.potential({.frames = shifted});
    };
    EXPECT_NEAR((at(1) - at(-1)) / (2 * h), -found[j], 1e-4 * found.norm()) << name << " " << j;
  }
}

constexpr double shallow = 0.004;

TEST(Contacts, EveryPairOfShapesFollowsFromAPotential) {
  for (const Case& one : shapes())
    for (const Case& other : shapes()) {
      const auto smooth =
          make_contacts("c", testing::scene({one.shape, other.shape}), {.stiffness = 1e4, .damping = 0.3});
      const auto rubs = make_contacts("c", testing::scene({one.shape, other.shape}),
                                      {.stiffness = 1e4, .damping = 0.3, .friction = 0.4, .slip = 0.5});
      Rng rng(3);
      for (int k = 0; k < 5; ++k) {
        const std::string name = one.name + "-" + other.name + " " + std::to_string(k);
        const Frames frames = overlapping(*smooth, rng, shallow, true);
        expect_balance(*rubs, frames, name);
        expect_potential(*smooth, frames, name);
        expect_exact_gradient(*smooth, frames, nullptr, name);
        expect_exact_gradient(*rubs, frames, nullptr, name);
      }
    }
}

TEST(Contacts, TouchTheGround) {
  const Outline floor = make_plane(Vec3(0, 0, -0.1), Vec3(0.2, -0.1, 1));
  const Outline step = make_outline(testing::box(2, 2, 0.4), Vec3(0, 0, -0.4), Mat3::Identity());
  for (const Case& one : shapes())
    for (const Outline& fixed : {floor, step}) {
      const auto rubs = make_contacts("c", testing::scene({one.shape}, {fixed}),
                                      {.stiffness = 1e4, .damping = 0.3, .friction = 0.4, .slip = 0.5});
      Rng rng(5);
      for (int k = 0; k < 5; ++k) {
        const Frames frames = overlapping(*rubs, rng, shallow, false);
        EXPECT_GT(wrenches(*rubs, frames)[0].force.norm(), 0) << one.name;
        expect_exact_gradient(*rubs, frames, nullptr, one.name);
      }
    }
}

/// Whatever sticks is remembered, and pulls back by stiffness times the way, at most as friction allows.
TEST(Contacts, StickByWhatTheyRemember) {
  Spec spec{.stiffness = 1e4, .damping = 0.3, .friction = 0.6, .sticking = Sticking{3e3, 2}};
  for (const Case& one : shapes())
    for (const Case& other : shapes()) {
      const auto group = make_contacts("c", testing::scene({one.shape, other.shape}), spec);
      Rng rng(7);
      Frames frames = overlapping(*group, rng, shallow, true);
      std::vector<double> s(group->remembers()), none(s.size(), 0.0);
      group->commit({.frames = frames, .s = none.data()}, s.data());
      const double before = group->potential({.frames = frames, .s = s.data()});
      for (const double way : {1e-5, 3e-2}) {  // it sticks; it slides
        Frames moved = frames;
        moved[1].r += way * random_vector(rng).normalized();
        moved[0].v *= 1e-3;
        moved[1].v *= 1e-3;
        expect_exact_gradient(*group, moved, s.data(), one.name + "-" + other.name);
      }
      // Where nothing moves, committing again changes nothing.
      std::vector<double> again = s;
      for (int k = 0; k < 100; ++k) {
        std::vector<double> next = again;
        group->commit({.frames = frames, .s = again.data()}, next.data());
        again = next;
      }
      EXPECT_NEAR(group->potential({.frames = frames, .s = again.data()}), before, 1e-12 * before);
      for (std::size_t k = 0; k < s.size(); ++k) EXPECT_NEAR(again[k], s[k], 1e-13) << one.name << other.name;
    }
}

TEST(Contacts, BoxCarriesItsWeightWithFourCorners) {
  constexpr double k = 2e5, weight = 9.81 * 3;
  const auto group = make_contacts("c",
                                   testing::scene({testing::outline(testing::box(1, 1, 1), 10)},
                                                  {make_plane(Vec3::Zero(), Vec3::UnitZ())}),
                                   {.stiffness = k});
  Frames frames(1);
  frames[0].r.z() = 0.5 - std::pow(weight / 4 / k, 1 / 1.5);
  const std::vector<Wrench> found = wrenches(*group, frames);
  EXPECT_NEAR(found[0].force.z(), weight, 1e-9 * weight);
  EXPECT_LT(found[0].force.head<2>().norm() + found[0].torque.norm(), 1e-9 * weight);
}

/// Identical boxes exactly on top of each other.
TEST(Contacts, BoxesStandOnEachOther) {
  const Outline cube = testing::outline(testing::box(1, 1, 1));
  const auto group = make_contacts("c", testing::scene({cube, cube}), {.stiffness = 1e5, .exponent = 1});
  Frames frames(2);
  frames[1].r.z() = 1 - 1e-3;
  const std::vector<Wrench> level = wrenches(*group, frames);
  EXPECT_GT(level[1].force.z(), 8 * 0.9 * 100);  // at least all corners of both
  frames[1] = displaced(frames[1], 1e-4 * Vec6::Unit(3));
  const std::vector<Wrench> tilted = wrenches(*group, frames);
  EXPECT_LT(tilted[1].torque.x(), -1e-4 * 1e5 * 8 * 0.9 * 0.23);  // it is pressed back
}

/// 500 spheres that move, against all pairs; the list that is kept gives the same bits as a new one.
TEST(Contacts, SomeSpheresMeetAsAllPairsDo) {
  constexpr std::size_t n = 500;
  Rng rng(11);
  std::vector<Outline> spheres;
  Frames frames(n);
  for (std::size_t i = 0; i < n; ++i) {
    spheres.push_back(
        testing::outline(testing::sphere(i % 50 == 0 ? 0.9 : 0.12 + 0.05 * random_number(rng))));
    frames[i].r = 2 * random_vector(rng);
    frames[i].v = random_vector(rng);
    frames[i].w = random_vector(rng);
  }
  const Spec spec{.stiffness = 1e3, .damping = 0.1, .friction = 0.3};
  const auto group = make_contacts("c", testing::scene(spheres), spec);
  const auto scratch = group->make_scratch();
  for (int step = 0; step < 40; ++step) {
    std::vector<Wrench> kept(n), fresh(n), all(n);
    ASSERT_TRUE(group->wrenches({.frames = frames, .scratch = scratch.get()}, kept));
    ASSERT_TRUE(group->wrenches({.frames = frames}, fresh));
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(kept[i].force, fresh[i].force);
      EXPECT_EQ(kept[i].torque, fresh[i].torque);
    }
    if (step % 10 == 0) {
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
          const auto pair = make_contacts("c", testing::scene({spheres[i], spheres[j]}), spec);
          const std::vector<Wrench> two = wrenches(*pair, {frames[i], frames[j]});
          all[i].force += two[0].force;
          all[j].force += two[1].force;
          all[i].torque += two[0].torque;
          all[j].torque += two[1].torque;
        }
      EXPECT_EQ(stacked(all), stacked(fresh));
    }
    for (Frame& frame : frames) frame.r += 0.004 * frame.v;
  }
}

TEST(Contacts, RefuseWhatIsNotConvex) {
  SolidShape mesh = testing::octahedron(1);
  EXPECT_EQ(reason_against(mesh), "");
  mesh.points[0] = {0.1, 0, 0};
  EXPECT_EQ(reason_against(mesh), "");  // flatter, but convex
  mesh.points[0] = {-0.5, 0, 0};
  EXPECT_NE(reason_against(mesh).find("convex"), std::string::npos);
  EXPECT_NE(reason_against(testing::round(Kind::tube, 1, 1)).find("tube"), std::string::npos);
}

/// A thin plate has a hundred points on its edges, and every one that touches sticks.
TEST(Contacts, EveryPointOfAThinPlateSticks) {
  const double k = 1e6, p = 1e-4, K = 1e5, u = 1e-7;
  const Spec spec{.stiffness = k, .friction = 0.5, .sticking = Sticking{K, 0}};
  const auto group = make_contacts("plate",
                                   testing::scene({testing::outline(testing::box(0.4, 0.4, 0.02))},
                                                  {make_plane(Vec3::Zero(), Vec3::UnitZ())}),
                                   spec);
  Frames frames(1);
  frames[0].r = Vec3(0, 0, 0.01 - p);
  std::vector<double> before(group->remembers()), now(before.size());
  group->begin({.frames = frames}, before.data());
  now = before;
  group->commit({.frames = frames, .s = before.data()}, now.data());
  frames[0].r.x() = u;
  const Wrench found = wrenches(*group, frames, now.data())[0];
  const double points = found.force.z() / (k * std::pow(p, 1.5));
  EXPECT_GT(points, 100);
  EXPECT_NEAR(found.force.x() / (-K * u * points), 1, 1e-9);
}

/// Thirty small balls lie around a large one, which comes first: all of them stick.
TEST(Contacts, ManySmallBallsStickToALargeOne) {
  const double K = 1e5, u = 1e-7, large = 1, small = 0.05, p = 1e-3;
  constexpr std::size_t count = 30;
  const Spec spec{.stiffness = 1e6, .friction = 0.5, .sticking = Sticking{K, 0}};
  std::vector<Outline> shapes{testing::outline(testing::sphere(large))};
  Frames frames(count + 1);
  for (std::size_t i = 1; i <= count; ++i) {
    shapes.push_back(testing::outline(testing::sphere(small)));
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / count;
    frames[i].r = (large + small - p) * Vec3(std::cos(angle), std::sin(angle), 0);
  }
  const auto group = make_contacts("balls", testing::scene(std::move(shapes)), spec);
  std::vector<double> before(group->remembers()), now(before.size());
  group->begin({.frames = frames}, before.data());
  now = before;
  group->commit({.frames = frames, .s = before.data()}, now.data());
  for (std::size_t i = 1; i <= count; ++i) frames[i].r.z() = u;
  const std::vector<Wrench> found = wrenches(*group, frames, now.data());
  for (std::size_t i = 1; i <= count; ++i) EXPECT_NEAR(found[i].force.z() / (-K * u), 1, 2e-3) << i;
}

/// A heap of balls and boxes in a corner.
struct Heap {
  Heap() {
    Rng rng(5);
    std::vector<Outline> shapes;
    for (std::size_t k = 0; k < 343; ++k) {
      shapes.push_back(k % 9 == 4
                           ? testing::outline(testing::box(0.9, 0.8, 1))
                           : testing::outline(testing::sphere(0.5 + 0.03 * static_cast<double>(k % 3))));
      Frame frame;
      frame.r = 0.97 * Vec3(static_cast<double>(k % 7), static_cast<double>(k / 7 % 7),
                            static_cast<double>(k / 49)) +
                0.02 * random_vector(rng);
      Vec6 turn = Vec6::Zero();
      turn.tail<3>() = 0.3 * random_vector(rng);
      frame = displaced(frame, turn);
      frame.v = random_vector(rng);
      frame.w = random_vector(rng);
      frames.push_back(frame);
    }
    Scene all = testing::scene(std::move(shapes),
                               {make_plane({0, 0, -0.47}, {0, 0, 1}), make_plane({-0.48, 0, 0}, {1, 0, 0})});
    for (std::size_t k = 0; k < all.shapes.size(); ++k) all.names.push_back("s" + std::to_string(k));
    law = make_contacts("heap", std::move(all), {.stiffness = 900, .damping = 0.1, .friction = 0.4});
  }
  std::unique_ptr<ForceGroup> law;
  std::vector<Frame> frames;
};

TEST(Contacts, AnyNumberOfFellowsGivesTheSameBits) {
  const Heap heap;
  EXPECT_GT(heap.law->most_fellows(), 2U);
  std::vector<Wrench> alone(heap.frames.size());
  ASSERT_TRUE(heap.law->wrenches({0, heap.frames}, alone));
  for (const std::size_t count : {1U, 2U, 3U, 5U}) {
    const auto scratch = heap.law->make_scratch();
    std::vector<Wrench> out(heap.frames.size());
    std::barrier barrier(static_cast<std::ptrdiff_t>(count));
    const auto meet = [](void* who) { static_cast<std::barrier<>*>(who)->arrive_and_wait(); };
    for (int times = 0; times < 2; ++times) {  // with a list from before as well
      std::ranges::fill(out, Wrench{});
      std::vector<std::thread> fellows;
      for (std::size_t k = 0; k < count; ++k)
        fellows.emplace_back([&, k] {
          EXPECT_TRUE(
              heap.law->wrenches({0, heap.frames, nullptr, scratch.get()}, out, {k, count, meet, &barrier}));
        });
      for (std::thread& fellow : fellows) fellow.join();
      for (std::size_t b = 0; b < out.size(); ++b) {
        ASSERT_EQ(out[b].force, alone[b].force) << b;
        ASSERT_EQ(out[b].torque, alone[b].torque) << b;
      }
    }
  }
}

TEST(Contacts, TellsWhatItDoesToBodiesAndTheGround) {
  const Heap heap;
  const std::vector<std::string> names = heap.law->readings();
  ASSERT_EQ(names.size(), 1 + 6 * 345U);
  EXPECT_EQ(names[0], "touches");
  EXPECT_EQ(names[1 + 6 * 343], "s343.Fx");
  std::vector<double> told(names.size());
  heap.law->read({0, heap.frames}, told);
  EXPECT_GT(told[0], 500);
  std::vector<Wrench> wrenches(heap.frames.size());
  ASSERT_TRUE(heap.law->wrenches({0, heap.frames}, wrenches));
  Vec3 force = Vec3::Zero();
  for (std::size_t k = 0; k < 345; ++k) {
    const Vec3 own(told[1 + 6 * k], told[2 + 6 * k], told[3 + 6 * k]);
    const Vec3 torque(told[4 + 6 * k], told[5 + 6 * k], told[6 + 6 * k]);
    force += own;
    if (k >= wrenches.size()) continue;
    EXPECT_LT((own - wrenches[k].force).norm(), 1e-11 * (1 + own.norm())) << k;
    EXPECT_LT((torque - wrenches[k].torque).norm(), 1e-11 * (1 + own.norm())) << k;
  }
  EXPECT_LT(force.norm(), 1e-9) << "what bodies feel, the ground feels the other way";
}

}  // namespace
}  // namespace cosimo::contact
