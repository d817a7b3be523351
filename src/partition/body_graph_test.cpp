#include "partition/body_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "mechanics/elements.hpp"
#include "model/graphs.hpp"
#include "model/pendulum.hpp"
#include "model/testing.hpp"
#include "partition/halo.hpp"
#include "partition/testing.hpp"
#include "tests/support/resident_memory.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

BodyId body(std::size_t i) {
  return BodyId(i);
}
ElementId element(std::size_t i) {
  return ElementId(i);
}

std::vector<std::pair<int, int>> labels(std::span<const Incident> around) {
  std::vector<std::pair<int, int>> result;
  for (const Incident& i : around) result.emplace_back(i.element.label(), i.other.label());
  return result;
}

/// Masses 1, 2, 4, 8 on springs 100 with dampers 8 from a wall to a free end; a harmonic load, an impulse and
/// a contact on the last three.
ChainSpec loaded_chain() {
  const auto on = [](std::int64_t label) { return std::vector<std::int64_t>{label}; };
  ChainSpec spec;
  spec.masses = 4;
  spec.mass = std::vector<double>{1, 2, 4, 8};
  spec.c = 100.0;
  spec.d = 8.0;
  spec.x = std::vector<double>{1, 3, 3, 6};
  spec.v = std::vector<double>{0, 0, -2, -2};
  spec.ends = {End::fixed, End::free};
  spec.loads = {{on(2), Sign::plus, HarmonicSpec{6.0, 2.0, 0.0}},
                {on(3), Sign::plus, ImpulseSpec{40.0, {0.5}, 0.3, 0.01}},
                {on(4), Sign::plus, ContactSpec{1e-3, 7.0}}};
  return spec;
}

TEST(BodyGraph, OfAChain) {
  const Model model = make_chain(loaded_chain());
  const auto graph = make_graph(model);
  ASSERT_EQ(graph->bodies(), 4U);
  ASSERT_EQ(graph->elements(), 5U);
  EXPECT_TRUE(graph->complete());
  EXPECT_EQ(graph->ends(element(0)).from, ground);
  EXPECT_EQ(graph->ends(element(3)).to, body(3));
  EXPECT_THAT(labels(graph->around(body(0))), ElementsAre(std::pair(1, 0), std::pair(2, 2)));
  EXPECT_THAT(labels(graph->around(body(3))), ElementsAre(std::pair(4, 3))) << "a free end";
  EXPECT_THAT(graph->joints(), IsEmpty());
  EXPECT_THAT(graph->group(body(1)), IsEmpty());
  EXPECT_THAT(graph->groups(), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(graph->group_count(), 4U);
  EXPECT_EQ(graph->mass(body(2)), 4);
  EXPECT_EQ(graph->coordinates(body(2)), 1U);
  EXPECT_EQ(graph->freedoms(body(2)), 1U);
  EXPECT_EQ(graph->components(element(2)), 1U);
  EXPECT_EQ(graph->arm(body(2)), 0);
  EXPECT_THAT(graph->places(), IsEmpty());
  EXPECT_FALSE(graph->has_gravity());
  EXPECT_TRUE(graph->holds(element(1)));
  EXPECT_FALSE(graph->sets_in(element(1)));
}

TEST(BodyGraph, OfAChainSaysHowFast) {
  const Model model = make_chain(loaded_chain());
  const auto graph = make_graph(model);
  EXPECT_EQ(graph->motion(element(1)).dx, 2);
  EXPECT_EQ(graph->motion(element(2)).dv, -2);
  EXPECT_EQ(graph->speed(body(0)), 0);
  EXPECT_EQ(graph->speed(body(1)), 6.0 / (2 * 2)) << "amplitude / (m omega)";
  EXPECT_EQ(graph->speed(body(2)), 40 * 0.3 / 4) << "amplitude * duration / m, more than at the start";
  EXPECT_EQ(graph->speed(body(3)), 2);
  const TypicalMotion motion = graph->motion();
  EXPECT_DOUBLE_EQ(motion.dx, std::sqrt((1 + 4 + 0 + 9) / 4.0)) << "the element that lost its wall is none";
  EXPECT_DOUBLE_EQ(motion.dv, std::sqrt(4 / 4.0));
  EXPECT_EQ(motion.speed, 3);
  const ElementRates rates = graph->element_rates(element(2), motion);
  EXPECT_DOUBLE_EQ(rates.from.stiffness, 100.0 / 2);
  EXPECT_DOUBLE_EQ(rates.to.stiffness, 100.0 / 4);
  EXPECT_DOUBLE_EQ(rates.to.damping, 8.0 / 4);
  EXPECT_EQ(graph->element_rates(element(0), motion).from.stiffness, 0) << "the ground";
  EXPECT_DOUBLE_EQ(graph->body_rate(body(0), motion), std::sqrt(100.0 + 2 * 100));
  EXPECT_DOUBLE_EQ(graph->body_rate(body(2), motion), std::sqrt((2 * 100 + 2 * 100) / 4.0));
  EXPECT_DOUBLE_EQ(graph->body_rate(body(3), motion), 7 * 3 / std::sqrt(2.0)) << "its contact";
  ChainSpec cubic = loaded_chain();
  cubic.c = 0.0;
  cubic.C = 10.0;
  EXPECT_DOUBLE_EQ(make_graph(make_chain(cubic))->element_rates()[2].from.stiffness, 3 * 10 * 14 / 4.0 / 2);
  ChainSpec damped = loaded_chain();
  damped.d = 800.0;
  EXPECT_DOUBLE_EQ(make_graph(make_chain(damped))->body_rate(body(0), motion), (800.0 + 2 * 800) / 3);
}

TEST(BodyGraph, OfAChainKnowsItsLoads) {
  const Model model = make_chain(loaded_chain());
  const auto graph = make_graph(model);
  EXPECT_EQ(graph->load(body(0)), Load::none);
  EXPECT_EQ(graph->load(body(1)), Load::smooth);
  EXPECT_EQ(graph->load(body(2)), Load::impulse);
  EXPECT_EQ(graph->load(body(3)), Load::contact);
  EXPECT_FALSE(graph->loaded(body(0)));
  EXPECT_TRUE(graph->loaded(body(1)));
  EXPECT_FALSE(graph->struck(body(1)));
  EXPECT_TRUE(graph->struck(body(2)));
  EXPECT_THAT(graph->exposure(), ElementsAre(0.5, 1, 1, 2));
  const double edge = graph->next_breakpoint(0);
  EXPECT_NEAR(edge, 0.5, 0.2) << "of the impulse";
  EXPECT_GT(graph->next_breakpoint(edge), edge);
  EXPECT_EQ(graph->next_breakpoint(10), HUGE_VAL);
  ChainSpec idle = loaded_chain();
  idle.loads = {{AllBodies{}, Sign::plus, HarmonicSpec{0.0, 1.0, 0.0}},
                {AllBodies{}, Sign::plus, ContactSpec{1.0, 0.0}}};
  EXPECT_THAT(make_graph(make_chain(idle))->exposure(), ElementsAre(0, 0, 0, 0)) << "loads that do nothing";
}

TEST(BodyGraph, OfAChainNamesByNumber) {
  const Model model = make_chain(loaded_chain());
  const auto graph = make_graph(model);
  EXPECT_FALSE(graph->named());
  EXPECT_EQ(graph->name(body(1)), "body 2");
  EXPECT_EQ(graph->name(ground), "ground");
  EXPECT_EQ(graph->label(body(1)), "2");
  EXPECT_EQ(graph->name(element(2)), "element 3");
  EXPECT_EQ(graph->label(element(2)), "3");
  EXPECT_EQ(graph->cut_name(element(2)), "element 3 between bodies 2 and 3");
  EXPECT_FALSE(graph->is_joint("element 3"));
}

TEST(BodyGraph, OfALattice) {
  Model model = samples::lattice({.columns = 3, .rows = 2});
  model.elements.c = Field(std::vector<double>{1, 0, 1, 1, 1, 1, 1, 1});  // the second does nothing
  model.elements.d = model.elements.C = model.elements.D = Field(0.0);
  model.loads.contact.push_back({body(5), 1, 1});
  const auto graph = make_graph(model);
  ASSERT_EQ(graph->elements(), 8U);
  EXPECT_THAT(labels(graph->around(body(0))), ElementsAre(std::pair(1, 2), std::pair(8, 0)));
  EXPECT_THAT(labels(graph->around(body(4))), ElementsAre(std::pair(4, 2), std::pair(6, 4), std::pair(7, 6)));
  EXPECT_THAT(graph->exposure(), ElementsAre(0.25, 0.5, 1, 0.5, 1, 2));
  EXPECT_THAT(graph->groups(), ElementsAre(0, 1, 2, 3, 4, 5));
}

/// crank and rod joined, the crank to the ground; a ball on a spring at the rod, with a contact and a
/// formula.
Model linkage() {
  samples::MechanismBuilder build;
  const BodyId crank = build.body("crank", BodyKind::rigid, 2, {0, 0, 0});
  const BodyId rod = build.body("rod", BodyKind::planar, 4, {1, 0, 0});
  const BodyId ball = build.body("ball", BodyKind::point3, 5, {3, 0, 1});
  build.join("hinge", {crank});
  build.join("pin", {crank, rod});
  build.spring("strut", rod, ball, 20, 40);
  build.add(make_contact("floor", Marker{ball}, GroundContactSpec{{}, 0.5, 1, 1, 0, 0, 1e-2, false}));
  build.add(make_applied("wind", Marker{}, Marker{rod}, {{"1", "", ""}, {}, {2, 7}}));
  build.add(make_applied("gust", Marker{}, Marker{crank}, {{"max(0, x)", "", ""}, {}, {}}));
  build.spring("inner", ball, ball, 1e6);
  return build.finish();
}

TEST(BodyGraph, OfAMechanism) {
  const Model model = linkage();
  const auto graph = make_graph(model);
  ASSERT_EQ(graph->bodies(), 3U);
  ASSERT_EQ(graph->elements(), 5U);
  EXPECT_TRUE(graph->complete());
  EXPECT_EQ(graph->ends(element(0)).to, body(2));
  EXPECT_THAT(labels(graph->around(body(2))), ElementsAre(std::pair(1, 2), std::pair(2, 0), std::pair(5, 0)));
  ASSERT_EQ(graph->joints().size(), 2U);
  EXPECT_THAT(graph->joints()[0], ElementsAre(body(0)));
  EXPECT_THAT(graph->joints()[1], ElementsAre(body(0), body(1)));
  EXPECT_THAT(graph->group(body(1)), ElementsAre(body(0), body(1)));
  EXPECT_THAT(graph->group(body(2)), ElementsAre(body(2)));
  EXPECT_THAT(graph->groups(), ElementsAre(0, 0, 1));
  EXPECT_EQ(graph->group_count(), 2U);
  EXPECT_EQ(graph->mass(body(1)), 4);
  EXPECT_EQ(graph->coordinates(body(0)), 7U);
  EXPECT_EQ(graph->freedoms(body(0)), 6U);
  EXPECT_EQ(graph->freedoms(body(1)), 3U);
  EXPECT_EQ(graph->components(element(0)), 3U);
  EXPECT_DOUBLE_EQ(graph->arm(body(0)), 1) << "its inertia is its mass";
  EXPECT_DOUBLE_EQ(graph->arm(body(1)), 1);
  EXPECT_EQ(graph->arm(body(2)), 0);
  EXPECT_THAT(graph->places(), ElementsAre(ElementsAre(0, 0, 0), ElementsAre(1, 0, 0), ElementsAre(3, 0, 1)));
}

TEST(BodyGraph, OfAMechanismSaysHowFast) {
  const Model model = linkage();
  const auto graph = make_graph(model);
  const ElementRates strut = graph->element_rates(element(0), {});
  EXPECT_DOUBLE_EQ(strut.from.stiffness, 20.0 / 4);
  EXPECT_DOUBLE_EQ(strut.to.stiffness, 20.0 / 5);
  EXPECT_DOUBLE_EQ(strut.to.damping, 40.0 / 5);
  EXPECT_DOUBLE_EQ(graph->body_rate(body(1), {}), 2 * 40.0 / 4 / 3) << "damping";
  EXPECT_DOUBLE_EQ(graph->body_rate(body(2), {}), 2 * 40.0 / 5 / 3) << "its inner spring moves nothing";
}

TEST(BodyGraph, OfAMechanismKnowsItsLoads) {
  const Model model = linkage();
  const auto graph = make_graph(model);
  EXPECT_EQ(graph->load(body(0)), Load::formula);
  EXPECT_EQ(graph->load(body(1)), Load::formula);
  EXPECT_EQ(graph->load(body(2)), Load::contact);
  EXPECT_TRUE(graph->struck(body(0))) << "nobody knows what a formula does";
  EXPECT_THAT(graph->exposure(), ElementsAre(1, 1, 2));
  EXPECT_FALSE(graph->sets_in(element(0)));
  EXPECT_TRUE(graph->sets_in(element(1)));
  EXPECT_FALSE(graph->sets_in(element(2))) << "a formula without switches";
  EXPECT_TRUE(graph->sets_in(element(3)));
  EXPECT_TRUE(graph->holds(element(1))) << "the ground carries what lies on it";
  EXPECT_FALSE(graph->holds(element(2)));
  EXPECT_EQ(graph->next_breakpoint(0), 2);
  EXPECT_EQ(graph->next_breakpoint(2), 7);
  EXPECT_EQ(graph->next_breakpoint(7), HUGE_VAL);
}

TEST(BodyGraph, OfAMechanismHasNames) {
  const Model model = linkage();
  const auto graph = make_graph(model);
  EXPECT_TRUE(graph->named());
  EXPECT_EQ(graph->name(body(1)), "rod");
  EXPECT_EQ(graph->label(element(0)), "strut");
  EXPECT_EQ(graph->cut_name(element(0)), "strut between rod and ball");
  EXPECT_EQ(graph->cut_name(element(1)), "floor between ground and ball");
  EXPECT_TRUE(graph->is_joint("pin"));
  EXPECT_FALSE(graph->is_joint("strut"));
}

TEST(BodyGraph, OfAPendulumStaysTogether) {
  const Model model = make_pendulum({.links = 3, .minimal = true});
  const auto graph = make_graph(model);
  EXPECT_THAT(graph->groups(), ElementsAre(0, 0, 0));
  EXPECT_EQ(graph->group_count(), 1U);
  EXPECT_THAT(graph->joints()[0], ElementsAre(body(0))) << "to the ground";
}

void expect_as_whole(const BodyGraph& whole, const BodyGraph& window, const Model& model) {
  for (std::size_t i = 0; i < model.bodies.count; ++i) {
    const BodyId body(i);
    ASSERT_EQ(window.knows(body), model.knows(body));
    if (!model.knows(body)) {
      EXPECT_THROW(window.around(body), Bug);
      continue;
    }
    const auto a = window.around(body), b = whole.around(body);
    ASSERT_TRUE(std::equal(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const Incident& x, const Incident& y) { return x.element == y.element && x.other == y.other; }))
        << "body " << body.label();
  }
}

TEST(BodyGraph, OfAWindowIsThatOfTheWhole) {
  ChainSpec spec = samples::chain_spec(60);
  spec.ends = {End::free, End::fixed};
  std::vector<double> c(61, 1.0);
  c[17] = 0;  // acts on nothing when nothing else acts either
  spec.c = c;
  spec.d = spec.C = spec.D = 0.0;
  const ChainGenerator generator(spec);
  const Model all = generator.make();
  const auto whole = make_graph(all);
  for (const Range window : {Range{0, 1}, Range{0, 60}, Range{10, 30}, Range{59, 60}, Range{5, 5}}) {
    const Model model = generator.make(window);
    expect_as_whole(*whole, *make_graph(model), model);
  }
  Model model = generator.make({10, 20});
  const auto graph = make_graph(model);
  for (const Range more : {Range{8, 22}, Range{40, 42}, Range{50, 60}, Range{22, 23}, Range{0, 60}}) {
    generator.extend(model, more);
    graph->renew();
    expect_as_whole(*whole, *graph, model);
  }
}

TEST(BodyGraph, HalosGrowInAWindowThatIsWideEnough) {
  const ChainGenerator generator(samples::chain_spec(1000));
  const Model whole_model = generator.make(), window_model = generator.make({380, 520});
  const auto whole = make_graph(whole_model), window = make_graph(window_model);
  const auto owned = [](BodyId body) { return body.index() >= 400 && body.index() < 500; };
  const auto halo = [&](const BodyGraph& graph, double radius) {
    const std::vector<HaloRoot> roots{{BodyId(400), BodyId(399), radius}, {BodyId(499), BodyId(500), radius}};
    return grow_halo(graph, owned, roots, [](BodyId) { return 1.0; });
  };
  const Halo a = halo(*whole, 15), b = halo(*window, 15);
  ASSERT_EQ(a.copies.size(), b.copies.size());
  for (std::size_t i = 0; i < a.copies.size(); ++i) EXPECT_EQ(a.copies[i].body, b.copies[i].body);
  ASSERT_EQ(a.edges.size(), b.edges.size());
  for (std::size_t i = 0; i < a.edges.size(); ++i) EXPECT_EQ(a.edges[i].beyond, b.edges[i].beyond);
  EXPECT_THROW(halo(*window, 25), Bug) << "and tell when it is not";
}

TEST(BodyGraph, TakesMemoryForTheWindowOnly) {
  const ChainGenerator generator(samples::chain_spec(50'000'000));
  const std::size_t before = resident_bytes();
  const Model model = generator.make({30'000'000, 30'010'000});
  const auto graph = make_graph(model);
  EXPECT_EQ(graph->around(BodyId(30'005'000)).size(), 2U);
  EXPECT_LT(resident_bytes(), before + (std::size_t{8} << 20));
}

}  // namespace
}  // namespace cosimo
