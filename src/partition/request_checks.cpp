#include "partition/request_checks.hpp"

#include <algorithm>
#include <utility>

#include "core/counted.hpp"

namespace cosimo {

void refuse_parts(std::int64_t parts, std::string problem, std::string remedy) {
  throw Error(Fault{.field = "partition.parts",
                    .value = std::to_string(parts),
                    .problem = std::move(problem),
                    .remedy = std::move(remedy)});
}

void check_lists(const PartitionRequest& request) {
  if (request.method != CutMethod::manual && !request.cuts.empty())
    throw Error(
        Fault{.field = "partition.cuts",
              .value = std::to_string(request.cuts.front()) + (request.cuts.size() > 1 ? ", ..." : ""),
              .problem = "only method: manual takes cuts",
              .remedy = "add method: manual, or remove the cuts"});
  const bool lists_allowed = request.method == CutMethod::metis || request.method == CutMethod::automatic;
  if (lists_allowed || (request.fix.empty() && request.forbid.empty() && request.add.empty())) return;
  const bool fix = !request.fix.empty(), forbid = !request.forbid.empty();
  throw Error(
      Fault{.field = fix      ? "partition.fix"
                     : forbid ? "partition.forbid"
                              : "partition.add",
            .problem = "only method: auto and metis find cuts around those of a user",
            .remedy = "write method: auto; method: manual takes all of its cuts from partition.cuts"});
}

std::size_t wanted_parts(const PartitionRequest& request, std::size_t bodies, std::size_t groups) {
  const std::int64_t parts = request.parts;
  const auto most = static_cast<std::int64_t>(groups);
  if (parts == 0) return static_cast<std::size_t>(std::min(automatic_parts(bodies), most));
  const std::string range = "write a number from 1 to " + std::to_string(groups) + ", or auto";
  if (parts < 0) refuse_parts(parts, "the number of parts is negative", range);
  if (parts > static_cast<std::int64_t>(bodies))
    refuse_parts(parts, "the model has only " + counted(bodies, "body"), range);
  if (parts > most)
    refuse_parts(parts,
                 "joints and elements with memory leave only " + std::to_string(groups) + " groups of bodies",
                 range);
  return static_cast<std::size_t>(parts);
}

void check_manual_parts(const PartitionRequest& request, std::size_t made) {
  if (request.parts < 0 || (request.parts > 1 && made != static_cast<std::size_t>(request.parts)))
    refuse_parts(request.parts, "the cuts make " + std::to_string(made) + " parts",
                 "leave partition.parts out; manual cuts say it all");
}

Fault cut_fault(std::string name, std::string problem, std::string remedy) {
  return {.field = "partition.cuts",
          .value = std::move(name),
          .problem = std::move(problem),
          .remedy = std::move(remedy)};
}

Fault not_between_bodies(std::string name) {
  return cut_fault(
      std::move(name), "the element does not join two bodies",
      "cut elements between two bodies; those to the ground, to walls and at free ends cannot be cut");
}

std::vector<Fault> cut_faults(std::span<const std::int64_t> cuts, std::size_t elements,
                              const std::function<std::string(ElementId)>& name_of,
                              const std::function<std::optional<Fault>(ElementId)>& refused) {
  const auto count = static_cast<std::int64_t>(elements);
  const auto exists = [&](std::int64_t label) { return label >= 1 && label <= count; };
  const auto element = [](std::int64_t label) { return ElementId(static_cast<std::size_t>(label - 1)); };
  std::vector<Fault> faults;
  for (const std::int64_t label : cuts) {
    if (!exists(label))
      faults.push_back(cut_fault(std::to_string(label), "there is no such element",
                                 "elements are numbered from 1 to " + std::to_string(count)));
    else if (std::optional<Fault> fault = refused(element(label)))
      faults.push_back(std::move(*fault));
  }
  std::vector<std::int64_t> sorted(cuts.begin(), cuts.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    faults.push_back(cut_fault(exists(*twice) ? name_of(element(*twice)) : std::to_string(*twice),
                               "the element is cut twice", "name it once"));
  if (cuts.empty())
    faults.push_back({.field = "partition.cuts",
                      .value = "",
                      .problem = "method: manual needs at least one cut",
                      .remedy = "list element numbers, or leave the section partition out to run uncut"});
  return faults;
}

}  // namespace cosimo
