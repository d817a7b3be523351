// A lane with copies as bytes: which copies, and the integrator's memory of them.
#include <algorithm>
#include <utility>

#include "subsystem/overlap.hpp"
#include "subsystem/overlap_load.hpp"

namespace cosimo {

namespace {

void archive(Archive& a, OverlappingPart& part) {
  a.section("part with copies");
  a(part.part.bodies, part.part.owned, part.part.elements, part.judged, part.edges);
}

bool within(Range range, std::size_t size) {
  return range.first <= range.last && range.last <= size;
}

}  // namespace

/// Loaded copies must be such as a load can be made of.
void OverlapLane::check(const OverlappingPart& part) const {
  const Model& model = subsystem_.model_;
  const std::vector<BodyId>& bodies = part.part.bodies;
  const std::vector<BodyId>& own = subsystem_.core_.bodies;
  const Range owned = part.part.owned;
  const auto is_body = [&](BodyId body) { return body.valid() && body.index() < model.bodies.count; };
  const auto is_element = [&](ElementId e) { return e.valid() && e.index() < element_count(model); };
  const auto is_carried = [&](BodyId body) {
    return std::find(bodies.begin(), bodies.end(), body) != bodies.end();
  };
  const auto is_edge = [&](const FarEdge& edge) {
    return is_element(edge.element) && is_carried(edge.copy) && is_body(edge.beyond);
  };
  const auto owns = [&] {
    const auto first = bodies.begin() + static_cast<std::ptrdiff_t>(owned.first);
    return std::equal(own.begin(), own.end(), first, first + static_cast<std::ptrdiff_t>(owned.size()));
  };
  if (!within(owned, bodies.size()) || !within(part.judged, bodies.size()) || !owns() ||
      !std::all_of(bodies.begin(), bodies.end(), is_body) ||
      !std::all_of(part.part.elements.begin(), part.part.elements.end(), is_element) ||
      !std::all_of(part.edges.begin(), part.edges.end(), is_edge))
    throw ArchiveError("the data hold the copies of another part");
}

void OverlapLane::archive(Archive& a) {
  a.section("overlapping lane");
  // Whether the copies are about to change is a question of which object is meant, not of its contents.
  bool changes = wanted_ != load_->part;
  a(changes);
  OverlappingPart now, next;
  if (!a.loading()) {
    now = *load_->part;
    next = *wanted_;
  }
  cosimo::archive(a, now);
  if (changes) cosimo::archive(a, next);
  std::shared_ptr<Load> load = load_;
  if (a.loading()) {
    check(now);
    load = std::make_shared<Load>(*this, std::make_shared<const OverlappingPart>(std::move(now)));
  }
  a(load->work_before, load->counted_before, grid_);
  load->integrator->archive(a);
  if (!a.loading()) return;
  if (changes) check(next);
  load_ = std::move(load);
  wanted_ = changes ? std::make_shared<const OverlappingPart>(std::move(next)) : load_->part;
}

}  // namespace cosimo
