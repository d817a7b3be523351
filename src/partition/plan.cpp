#include "partition/plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.hpp"
#include "partition/assignment.hpp"
#include "partition/refine.hpp"

namespace cosimo {

namespace {

constexpr double tolerance = 0.1;      ///< of a part's share
constexpr double bodies_of_slack = 2;  ///< or this many vertices, whichever is more

std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

/// Appends the parts of one piece to the plan.
void divide_piece(const CutGraph& graph, const Piece& piece, std::size_t parts, Plan& plan) {
  const std::vector<std::int32_t> local = parts == 1 ? std::vector<std::int32_t>(piece.vertices.size(), 0)
                                                     : divide(subgraph(graph, piece.vertices), parts);
  for (std::size_t i = 0; i < local.size(); ++i)
    plan.part_of[index(piece.vertices[i])] = static_cast<std::int32_t>(plan.parts) + local[i];
  plan.parts += parts;
  plan.share.insert(plan.share.end(), parts, piece.cost / static_cast<double>(parts));
}

/// More pieces than parts: the most expensive piece first, each into the cheapest part so far.
void pack(std::span<const Piece* const> pieces, std::size_t parts, Plan& plan) {
  std::vector<const Piece*> order(pieces.begin(), pieces.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const Piece* a, const Piece* b) { return a->cost > b->cost; });
  std::vector<double> filled(parts, 0);
  for (const Piece* piece : order) {
    const auto part =
        static_cast<std::size_t>(std::min_element(filled.begin(), filled.end()) - filled.begin());
    filled[part] += piece->cost;
    for (const std::int32_t v : piece->vertices)
      plan.part_of[index(v)] = static_cast<std::int32_t>(plan.parts + part);
  }
  plan.parts += parts;
  plan.share.insert(plan.share.end(), filled.begin(), filled.end());
}

/// As many parts of equal cost as wanted. With more pieces than parts, those below the mean share some parts.
void place(const CutGraph& graph, std::span<const Piece* const> pieces, std::size_t parts, Plan& plan) {
  std::vector<const Piece*> large(pieces.begin(), pieces.end()), small;
  if (pieces.size() > parts) {
    double cost = 0, small_cost = 0;
    for (const Piece* piece : pieces) cost += piece->cost;
    const double mean = cost / static_cast<double>(parts);
    large.clear();
    for (const Piece* piece : pieces) {
      (piece->cost < mean ? small : large).push_back(piece);
      if (piece->cost < mean) small_cost += piece->cost;
    }
    if (large.empty() || small.empty() || large.size() >= parts) {
      pack(pieces, parts, plan);
      return;
    }
    std::size_t divisible = 0;  // costly pieces may have few vertices: the rest share what those cannot fill
    for (const Piece* piece : large) divisible += piece->vertices.size();
    const auto wanted = static_cast<std::size_t>(std::lround(small_cost / mean));
    const std::size_t least = parts > divisible ? parts - divisible : 1;
    const std::size_t shared = std::clamp(wanted, least, std::min(small.size(), parts - large.size()));
    pack(small, shared, plan);
    parts -= shared;
  }
  const std::vector<std::size_t> count = apportion(large, parts);
  for (std::size_t i = 0; i < large.size(); ++i) divide_piece(graph, *large[i], count[i], plan);
}

/// Parts by their smallest vertex: what comes after depends on their numbers.
void number_by_vertices(Plan& plan) {
  std::vector<std::int32_t> number(plan.parts, -1);
  std::vector<double> share;
  for (std::int32_t& part : plan.part_of) {
    std::int32_t& mine = number[index(part)];
    if (mine < 0) {
      mine = static_cast<std::int32_t>(share.size());
      share.push_back(plan.share[index(part)]);
    }
    part = mine;
  }
  plan.share = std::move(share);
}

void move_cuts(const CutGraph& graph, Plan& plan) {
  const double even =
      std::accumulate(plan.share.begin(), plan.share.end(), 0.0) / static_cast<double>(plan.parts);
  std::vector<double> vertices(plan.parts, 0), freedoms(plan.parts, 0), steps(plan.parts, 0),
      limit(plan.parts);
  for (std::size_t v = 0; v < graph.size(); ++v) {
    const std::size_t p = index(plan.part_of[v]);
    vertices[p] += 1;
    freedoms[p] += graph.freedoms[v];
    steps[p] = std::max(steps[p], graph.steps[v]);
  }
  for (std::size_t p = 0; p < plan.parts; ++p) {
    const double share = std::max(even, plan.share[p]);
    const double body = freedoms[p] / vertices[p] * steps[p];
    limit[p] = std::max((1 + tolerance) * share, share + bodies_of_slack * body);
  }
  refine(graph, limit, plan.part_of);
}

}  // namespace

Judgement judge(const CutGraph& graph, const Plan& plan) {
  std::vector<double> freedoms(plan.parts, 0), steps(plan.parts, 0);
  Judgement result;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    const std::size_t p = index(plan.part_of[v]);
    freedoms[p] += graph.freedoms[v];
    steps[p] = std::max(steps[p], graph.steps[v]);
    for (const CutEdge& edge : graph.edges(v))
      if (plan.part_of[index(edge.to)] != plan.part_of[v]) result.cut += 0.5 * edge.cost;
  }
  for (std::size_t p = 0; p < plan.parts; ++p) {
    result.largest = std::max(result.largest, freedoms[p] * steps[p]);
    result.total += freedoms[p] * steps[p];
  }
  return result;
}

std::vector<std::size_t> apportion(std::span<const Piece* const> pieces, std::size_t parts) {
  std::vector<std::size_t> count(pieces.size(), 1);
  const auto most_expensive = [&](std::size_t vertices_each) {
    std::size_t best = pieces.size();
    double most = -1;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if ((count[i] + 1) * vertices_each > pieces[i]->vertices.size()) continue;
      const double each = pieces[i]->cost / static_cast<double>(count[i]);
      if (each > most) most = each, best = i;
    }
    return best;
  };
  for (std::size_t given = pieces.size(); given < parts; ++given) {
    std::size_t piece = most_expensive(smallest_part);
    if (piece == pieces.size()) piece = most_expensive(1);
    COSIMO_CHECK(piece < pieces.size(), "more parts than vertices");
    ++count[piece];
  }
  return count;
}

Plan make_plan(const CutGraph& graph, const std::vector<Piece>& pieces, std::size_t parts, bool moving) {
  Plan plan;
  plan.part_of.resize(graph.size());
  std::vector<const Piece*> all, stiff, slow;
  double stiff_cost = 0, cost = 0;
  for (const Piece& piece : pieces) {
    all.push_back(&piece);
    (piece.stiff ? stiff : slow).push_back(&piece);
    cost += piece.cost;
    if (piece.stiff) stiff_cost += piece.cost;
  }
  if (all.size() <= parts || stiff.empty() || slow.empty() || parts < 2) {
    place(graph, all, parts, plan);
  } else {
    const auto vertices = [](std::span<const Piece* const> some) {
      std::size_t count = 0;
      for (const Piece* piece : some) count += piece->vertices.size();
      return count;
    };
    const auto wanted = static_cast<std::size_t>(std::lround(static_cast<double>(parts) * stiff_cost / cost));
    const std::size_t least = parts > vertices(slow) ? parts - vertices(slow) : 1;
    const std::size_t for_stiff = std::clamp(wanted, least, std::min(parts - 1, vertices(stiff)));
    place(graph, stiff, for_stiff, plan);
    place(graph, slow, parts - for_stiff, plan);
  }
  number_by_vertices(plan);
  if (moving && parts > 1) move_cuts(graph, plan);
  return plan;
}

}  // namespace cosimo
