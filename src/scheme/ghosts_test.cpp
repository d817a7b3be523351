#include "scheme/ghosts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <set>

#include "model/graphs.hpp"
#include "parallel/thread_exchange.hpp"
#include "subsystem/overlapping.hpp"

namespace cosimo {
namespace {

constexpr double unheard = -1;
constexpr std::size_t first_depth = 16;  ///< elements that look_around() looks at first

/// A strip of masses, `width` of them abreast: a chain when it is one.
Model strip(std::size_t length, std::size_t width) {
  Model model;
  const std::size_t n = length * width;
  model.bodies.count = n;
  model.bodies.mass = Field(1.0);
  model.bodies.x = std::vector<double>(n, 0.0);
  model.bodies.v = std::vector<double>(n, 0.0);
  const auto join = [&](BodyId from, BodyId to) {
    model.elements.from.push_back(from);
    model.elements.to.push_back(to);
  };
  for (std::size_t w = 0; w < width; ++w) join(ground, BodyId{w});
  for (std::size_t i = 0; i < n; ++i) {
    if (i + width < n) join(BodyId{i}, BodyId{i + width});
    if (i % width + 1 < width) join(BodyId{i}, BodyId{i + 1});
  }
  model.elements.c = Field(1.0);
  return model;
}

/// Equal stretches of the strip.
Partition stretches(const Model& model, std::size_t parts) {
  const std::size_t n = model.bodies.count;
  PartitionRequest request{static_cast<std::int64_t>(parts), CutMethod::manual};
  for (std::size_t e = 0; e < model.elements.from.size(); ++e) {
    const BodyId a = model.elements.from[e], b = model.elements.to[e];
    if (a != ground && a.index() * parts / n != b.index() * parts / n)
      request.cuts.push_back(static_cast<std::int64_t>(e) + 1);
  }
  return make_partition(model, request);
}

struct Case {
  const char* name;
  int ranks;
  std::vector<int> rank_of_part;
  std::size_t width = 1;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

const Case cases[] = {
    {"Alone", 1, {0, 0, 0, 0, 0, 0}},        {"Two", 2, {0, 0, 0, 1, 1, 1}},
    {"Interlaced", 2, {0, 1, 0, 1, 0, 1}},   {"Three", 3, {2, 2, 0, 1, 1, 0}},
    {"Five", 5, {0, 4, 1, 3, 2, 0}},         {"IdleRanks", 4, {1, 1, 1, 2, 2, 2}},
    {"AllOnTheLast", 3, {2, 2, 2, 2, 2, 2}}, {"Strip", 3, {0, 1, 1, 2, 2, 0}, 3},
};

/// One rank's view of the strip, with the states of its own bodies only.
struct View {
  View(Exchange& exchange, const Model& model_, const Partition& partition, const Case& c)
      : model(model_),
        placement{c.rank_of_part, false},
        local(local_view(partition.interface, placement, exchange.rank())),
        seam(exchange, partition.interface, placement),
        graph(make_graph(model_)),
        physics(make_overlapping(model_, *graph, {}, {})),
        states(physics->states()),
        part_of(owners(partition)),
        ghosts(seam, local.own_parts, *physics, part_of) {
    states = BodyStates(std::vector<double>(model_.bodies.count, unheard),
                        std::vector<double>(model_.bodies.count, unheard));
    publish(0, states.now_x(), states.now_v());
  }

  static double x_of(std::size_t body, int point) { return static_cast<double>(body) + 1000.0 * point; }
  static double v_of(std::size_t body, int point) { return x_of(body, point) + 0.5; }
  void publish(int point, AlignedVector& x, AlignedVector& v) const {
    for (std::size_t b = 0; b < part_of.size(); ++b)
      if (own(b)) {
        x[b] = x_of(b, point);
        v[b] = v_of(b, point);
      }
  }
  bool own(std::size_t body) const { return part_of[body] < static_cast<std::int32_t>(local.own_parts); }

  /// Elements from the rank's own bodies to every body, by breadth; far: not reached.
  std::vector<std::size_t> distances() const {
    std::vector<std::size_t> distance(part_of.size(), far), layer;
    for (std::size_t b = 0; b < part_of.size(); ++b)
      if (own(b)) {
        distance[b] = 0;
        layer.push_back(b);
      }
    for (std::size_t d = 1; !layer.empty(); ++d) {
      std::vector<std::size_t> next;
      for (const std::size_t b : layer)
        for (const Incident& i : graph->around(BodyId{b}))
          if (i.other != ground && distance[i.other.index()] == far) {
            distance[i.other.index()] = d;
            next.push_back(i.other.index());
          }
      layer = next;
    }
    return distance;
  }
  static constexpr std::size_t far = 1'000'000;

  const Model& model;
  Placement placement;
  LocalView local;
  Seam seam;
  std::unique_ptr<BodyGraph> graph;
  std::unique_ptr<Overlapping> physics;
  BodyStates& states;
  std::vector<std::int32_t> part_of;
  Ghosts ghosts;

 private:
  std::vector<std::int32_t> owners(const Partition& partition) const {
    std::vector<std::int32_t> owner(model.bodies.count);
    for (std::size_t l = 0; l < local.parts.size(); ++l)
      for (const BodyId body : partition.parts[local.parts[l].index()].bodies)
        owner[body.index()] = static_cast<std::int32_t>(l);
    return owner;
  }
};

class GhostsOf : public ::testing::TestWithParam<Case> {
 protected:
  GhostsOf() : model(strip(240, GetParam().width)), partition(stretches(model, 6)) {}

  template <class Body>
  void on_ranks(Body body) const {
    run_ranks(GetParam().ranks, [&](Exchange& exchange) {
      View view(exchange, model, partition, GetParam());
      body(exchange, view);
    });
  }

  const Model model;
  const Partition partition;
};

/// Everything up to `depth` elements away has been heard of, and nothing else.
void expect_heard(const View& view, std::size_t depth) {
  const auto distance = view.distances();
  const auto heard = [&](std::size_t b) { return distance[b] <= depth; };
  for (std::size_t b = 0; b < distance.size(); ++b) {
    ASSERT_EQ(view.states.x()[b], heard(b) ? View::x_of(b, 0) : unheard) << "body " << b;
    ASSERT_EQ(view.states.v()[b], heard(b) ? View::v_of(b, 0) : unheard) << "body " << b;
    bool known = heard(b);
    for (const Incident& i : view.graph->around(BodyId{b}))
      known &= i.other == ground || heard(i.other.index());
    ASSERT_EQ(view.ghosts.known(BodyId{b}), known) << "body " << b;
  }
}

TEST_P(GhostsOf, AreLookedAtAroundTheOwnPartsAndThenTwiceAsFar) {
  on_ranks([](Exchange& exchange, View& view) {
    if (exchange.single()) return;
    view.ghosts.look_around();
    expect_heard(view, first_depth);
    view.ghosts.look_further();
    expect_heard(view, 2 * first_depth);
    view.ghosts.look_further();  // across parts into those behind
    expect_heard(view, 4 * first_depth);
    view.ghosts.look_around();
    expect_heard(view, 4 * first_depth);
  });
}

TEST_P(GhostsOf, OfManyRoundsEndWithTheWholeModel) {
  on_ranks([](Exchange& exchange, View& view) {
    if (exchange.single()) return;
    view.ghosts.look_around();
    for (int i = 0; i < 5; ++i) view.ghosts.look_further();
    expect_heard(view, 512);
  });
}

TEST_P(GhostsOf, AreFollowedFromPointToPoint) {
  on_ranks([](Exchange&, View& view) {
    // In no order, and some twice.
    const auto wanted = [&](std::size_t stride) {
      std::vector<BodyId> bodies;
      for (std::size_t b = view.part_of.size(); b-- > 0;)
        if (b % stride == 0 && !view.own(b)) bodies.insert(bodies.end(), b % 2 == 0 ? 2 : 1, BodyId{b});
      return bodies;
    };
    int point = 0;
    for (const std::size_t stride : {std::size_t{5}, std::size_t{7}}) {  // the second list replaces the first
      view.ghosts.follow(wanted(stride));
      for (int step = 0; step < 2; ++step) {
        ++point;
        view.publish(point, view.states.next_x(), view.states.next_v());
        view.ghosts.start();
        view.ghosts.finish();
        for (std::size_t b = 0; b < view.part_of.size(); ++b) {
          if (!view.own(b) && b % stride != 0) continue;
          ASSERT_EQ(view.states.next_x()[b], View::x_of(b, point)) << "body " << b;
          ASSERT_EQ(view.states.next_v()[b], View::v_of(b, point)) << "body " << b;
        }
      }
    }
  });
}

TEST_P(GhostsOf, NothingIsHeardOfBodiesThatNobodyFollows) {
  on_ranks([](Exchange&, View& view) {
    view.ghosts.follow({});
    view.publish(1, view.states.next_x(), view.states.next_v());
    view.ghosts.start();
    view.ghosts.finish();
    for (std::size_t b = 0; b < view.part_of.size(); ++b)
      ASSERT_EQ(view.states.next_x()[b], view.own(b) ? View::x_of(b, 1) : unheard);
    EXPECT_EQ(view.ghosts.told_parts(), std::vector<char>(view.local.own_parts, 0));
  });
}

TEST_P(GhostsOf, OwnersKnowWhichPartsTheyTellOthersOf) {
  const std::set<std::size_t> followed = {0, 2, 3};  // by every rank that does not own them
  on_ranks([&](Exchange& exchange, View& view) {
    std::vector<BodyId> bodies;
    for (std::size_t p = 0; p < partition.parts.size(); ++p)
      if (followed.contains(p) && GetParam().rank_of_part[p] != exchange.rank())
        bodies.push_back(partition.parts[p].bodies.front());
    view.ghosts.follow(bodies);
    const auto told = view.ghosts.told_parts();
    ASSERT_EQ(told.size(), view.local.own_parts);
    for (std::size_t l = 0; l < told.size(); ++l)
      EXPECT_EQ(told[l] != 0, !exchange.single() && followed.contains(view.local.parts[l].index()));
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, GhostsOf, ::testing::ValuesIn(cases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Ghosts, OfARankOfItsOwnAreNone) {
  const Model model = strip(40, 2);
  const Partition partition = stretches(model, 4);
  run_ranks(1, [&](Exchange& exchange) {
    View view(exchange, model, partition, {"", 1, {0, 0, 0, 0}});
    view.ghosts.look_around();
    view.ghosts.follow({});
    view.ghosts.start();
    view.ghosts.finish();
    for (std::size_t b = 0; b < model.bodies.count; ++b) EXPECT_TRUE(view.ghosts.known(BodyId{b}));
  });
}

}  // namespace
}  // namespace cosimo
