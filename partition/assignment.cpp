#include "partition/assignment.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "model/division.hpp"

namespace cosimo {

namespace {

Fault cut_fault(std::int64_t label, std::string problem, std::string remedy) {
  return {.field = "partition.cuts",
          .value = std::to_string(label),
          .problem = std::move(problem),
          .remedy = std::move(remedy)};
}

/// What is wrong with the cuts taken one by one.
std::vector<Fault> faults_of(const SpringDampers& elements, std::span<const std::int64_t> cuts) {
  const auto count = static_cast<std::int64_t>(elements.count());
  std::vector<Fault> faults;
  for (const std::int64_t label : cuts) {
    if (label < 1 || label > count)
      faults.push_back(cut_fault(label, "there is no such element",
                                 "elements are numbered from 1 to " + std::to_string(count)));
    else if (!joins_bodies(elements, static_cast<std::size_t>(label - 1)))
      faults.push_back(
          cut_fault(label, "the element does not join two bodies",
                    "cut elements between two bodies; those at walls and free ends cannot be cut"));
  }
  std::vector<std::int64_t> sorted(cuts.begin(), cuts.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) faults.push_back(cut_fault(*twice, "the element is cut twice", "name it once"));
  if (cuts.empty())
    faults.push_back({.field = "partition.cuts",
                      .value = "",
                      .problem = "method: manual needs at least one cut",
                      .remedy = "list element numbers, or leave the section partition out to run uncut"});
  return faults;
}

}  // namespace

Assignment assign_equal(std::size_t bodies, std::size_t parts) {
  Assignment result{std::vector<std::int32_t>(bodies), parts};
  for (std::size_t k = 0; k < parts; ++k)
    for (std::size_t i = share_begin(bodies, parts, k); i < share_begin(bodies, parts, k + 1); ++i)
      result.part_of[i] = static_cast<std::int32_t>(k);
  return result;
}

Assignment assign_manual(const Model& model, std::span<const std::int64_t> cuts) {
  std::vector<Fault> faults = faults_of(model.elements, cuts);
  if (!faults.empty()) throw Error(std::move(faults));

  std::vector<ElementId> removed;
  for (const std::int64_t label : cuts) removed.push_back(ElementId(static_cast<std::size_t>(label - 1)));
  std::sort(removed.begin(), removed.end());
  Components pieces = components(BodyGraph(model, removed));
  for (const ElementId e : removed) {
    const BodyId from = model.elements.from[e.index()];
    const BodyId to = model.elements.to[e.index()];
    if (pieces.of_body[from.index()] == pieces.of_body[to.index()])
      faults.push_back(cut_fault(e.label(),
                                 "bodies " + std::to_string(from.label()) + " and " +
                                     std::to_string(to.label()) +
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
