// Parts of equal cost with cheap cuts.
//
// Fixed cuts come first: each piece they leave gets a share of the parts. Within a piece two plans are made,
// and the one is taken with the smaller
//
//   (cost of the most expensive part + mean cost of a part) * cost of the cuts:
//
// the critical path of a macro step with as many cores as parts, the work with few, and what the number of
// macro steps grows with.
//
//   whole       METIS divides the graph with the costs of vertices and edges as weights
//   multirate   stiff regions and what lies between them (multirate.hpp) are parts, or METIS divides them;
//               with fewer parts than pieces, pieces of one kind share a part
//
// In either one the cuts then move to the cheapest elements nearby (refine.hpp) while no part exceeds its
// share by more than a tenth or two bodies. Without a wanted number, pieces of each plan get one part per
// 1000 of cost, weak couplings between pieces of at least 250 are cut as well, and the multirate plan is
// taken when it saves the work of 500 bodies or more per step of the bulk: below that the exchange at the
// cuts eats the gain.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "partition/assignment.hpp"
#include "partition/plan.hpp"
#include "partition/request_checks.hpp"

namespace cosimo {

namespace {

constexpr double cost_per_part = 1000;  ///< without a wanted number
constexpr double smallest_weak = 250;   ///< cost on either side of a weak coupling
constexpr double worth_separating = 500;
constexpr double sliver_share = 0.05;  ///< of a mean part
constexpr std::size_t most_parts = 1000;

std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

double freedoms_of(const CutGraph& graph) {
  return std::accumulate(graph.freedoms.begin(), graph.freedoms.end(), 0.0);
}

/// Number of parts that the pieces ask for by themselves. Small ones that stand alone anyway ask together.
std::size_t natural_parts(const std::vector<Piece>& pieces) {
  const auto of_cost = [](double cost) {
    return static_cast<std::size_t>(std::min(std::floor(cost / cost_per_part + 0.5), double{most_parts}));
  };
  std::size_t parts = 0;
  double small = 0;
  for (const Piece& piece : pieces) {
    if (piece.alone && !piece.stiff && piece.cost < smallest_weak)
      small += piece.cost;
    else
      parts += std::clamp<std::size_t>(of_cost(piece.cost), 1,
                                       std::max<std::size_t>(1, piece.vertices.size() / smallest_part));
  }
  return std::clamp<std::size_t>(parts + of_cost(small), 1, most_parts);
}

Plan plan_for(const CutGraph& graph, std::size_t parts, bool multirate) {
  if (!multirate || parts == 1) return make_plan(graph, connected_pieces(graph), parts, multirate);
  const bool open = parts == 0;
  const double mean = open ? cost_per_part : freedoms_of(graph) / static_cast<double>(parts);
  const auto pieces = [&](const std::vector<Piece>& found) {
    return open ? separate_weak(graph, found, smallest_weak) : found;
  };
  const std::vector<Piece> whole = pieces(connected_pieces(graph));
  const std::vector<Piece> apart = pieces(separate_stiff(graph, sliver_share * mean));
  Plan plan = make_plan(graph, whole, open ? natural_parts(whole) : parts, true);
  if (std::none_of(apart.begin(), apart.end(), [](const Piece& piece) { return piece.stiff; })) return plan;
  Plan separated = make_plan(graph, apart, open ? natural_parts(apart) : parts, true);
  const Judgement one = judge(graph, plan), other = judge(graph, separated);
  const auto expected = [&](const Judgement& found) {
    return (found.largest + found.total / static_cast<double>(parts)) * found.cut;
  };
  const bool better = open ? one.total - other.total >= worth_separating : expected(other) < expected(one);
  return better ? separated : plan;
}

/// What the fixed cuts leave, as pieces; whatever they do not touch stays with the first one.
std::vector<Piece> pieces_of_fixed(const BodyGraph& model, const CutGraphOfModel& of, const ByCost& how) {
  std::vector<Piece> connected = connected_pieces(of.graph);
  if (how.fix.empty()) {
    for (std::size_t i = 1; i < connected.size(); ++i) {
      connected[0].cost += connected[i].cost;
      connected[0].vertices.insert(connected[0].vertices.end(), connected[i].vertices.begin(),
                                   connected[i].vertices.end());
    }
    connected.resize(1);
  } else {
    std::vector<char> touched(of.graph.size(), 0);
    for (const ElementId e : how.fix) {
      const ElementEnds ends = model.ends(e);
      touched[index(of.vertex_of[ends.from.index()])] = 1;
      touched[index(of.vertex_of[ends.to.index()])] = 1;
    }
    std::vector<Piece> result, rest;
    for (Piece& piece : connected) {
      const bool is_touched = std::any_of(piece.vertices.begin(), piece.vertices.end(),
                                          [&](std::int32_t v) { return touched[index(v)] != 0; });
      (is_touched ? result : rest).push_back(std::move(piece));
    }
    for (const Piece& piece : rest) {
      result[0].cost += piece.cost;
      result[0].vertices.insert(result[0].vertices.end(), piece.vertices.begin(), piece.vertices.end());
    }
    connected = std::move(result);
  }
  std::sort(connected[0].vertices.begin(), connected[0].vertices.end());
  return connected;
}

}  // namespace

Assignment assign_by_cost(const BodyGraph& model, const CutCosts& costs, const ByCost& how) {
  const CutGraphOfModel of = make_cut_graph(model, costs, groups_of(model, how.forbid), how.fix);
  const std::vector<Piece> pieces = pieces_of_fixed(model, of, how);
  if (how.parts > of.graph.size())
    refuse_parts(static_cast<std::int64_t>(how.parts),
                 "joints, elements with memory and forbidden cuts leave only " +
                     std::to_string(of.graph.size()) + " groups of bodies",
                 "write a smaller number, or auto");
  if (how.parts != 0 && how.parts < pieces.size())
    refuse_parts(static_cast<std::int64_t>(how.parts),
                 "the fixed cuts alone make " + std::to_string(pieces.size()) + " parts",
                 "write at least that number, or auto");
  std::vector<const Piece*> each;
  each.reserve(pieces.size());
  for (const Piece& piece : pieces) each.push_back(&piece);
  const std::vector<std::size_t> count =
      how.parts == 0 ? std::vector<std::size_t>(pieces.size(), 0) : apportion(each, how.parts);
  Assignment result{std::vector<std::int32_t>(model.bodies()), 0};
  std::vector<std::int32_t> part_of_vertex(of.graph.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Plan plan = plan_for(subgraph(of.graph, pieces[i].vertices), count[i], how.multirate);
    for (std::size_t v = 0; v < plan.part_of.size(); ++v)
      part_of_vertex[index(pieces[i].vertices[v])] =
          static_cast<std::int32_t>(result.parts) + plan.part_of[v];
    result.parts += plan.parts;
  }
  for (std::size_t b = 0; b < result.part_of.size(); ++b)
    result.part_of[b] = part_of_vertex[index(of.vertex_of[b])];
  renumber(result);
  return result;
}

}  // namespace cosimo
