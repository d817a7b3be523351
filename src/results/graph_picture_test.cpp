#include "results/graph_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "core/check.hpp"
#include "core/random.hpp"
#include "results/graph_layout.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Graph {
  std::vector<GraphBody> bodies;
  std::vector<GraphEdge> edges;
  GraphPicture picture(const std::string& title = "t") const { return {title, "s", bodies, edges, "cost"}; }

  void join(std::size_t a, std::size_t b) {
    const bool cut = bodies[a].part != bodies[b].part;
    edges.push_back(
        {a, b, cut ? GraphEdgeKind::cut : GraphEdgeKind::uncut, "e" + std::to_string(edges.size())});
  }
};

Graph lattice(std::size_t width, std::size_t height, std::size_t columns, std::size_t rows) {
  Graph graph;
  for (std::size_t j = 0; j < height; ++j)
    for (std::size_t i = 0; i < width; ++i)
      graph.bodies.push_back(
          {static_cast<double>(i), static_cast<double>(j),
           static_cast<std::int32_t>(i * columns / width + columns * (j * rows / height))});
  for (std::size_t j = 0; j < height; ++j)
    for (std::size_t i = 0; i < width; ++i) {
      if (i + 1 < width) graph.join(j * width + i, j * width + i + 1);
      if (j + 1 < height) graph.join(j * width + i, j * width + i + width);
    }
  return graph;
}

Graph chain(std::size_t bodies, std::size_t parts) {
  return lattice(bodies, 1, parts, 1);
}

/// Two parts, a joint, a cut called "spring & co" and a link to the ground.
Graph small() {
  Graph graph;
  graph.bodies = {{0, 0, 0, 10, "frame"}, {1, 0, 0, 1, "arm"}, {2, 1, 1, 1, "<wheel>"}};
  graph.edges = {{0, 1, GraphEdgeKind::joint},
                 {1, 2, GraphEdgeKind::cut, "spring & co"},
                 {2, 99, GraphEdgeKind::support}};
  return graph;
}

TEST(GraphPicture, IsOneSelfContainedFileWithNames) {
  const std::string svg = graph_svg(small().picture("a < b"));
  EXPECT_EQ(svg.rfind("<svg xmlns=", 0), 0U);
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, HasSubstr("frame"));
  EXPECT_THAT(svg, HasSubstr("&lt;wheel&gt;"));
  EXPECT_THAT(svg, HasSubstr("spring &amp; co"));
  EXPECT_THAT(svg, HasSubstr("1 cut element<"));
  EXPECT_THAT(svg, HasSubstr("1 joint, never cut"));
  EXPECT_THAT(svg, HasSubstr("1 link to the ground"));
  EXPECT_THAT(svg, Not(HasSubstr("inside")));  // there is no such element
  EXPECT_THAT(svg, HasSubstr("91.7 %"));       // 11 of 12
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(svg, Not(HasSubstr("href")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(GraphPicture, DashesFewCutsAndBarsMany) {
  EXPECT_THAT(graph_svg(small().picture()), HasSubstr("<path class=\"cut dashed"));
  const std::string many = graph_svg(lattice(30, 30, 2, 2).picture());
  EXPECT_THAT(many, Not(HasSubstr("<path class=\"cut dashed")));
  EXPECT_THAT(many, HasSubstr("<path class=\"cut"));
  EXPECT_THAT(many, HasSubstr("60 cut elements"));
  EXPECT_THAT(many, Not(HasSubstr(">e0<")));
  EXPECT_THAT(graph_svg(chain(20, 1).picture()), Not(HasSubstr("<path class=\"cut")));
}

TEST(GraphLayout, KeepsTheShapeOfThePlaces) {
  const GraphLayout layout = graph_layout(small().picture(), 800);
  const auto& d = layout.dots;
  EXPECT_NEAR(d[1].at.x - d[0].at.x, d[2].at.x - d[1].at.x, 1e-9);
  EXPECT_NEAR(d[1].at.x - d[0].at.x, d[1].at.y - d[2].at.y, 1e-9);  // y upwards, one scale
  for (const GraphDot& dot : d) {
    EXPECT_GT(dot.at.x, 0);
    EXPECT_LT(dot.at.x, layout.width);
    EXPECT_GT(dot.at.y, 0);
    EXPECT_LT(dot.at.y, layout.height);
  }
}

TEST(GraphLayout, FoldsALongChainIntoRows) {
  const GraphLayout layout = graph_layout(chain(400, 4).picture(), 800);
  std::map<long, int> rows;
  for (const GraphDot& dot : layout.dots) ++rows[std::lround(dot.at.y)];
  EXPECT_EQ(rows.size(), 10u);
  for (const auto& [y, count] : rows) EXPECT_NEAR(count, 40, 1);
  // Neighbours stay neighbours, also around the bend.
  for (const GraphLine& line : layout.lines) EXPECT_LT(line.length, 800.0 / 8);
  Graph upright = chain(400, 4);
  for (GraphBody& body : upright.bodies) std::swap(body.x, body.y);
  EXPECT_NEAR(graph_layout(upright.picture(), 800).dots[399].at.x, layout.dots[0].at.x, 1e-6);
}

TEST(GraphLayout, ThinsOutAndKeepsTheCuts) {
  const Graph graph = lattice(150, 100, 4, 2);
  const GraphLayout layout = graph_layout(graph.picture(), 850);
  EXPECT_LE(layout.dots.size(), 2000u);
  EXPECT_GT(layout.dots.size(), 1000u);
  std::size_t bodies = 0;
  for (const GraphDot& dot : layout.dots) bodies += dot.bodies;
  EXPECT_EQ(bodies, 15000u);
  ASSERT_EQ(layout.parts.size(), 8u);
  std::size_t cuts = 0;
  for (const GraphLine& line : layout.lines) {
    const bool parted = layout.dots[line.from].part != layout.dots[line.to].part;
    EXPECT_EQ(parted, line.kind == GraphEdgeKind::cut);
    cuts += parted;
  }
  EXPECT_GT(cuts, 40u);
  const std::string svg = graph_svg(graph.picture());
  EXPECT_LT(svg.size(), 600000u);
  EXPECT_THAT(svg, HasSubstr("15000 bodies drawn as " + std::to_string(layout.dots.size()) + " dots"));
}

TEST(GraphLayout, NeighboursHaveDifferentColours) {
  const Graph graph = lattice(48, 48, 6, 6);
  const GraphLayout layout = graph_layout(graph.picture(), 850);
  ASSERT_EQ(layout.parts.size(), 36u);
  for (const GraphLine& line : layout.lines) {
    const GraphPart &a = layout.parts[layout.dots[line.from].part],
                    &b = layout.parts[layout.dots[line.to].part];
    if (line.kind == GraphEdgeKind::cut) {
      EXPECT_NE(a.colour, b.colour) << a.number << " " << b.number;
    }
  }
}

TEST(GraphPicture, PoorInputsAreDrawnAllTheSame) {
  const auto sound = [](const Graph& graph) {
    const std::string svg = graph_svg(graph.picture());
    EXPECT_THAT(svg, HasSubstr("</svg>"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
  };
  sound({});
  Graph one;
  one.bodies = {{5, 5}};
  sound(one);
  Graph same = chain(5000, 100);  // all at one place
  for (GraphBody& body : same.bodies) body = {0, 0, body.part, 0, ""};
  sound(same);
  Graph random;
  const RandomStream numbers(3, 4);
  for (std::size_t i = 0; i < 500; ++i)
    random.bodies.push_back({numbers.uniform(2 * i, -1e9, 1e9), numbers.uniform(2 * i + 1, -1e9, 1e9),
                             static_cast<std::int32_t>(i % 90) - 5, 1e-300});
  for (std::size_t i = 0; i < 2000; ++i) random.join((i * 7919) % 500, (i * 104729 + 1) % 500);
  sound(random);
  one.bodies[0].x = std::nan("");
  EXPECT_THROW(graph_svg(one.picture()), Bug);
  one.bodies[0].x = 0;
  one.edges = {{0, 3}};
  EXPECT_THROW(graph_svg(one.picture()), Bug);
}

}  // namespace
}  // namespace cosimo
