#include "partition/user_cuts.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace cosimo {

namespace {

Fault fault_at(const BodyGraph& model, const char* list, ElementId element, std::string problem,
               std::string remedy) {
  return {.field = std::string("partition.") + list,
          .value = model.name(element),
          .problem = std::move(problem),
          .remedy = std::move(remedy)};
}

void sort_unique(std::vector<ElementId>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

bool contains(const std::vector<ElementId>& list, ElementId element) {
  return std::binary_search(list.begin(), list.end(), element);
}

/// What is wrong with elements that are to be cut, one by one.
void check_list(const BodyGraph& model, const char* name, const std::vector<ElementId>& list,
                std::span<const std::int32_t> joined, std::span<const std::int32_t> group,
                std::vector<Fault>& faults) {
  for (const ElementId e : list) {
    if (!e.valid() || e.index() >= model.elements()) {
      faults.push_back({.field = std::string("partition.") + name,
                        .value = std::to_string(e.label()),
                        .problem = "there is no such element",
                        .remedy = "the model has " + std::to_string(model.elements()) + " elements"});
      continue;
    }
    const ElementEnds ends = model.ends(e);
    const auto together = [&](std::span<const std::int32_t> groups) {
      return groups[ends.from.index()] == groups[ends.to.index()];
    };
    const std::string bodies =
        joins_bodies(ends) ? model.name(ends.from) + " and " + model.name(ends.to) : std::string{};
    if (!joins_bodies(ends))
      faults.push_back(fault_at(model, name, e, "the element does not join two bodies",
                                "elements to the ground cannot be cut; name one between two bodies"));
    else if (together(joined))
      faults.push_back(fault_at(model, name, e, model.hold(e).problem, model.hold(e).remedy));
    else if (together(group))
      faults.push_back(fault_at(model, name, e, "forbidden cuts hold " + bodies + " together",
                                "take one of them out of partition.forbid, or leave this cut out"));
  }
}

}  // namespace

UserCuts checked_cuts(const BodyGraph& model, UserCuts cuts) {
  for (auto* list : {&cuts.fix, &cuts.forbid, &cuts.add}) sort_unique(*list);
  std::vector<Fault> faults;
  for (const ElementId e : cuts.forbid)
    if (!e.valid() || e.index() >= model.elements())
      faults.push_back({.field = "partition.forbid",
                        .value = std::to_string(e.label()),
                        .problem = "there is no such element",
                        .remedy = "the model has " + std::to_string(model.elements()) + " elements"});
  if (!faults.empty()) throw Error(std::move(faults));
  const std::vector<std::int32_t> joined = model.groups(), group = groups_of(model, cuts.forbid);
  check_list(model, "fix", cuts.fix, joined, group, faults);
  check_list(model, "add", cuts.add, joined, group, faults);
  if (!faults.empty()) throw Error(std::move(faults));
  const Components pieces = joined_components(model, group, cuts.fix);
  for (const ElementId e : cuts.fix) {
    const auto [from, to] = model.ends(e);
    if (pieces.of_body[from.index()] == pieces.of_body[to.index()])
      faults.push_back(fault_at(
          model, "fix", e, model.name(from) + " and " + model.name(to) + " stay connected by other elements",
          "fix those too, or leave this one out: a fixed cut must separate the bodies it joins"));
  }
  if (!faults.empty()) throw Error(std::move(faults));
  return cuts;
}

void add_cuts(const BodyGraph& model, const UserCuts& cuts, Assignment& assignment) {
  std::vector<ElementId> removed;  // all cuts: those found, and the new ones
  std::vector<ElementId> fresh;
  for (std::size_t i = 0; i < model.elements(); ++i) {
    const ElementId e{i};
    const ElementEnds ends = model.ends(e);
    if (!joins_bodies(ends)) continue;
    const bool cut = assignment.part_of[ends.from.index()] != assignment.part_of[ends.to.index()];
    if (!cut && contains(cuts.add, e)) fresh.push_back(e);
    if (cut || contains(cuts.add, e)) removed.push_back(e);
  }
  if (fresh.empty()) return;
  const Components pieces = joined_components(model, groups_of(model, cuts.forbid), removed);
  std::vector<Fault> faults;
  std::vector<char> divided(pieces.count, 0);
  for (const ElementId e : fresh) {
    const auto [from, to] = model.ends(e);
    const auto a = static_cast<std::size_t>(pieces.of_body[from.index()]);
    const auto b = static_cast<std::size_t>(pieces.of_body[to.index()]);
    divided[a] = divided[b] = 1;
    if (a == b)
      faults.push_back(fault_at(
          model, "add", e, model.name(from) + " and " + model.name(to) + " stay connected by other elements",
          "add those too, or leave this one out"));
  }
  if (!faults.empty()) throw Error(std::move(faults));
  // Pieces beside new cuts are parts of their own, except the first of every old part, with which all
  // untouched ones stay.
  std::vector<std::int32_t> part_of_piece(pieces.count, -1);
  std::vector<char> has_first(assignment.parts, 0);
  std::int32_t next = static_cast<std::int32_t>(assignment.parts);
  for (std::size_t i = 0; i < assignment.part_of.size(); ++i) {
    const auto piece = static_cast<std::size_t>(pieces.of_body[i]);
    const auto old = static_cast<std::size_t>(assignment.part_of[i]);
    if (part_of_piece[piece] >= 0) continue;
    const bool own = divided[piece] != 0 && has_first[old] != 0;
    if (divided[piece] != 0) has_first[old] = 1;
    part_of_piece[piece] = own ? next++ : static_cast<std::int32_t>(old);
  }
  for (std::size_t i = 0; i < assignment.part_of.size(); ++i)
    assignment.part_of[i] = part_of_piece[static_cast<std::size_t>(pieces.of_body[i])];
  assignment.parts = static_cast<std::size_t>(next);
  renumber(assignment);
}

}  // namespace cosimo
