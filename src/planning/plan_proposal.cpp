#include "planning/plan_proposal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/error.hpp"
#include "multibody/generate.hpp"
#include "multibody/model_text.hpp"
#include "planning/plan_watch.hpp"
#include "simulation/translate.hpp"

namespace cosimo {

namespace {

/// What the method `auto` is asked for: the file's number of parts, also where it counts by its cuts.
PartitionRequest automatic_request(const config::Partition& given, const BodyGraph& graph,
                                   std::int64_t parts) {
  PartitionRequest request = partition_request(given, graph);
  request.parts = parts > 0 ? parts : given.given ? given.parts : 0;
  if (parts == 0 && request.method == CutMethod::manual && !request.cuts.empty())
    request.parts = static_cast<std::int64_t>(make_partition(graph, request).parts.size());
  request.method = CutMethod::automatic;
  request.cuts.clear();
  return request;
}

/// Names that look like one in any YAML file; others are better given by their number.
bool is_plain(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
  });
}

/// The cuts as a list for the file: names where the model has good ones, else numbers.
std::string cut_list(const BodyGraph& graph, const Interface& interface) {
  std::unordered_map<std::string, int> times;
  if (graph.named())
    for (std::size_t e = 0; e < graph.elements(); ++e) ++times[graph.name(ElementId(e))];
  std::string list;
  for (const Coupling& c : interface.couplings) {
    if (!list.empty()) list += ", ";
    const std::string name = graph.name(c.element);
    const bool by_name = graph.named() && is_plain(name) && times[name] == 1;
    list += by_name ? nlohmann::json(name).dump() : std::to_string(c.element.label());
  }
  return list;
}

/// `partition:` of the new scenario.
std::string partition_setting(const BodyGraph& graph, const Partition& found) {
  if (found.parts.size() == 1) return "partition=none";
  // Pieces that no element joins need no cut: only their number can be told.
  if (found.interface.couplings.empty())
    return fmt::format("partition={{method: auto, parts: {}}}", found.parts.size());
  return fmt::format("partition={{method: manual, cuts: [{}]}}", cut_list(graph, found.interface));
}

/// Bodies beside the cuts, as a list for `simulate.record`.
std::string coupling_bodies(const Interface& interface) {
  std::vector<std::int32_t> labels;
  for (const Coupling& c : interface.couplings)
    for (const CutEnd& end : {c.from, c.to}) labels.push_back(end.body.label());
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return fmt::format("simulate.record=[{}]", fmt::join(labels, ", "));
}

void write_scenarios(const config::Scenario& given, Proposal& p) {
  const bool beside_cuts = given.simulate.record == config::Record::coupling;
  p.setting = partition_setting(*p.graph, p.partition);
  std::vector<std::string> cut{p.setting}, uncut{"partition=none"};
  if (beside_cuts && p.partition.interface.couplings.empty()) {
    cut.emplace_back("simulate.record=all");
    uncut.emplace_back("simulate.record=all");
    p.remarks.emplace_back("simulate.record: nothing is cut, so all bodies are recorded");
  } else if (beside_cuts) {
    uncut.push_back(coupling_bodies(p.partition.interface));
  }
  p.scenario = config::parse_scenario(given.effective, given.file, cut);
  p.uncut = config::parse_scenario(given.effective, given.file, uncut);
}

void remark_on_numbers(const config::Scenario& given, std::size_t found, Proposal& p) {
  if (p.partition.parts.size() != found)
    p.remarks.push_back(
        fmt::format("{} parts would hold pieces that are not connected; cut by name they are {} parts", found,
                    p.partition.parts.size()));
  if (!given.solve_overrides.empty() || !given.couple.order.empty())
    p.remarks.emplace_back(
        "solve.parts and an order of parts in couple.sequence name parts by number: check that they mean the "
        "proposed ones");
}

std::vector<ElementId> named_cuts(const PartitionRequest& request) {
  std::vector<ElementId> named = request.fix;
  named.insert(named.end(), request.add.begin(), request.add.end());
  std::sort(named.begin(), named.end());
  return named;
}

}  // namespace

bool parts_are_open(const config::Scenario& scenario) {
  const config::Partition& given = scenario.partition;
  const auto none = [](const config::ElementList& list) {
    return list.numbers.empty() && list.names.empty();
  };
  return !given.given ||
         (given.parts == 0 && given.method != CutMethod::manual && none(given.fix) && none(given.add));
}

Proposal propose(const config::Scenario& scenario, std::int64_t parts) try {
  if (!scenario.model)
    throw Error(Fault{.field = "model",
                      .problem = "there is no model to be cut: a plan says where to cut one, and how",
                      .remedy = "run the subsystems as they are: `cosimo run`"});
  Proposal p;
  const double held = resident_bytes();
  p.model = std::make_unique<const Model>(generate_model(scenario));
  p.model_bytes = std::max(0.0, resident_bytes() - held);
  p.graph = make_graph(*p.model);
  const PartitionRequest request = automatic_request(scenario.partition, *p.graph, parts);
  p.partition = make_partition(*p.graph, request);
  const std::size_t found = p.partition.parts.size();
  write_scenarios(scenario, p);
  // What is explained, drawn and timed is what the new file makes.
  if (!p.partition.interface.couplings.empty())
    p.partition = make_partition(*p.graph, partition_request(p.scenario.partition, *p.graph));
  remark_on_numbers(scenario, found, p);
  p.costs = measure_cuts(*p.graph);
  p.why = explain(*p.graph, p.partition, p.costs, named_cuts(request));
  return p;
} catch (const Error& error) {
  // Errors of the modules do not know the file.
  std::vector<Fault> faults = error.faults();
  for (Fault& f : faults)
    if (f.file.empty()) f.file = scenario.file;
  throw Error(std::move(faults));
}

std::string describe_model(const Proposal& p) {
  return fmt::format("{}; simulated to t = {:.6g}", model_text(*p.model), p.scenario.simulate.end);
}

std::vector<PlannedPart> planned_parts(const Proposal& p) {
  std::vector<PlannedPart> parts;
  for (const PartFacts& facts : p.why.parts)
    parts.push_back({static_cast<std::int64_t>(facts.bodies), facts.freedoms, facts.steps, facts.share, 0,
                     static_cast<std::int64_t>(facts.cuts)});
  return parts;
}

std::vector<PlannedCut> planned_cuts(const Proposal& p) {
  std::vector<PlannedCut> cuts;
  for (std::size_t i = 0; i < p.why.cuts.size(); ++i) {
    const CutReason& facts = p.why.cuts[i];
    const Coupling& c = p.partition.interface.couplings[i];
    cuts.push_back({facts.element.label(),
                    p.graph->name(facts.element),
                    {p.graph->name(c.from.body), p.graph->name(c.to.body)},
                    {c.from.part.label(), c.to.part.label()},
                    facts.cost.cost,
                    facts.reason});
  }
  return cuts;
}

}  // namespace cosimo
