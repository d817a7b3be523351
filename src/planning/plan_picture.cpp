#include "core/counted.hpp"
#include "results/graph_picture.hpp"

#include <fmt/format.h>

#include "partition/graph_layout.hpp"
#include "planning/plan_proposal.hpp"

namespace cosimo {

namespace {

/// More names than this are never shown.
constexpr std::size_t most_names = 2000;

std::vector<GraphBody> bodies_of(const Proposal& p) {
  const std::vector<PicturePoint> places = graph_layout(*p.graph);
  std::vector<GraphBody> bodies(p.graph->bodies());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].x = places[i][0];
    bodies[i].y = places[i][1];
    if (bodies.size() <= most_names) bodies[i].label = p.graph->name(BodyId(i));
  }
  for (std::size_t part = 0; part < p.partition.parts.size(); ++part)
    for (const BodyId body : p.partition.parts[part].bodies) {
      bodies[body.index()].part = static_cast<std::int32_t>(part);
      // A part takes the steps of its fastest body.
      bodies[body.index()].weight = p.costs.body[body.index()].freedoms * p.why.parts[part].steps;
    }
  return bodies;
}

void add_elements(const Proposal& p, const std::vector<GraphBody>& bodies, std::vector<GraphEdge>& edges) {
  const bool named = p.partition.interface.couplings.size() <= most_names;
  for (std::size_t e = 0; e < p.graph->elements(); ++e) {
    const ElementEnds ends = p.graph->ends(ElementId(e));
    if (!ends.from.valid() && !ends.to.valid()) continue;
    const bool grounded = !ends.from.valid() || !ends.to.valid();
    const std::size_t from = (ends.from.valid() ? ends.from : ends.to).index();
    const std::size_t to = (ends.to.valid() ? ends.to : ends.from).index();
    GraphEdge edge{from, to, grounded ? GraphEdgeKind::support : GraphEdgeKind::uncut, ""};
    if (bodies[from].part != bodies[to].part) {
      edge.kind = GraphEdgeKind::cut;
      if (named) edge.label = p.graph->name(ElementId(e));
    }
    edges.push_back(std::move(edge));
  }
}

/// A joint between more than two bodies is drawn from each to the next.
void add_joints(const BodyGraph& graph, std::vector<GraphEdge>& edges) {
  for (const std::span<const BodyId> ends : graph.joints()) {
    if (ends.size() == 1) edges.push_back({ends[0].index(), ends[0].index(), GraphEdgeKind::support, ""});
    for (std::size_t i = 1; i < ends.size(); ++i)
      edges.push_back({ends[i - 1].index(), ends[i].index(), GraphEdgeKind::joint, ""});
  }
}

}  // namespace

std::string plan_picture(const Proposal& p) {
  const std::vector<GraphBody> bodies = bodies_of(p);
  std::vector<GraphEdge> edges;
  add_elements(p, bodies, edges);
  add_joints(*p.graph, edges);
  const std::size_t parts = p.partition.parts.size(), cuts = p.partition.interface.couplings.size();
  GraphPicture picture;
  picture.title = "Proposed cuts";
  picture.subtitle = parts == 1
                         ? "one part: nothing is cut"
                         : fmt::format("{}, {}; largest part {:.2f} times the mean cost",
                                       counted(parts, "part"), counted(cuts, "cut"), p.why.largest_share);
  picture.bodies = bodies;
  picture.edges = edges;
  picture.weight_name = "cost";
  return graph_svg(picture);
}

}  // namespace cosimo
