#include "partition/body_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "partition/adjacency.hpp"
#include "partition/motion_sum.hpp"

namespace cosimo {

void BodyGraph::make(Tables& tables) const {
  std::size_t known = 0;
  for (const Range range : known_bodies()) {
    Stretch stretch{range, known};
    known += range.size();
    if (range.size() > tables.longest.bodies.size()) std::swap(stretch, tables.longest);
    if (stretch.bodies.size() > 0) tables.others.push_back(stretch);
  }
  std::sort(tables.others.begin(), tables.others.end(),
            [](const Stretch& a, const Stretch& b) { return a.bodies.first < b.bodies.first; });
  const auto for_ends = [&](auto visit) {
    for (const Range rows : known_elements())
      for (std::size_t e = rows.first; e < rows.last; ++e) {
        auto [a, b] = ends(ElementId{e});
        if (a == b) b = ground;  // between two points of the same body: it leads nowhere
        if (a == b || !acts(ElementId{e})) continue;
        for (const auto& [body, other] : {std::pair(a, b), std::pair(b, a)})
          if (const std::size_t i = body == ground ? unknown : tables.place(body.index()); i != unknown)
            visit(i, ElementId{e}, other);
      }
  };
  std::vector<std::size_t>& first = tables.first;
  first.assign(known + 1, 0);
  for_ends([&](std::size_t i, ElementId, BodyId) { ++first[i + 1]; });
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  tables.incident.resize(first.back());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for_ends([&](std::size_t i, ElementId element, BodyId other) {
    tables.incident[next[i]++] = {element, other};
  });
  if (!joints().empty() || !uncut().empty() || !together().empty()) find_mates(tables);
}

std::size_t BodyGraph::Tables::rare_place(std::size_t body) const {
  const auto after =
      std::upper_bound(others.begin(), others.end(), body,
                       [](std::size_t b, const Stretch& stretch) { return b < stretch.bodies.first; });
  if (after == others.begin()) return unknown;
  const Stretch& stretch = *(after - 1);
  return body < stretch.bodies.last ? stretch.place + (body - stretch.bodies.first) : unknown;
}

void BodyGraph::find_mates(Tables& tables) const {
  std::vector<std::size_t>& first = tables.member_first;
  tables.group_of = groups();
  first.assign(group_count() + 1, 0);
  for (const std::int32_t g : tables.group_of) ++first[static_cast<std::size_t>(g) + 1];
  for (std::size_t g = 1; g < first.size(); ++g) first[g] += first[g - 1];
  tables.member.resize(tables.group_of.size());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < tables.group_of.size(); ++i)
    tables.member[next[static_cast<std::size_t>(tables.group_of[i])]++] = BodyId{i};
}

std::span<const BodyId> BodyGraph::group(BodyId body) const {
  const Tables& known = tables();
  if (known.group_of.empty()) return {};
  const auto g = static_cast<std::size_t>(known.group_of[body.index()]);
  return std::span(known.member)
      .subspan(known.member_first[g], known.member_first[g + 1] - known.member_first[g]);
}

std::vector<std::int32_t> BodyGraph::groups() const {
  std::vector<std::int32_t> group(bodies());
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](std::int32_t body) {
    while (group[static_cast<std::size_t>(body)] != body) {
      std::int32_t& up = group[static_cast<std::size_t>(body)];
      up = group[static_cast<std::size_t>(up)];
      body = up;
    }
    return body;
  };
  const auto join = [&](BodyId one, BodyId other) {
    const std::int32_t a = root(one.value), b = root(other.value);
    group[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  };
  for (const std::span<const BodyId> joined : joints())
    for (std::size_t i = 1; i < joined.size(); ++i) join(joined[0], joined[i]);
  for (const std::span<const BodyId> held : together())
    for (std::size_t i = 1; i < held.size(); ++i) join(held[0], held[i]);
  for (const ElementId e : uncut())
    if (const ElementEnds both = ends(e); joins_bodies(both)) join(both.from, both.to);
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = root(static_cast<std::int32_t>(i));
  // Roots are the smallest bodies of their groups: number them in that order.
  std::vector<std::int32_t> number(group.size(), -1);
  std::int32_t next = 0;
  for (std::int32_t& g : group) {
    std::int32_t& n = number[static_cast<std::size_t>(g)];
    if (n < 0) n = next++;
    g = n;
  }
  return group;
}

std::size_t BodyGraph::group_count() const {
  if (joints().empty() && uncut().empty() && together().empty()) return bodies();
  const std::vector<std::int32_t> group = groups();
  return group.empty() ? 0 : static_cast<std::size_t>(*std::max_element(group.begin(), group.end())) + 1;
}

BodyGraph::Hold BodyGraph::hold(ElementId element) const {
  const std::vector<ElementId> with_memory = uncut();
  if (std::ranges::find(with_memory, element) != with_memory.end())
    return {"the element has a memory, which only one subsystem can keep",
            "leave this cut out, and cut elements without memory"};
  const ElementEnds both = ends(element);
  const auto has = [](std::span<const BodyId> held, BodyId body) {
    return std::ranges::find(held, body) != held.end();
  };
  for (const std::span<const BodyId> held : together())
    if (has(held, both.from) && has(held, both.to))
      return {"contacts, a rope or a force that follows sensors concerns " + name(both.from) + " and " +
                  name(both.to) + " at once",
              "leave this cut out, or let it concern fewer bodies"};
  return {(with_memory.empty() ? "joints hold " : "joints or elements with memory hold ") + name(both.from) +
              " and " + name(both.to) + " together",
          "make one of the joints between them compliant, or leave this cut out"};
}

bool BodyGraph::complete() const {
  const auto known = known_bodies();
  return known.size() == 1 && known[0].size() == bodies();
}

TypicalMotion BodyGraph::motion() const {
  MotionSum sum;
  for (const Range rows : known_elements())
    for (std::size_t e = rows.first; e < rows.last; ++e) sum.add(*this, ElementId{e});
  for (const Range range : known_bodies())
    for (std::size_t i = range.first; i < range.last; ++i) sum.add(*this, BodyId{i});
  return sum.typical();
}

std::vector<ElementRates> BodyGraph::element_rates() const {
  const TypicalMotion at = motion();
  std::vector<ElementRates> result(elements());
  for (std::size_t e = 0; e < result.size(); ++e) result[e] = element_rates(ElementId{e}, at);
  return result;
}

double BodyGraph::body_rate(BodyId body, const TypicalMotion& at) const {
  double k = 0, d = 0;
  for (const Incident& i : around(body)) {
    const ElementRates rates = element_rates(i.element, at);
    const EndRates& here = ends(i.element).from == body ? rates.from : rates.to;
    const double factor = i.other == ground ? 1 : 2;
    k += factor * here.stiffness;
    d += factor * here.damping;
  }
  return std::max({std::sqrt(k), d / 3, contact_rate(body, at.speed)});
}

std::vector<double> BodyGraph::exposure() const {
  constexpr double of_load = 1, of_contact = 2;
  constexpr int layers = 6;
  std::vector<double> result(bodies(), 0);
  std::vector<std::int32_t> front, next;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Load here = load(BodyId{i});
    if (here == Load::none) continue;
    result[i] = here == Load::contact ? of_contact : of_load;
    front.push_back(static_cast<std::int32_t>(i));
  }
  if (front.empty()) return result;
  const Adjacency graph(*this);
  for (int layer = 0; layer < layers && !front.empty(); ++layer) {
    next.clear();
    for (const std::int32_t body : front) {
      const double passed_on = 0.5 * result[static_cast<std::size_t>(body)];
      for (const std::int32_t other : graph.neighbours(static_cast<std::size_t>(body))) {
        double& there = result[static_cast<std::size_t>(other)];
        if (there >= passed_on) continue;
        there = passed_on;
        next.push_back(other);
      }
    }
    std::swap(front, next);
  }
  return result;
}

std::string BodyGraph::name(BodyId body) const {
  if (body == ground) return "ground";
  return named() ? label(body) : "body " + label(body);
}

std::string BodyGraph::name(ElementId element) const {
  return named() ? label(element) : "element " + label(element);
}

std::string BodyGraph::cut_name(ElementId element) const {
  const auto [from, to] = ends(element);
  const std::string prefix = name(element) + " between ";
  if (named()) return prefix + name(from) + " and " + name(to);
  return prefix + "bodies " + label(from) + " and " + label(to);
}

}  // namespace cosimo
