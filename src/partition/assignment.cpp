#include "partition/assignment.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "partition/division.hpp"
#include "partition/request_checks.hpp"

namespace cosimo {

namespace {

/// What is wrong with cutting this element.
std::optional<Fault> refused(const BodyGraph& model, std::span<const std::int32_t> group, ElementId element) {
  const ElementEnds ends = model.ends(element);
  if (!joins_bodies(ends)) return not_between_bodies(model.label(element));
  if (group[ends.from.index()] == group[ends.to.index()])
    return cut_fault(model.label(element), model.hold(element).problem, model.hold(element).remedy);
  return std::nullopt;
}

}  // namespace

Assignment assign_equal(std::span<const std::int32_t> group_of_body, std::size_t parts) {
  const std::size_t bodies = group_of_body.size();
  std::vector<std::size_t> size;  // of every group; they are numbered by their smallest body
  for (const std::int32_t g : group_of_body) {
    size.resize(std::max(size.size(), static_cast<std::size_t>(g) + 1), 0);
    ++size[static_cast<std::size_t>(g)];
  }
  // A group goes to the next part when its middle lies beyond the end of the current share; every part
  // gets at least one, and one is left for each of those that follow.
  std::vector<std::int32_t> part_of_group(size.size());
  std::size_t part = 0, placed = 0, in_part = 0;
  for (std::size_t g = 0; g < size.size(); ++g) {
    const std::size_t groups_left = size.size() - g, parts_left = parts - part;
    const bool beyond = 2 * placed + size[g] > 2 * share_begin(bodies, parts, part + 1);
    if (in_part > 0 && part + 1 < parts && (beyond || groups_left < parts_left)) {
      ++part;
      in_part = 0;
    }
    part_of_group[g] = static_cast<std::int32_t>(part);
    placed += size[g];
    ++in_part;
  }
  Assignment result{std::vector<std::int32_t>(bodies), parts};
  for (std::size_t i = 0; i < bodies; ++i)
    result.part_of[i] = part_of_group[static_cast<std::size_t>(group_of_body[i])];
  return result;
}

Assignment assign_manual(const BodyGraph& model, std::span<const std::int64_t> cuts) {
  const std::vector<std::int32_t> group = model.groups();
  std::vector<Fault> faults = cut_faults(
      cuts, model.elements(), [&](ElementId e) { return model.label(e); },
      [&](ElementId e) { return refused(model, group, e); });
  if (!faults.empty()) throw Error(std::move(faults));

  std::vector<ElementId> removed;
  for (const std::int64_t label : cuts) removed.push_back(ElementId(static_cast<std::size_t>(label - 1)));
  std::sort(removed.begin(), removed.end());
  Components pieces = joined_components(model, group, removed);
  for (const ElementId e : removed) {
    const auto [from, to] = model.ends(e);
    if (pieces.of_body[from.index()] == pieces.of_body[to.index()])
      faults.push_back(cut_fault(model.label(e),
                                 "bodies " + model.label(from) + " and " + model.label(to) +
                                     " at its ends stay connected by other elements",
                                 "cut those elements too, or leave this one out"));
  }
  if (!faults.empty()) throw Error(std::move(faults));
  return {std::move(pieces.of_body), pieces.count};
}

void renumber(Assignment& assignment) {
  std::vector<std::int32_t> number(assignment.parts, -1);
  std::int32_t next = 0;
  for (std::int32_t& part : assignment.part_of) {
    std::int32_t& mine = number[static_cast<std::size_t>(part)];
    if (mine < 0) mine = next++;
    part = mine;
  }
}

}  // namespace cosimo
