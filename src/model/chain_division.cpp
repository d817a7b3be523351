#include "model/chain_division.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "core/range_set.hpp"
#include "partition/division.hpp"
#include "partition/request_checks.hpp"

namespace cosimo {

namespace {

/// Cutting the element with index e parts body e - 1 from body e.
std::vector<std::size_t> manual_begins(const ChainSpec& spec, const PartitionRequest& request) {
  const auto name_of = [](ElementId element) { return std::to_string(element.label()); };
  const auto refused = [&](ElementId element) -> std::optional<Fault> {
    if (element.index() > 0 && element.index() < spec.masses) return std::nullopt;
    return not_between_bodies(name_of(element));
  };
  std::vector<Fault> faults = cut_faults(request.cuts, spec.masses + 1, name_of, refused);
  if (!faults.empty()) throw Error(std::move(faults));
  std::vector<std::size_t> begin{0};
  for (const std::int64_t label : request.cuts) begin.push_back(static_cast<std::size_t>(label - 1));
  std::sort(begin.begin(), begin.end());
  check_manual_parts(request, begin.size());
  return begin;
}

std::vector<std::size_t> equal_begins(const ChainSpec& spec, const PartitionRequest& request) {
  const std::size_t parts = wanted_parts(request, spec.masses, spec.masses);
  std::vector<std::size_t> begin;
  for (std::size_t k = 0; k < parts; ++k) begin.push_back(share_begin(spec.masses, parts, k));
  return begin;
}

}  // namespace

ChainDivision::ChainDivision(std::vector<std::size_t> begin, std::size_t bodies, std::array<End, 2> ends)
    : begin_(std::move(begin)), ends_(ends) {
  begin_.push_back(bodies);
  const auto empty = std::adjacent_find(begin_.begin(), begin_.end(), std::greater_equal<>{});
  COSIMO_CHECK(begin_.front() == 0 && empty == begin_.end(), "parts of a chain follow each other");
}

PartId ChainDivision::part_of(BodyId body) const {
  const auto after = std::upper_bound(begin_.begin(), begin_.end(), body.index());
  return PartId(static_cast<std::size_t>(after - begin_.begin()) - 1);
}

Range ChainDivision::widened(Range bodies, std::size_t margin) const {
  return {bodies.first - std::min(bodies.first, margin), std::min(bodies.last + margin, body_count())};
}

std::vector<Range> ChainDivision::around_parts(const std::function<bool(std::size_t part)>& wanted,
                                               std::size_t margin) const {
  RangeSet set;
  for (std::size_t p = 0; p < parts(); ++p)
    if (wanted(p)) set.add(widened(bodies(p), margin));
  return {set.ranges().begin(), set.ranges().end()};
}

std::vector<Range> ChainDivision::around_cuts(std::size_t reach) const {
  RangeSet set;
  for (std::size_t p = 1; p < parts(); ++p) set.add(widened({begin_[p] - 1, begin_[p] + 1}, reach));
  return {set.ranges().begin(), set.ranges().end()};
}

bool ChainDivision::is_loose(ElementId element) const {
  return (element.index() == 0 && ends_[0] == End::free) ||
         (element.index() == body_count() && ends_[1] == End::free);
}

ChainDivision divide_chain(const ChainSpec& spec, const PartitionRequest& request) {
  COSIMO_CHECK(divides_chain(request.method), "this method needs the graph of all bodies");
  check_lists(request);
  const bool manual = request.method == CutMethod::manual;
  return {manual ? manual_begins(spec, request) : equal_begins(spec, request), spec.masses, spec.ends};
}

Partition make_partition(const ChainDivision& division, const std::function<bool(std::size_t part)>& wanted) {
  Partition result;
  result.parts.resize(division.parts());
  for (std::size_t p = 0; p < division.parts(); ++p) {
    const Range bodies = division.bodies(p);
    if (p > 0)
      result.interface.couplings.push_back({.element = ElementId(bodies.first),
                                            .from = {.part = PartId(p - 1), .body = BodyId(bodies.first - 1)},
                                            .to = {.part = PartId(p), .body = BodyId(bodies.first)}});
    Part& part = result.parts[p];
    part.owned = {0, bodies.size()};
    if (!wanted(p)) continue;
    part.bodies.reserve(bodies.size());
    part.elements.reserve(bodies.size() + 1);
    for (std::size_t i = bodies.first; i < bodies.last; ++i) part.bodies.push_back(BodyId(i));
    // Elements on both sides are cut, or lead to a wall.
    const std::size_t first = p == 0 ? 0 : bodies.first + 1;
    const std::size_t last = p + 1 == division.parts() ? bodies.last + 1 : bodies.last;
    for (std::size_t e = first; e < last; ++e)
      if (!division.is_loose(ElementId(e))) part.elements.push_back(ElementId(e));
  }
  return result;
}

}  // namespace cosimo
