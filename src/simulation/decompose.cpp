#include "simulation/decompose.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "core/error.hpp"

namespace cosimo {

namespace {

/// The side that `displaced` means.
CutSide displaced_side(config::Displaced displaced, const BodyGraph& graph, const Coupling& c) {
  const CutSide first = c.from.body < c.to.body ? CutSide::from : CutSide::to,
                second = first == CutSide::from ? CutSide::to : CutSide::from;
  if (displaced == config::Displaced::first) return first;
  if (displaced == config::Displaced::second) return second;
  // Equal masses: as `second`.
  const double from = graph.mass(c.from.body), to = graph.mass(c.to.body);
  if (from == to) return second;
  return (from < to) == (displaced == config::Displaced::lighter) ? CutSide::from : CutSide::to;
}

CouplingPlan::Cut cut_of(Decomposition kind, config::Displaced displaced, const BodyGraph& graph,
                         const Coupling& c) {
  CouplingPlan::Cut cut{.decomposition = kind};
  if (kind == Decomposition::force_displacement) cut.displaced = displaced_side(displaced, graph, c);
  return cut;
}

/// Who drives whom, as the interface has it.
void drive(const CouplingPlan::Cut& cut, Coupling& c) {
  const auto driven = [&](CutSide side) {
    const bool motion =
        cut.decomposition == Decomposition::displacement_displacement || cut.displaced == side;
    return motion ? Drive::motion : Drive::force;
  };
  c.from.drive = driven(CutSide::from);
  c.to.drive = driven(CutSide::to);
}

}  // namespace

std::vector<CouplingPlan::Cut> decompose(const config::Scenario& scenario, const BodyGraph& graph,
                                         Interface& interface) {
  const config::Couple& couple = scenario.couple;
  std::vector<Coupling>& couplings = interface.couplings;
  std::vector<CouplingPlan::Cut> cuts;
  cuts.reserve(couplings.size());
  for (const Coupling& c : couplings)
    cuts.push_back(
        cut_of(couple.decomposition.value_or(Decomposition::force_force), couple.displaced, graph, c));
  std::vector<Fault> faults;
  faults.reserve(couple.cuts.size());
  for (const config::CutDecomposition& one : couple.cuts) {
    const auto found = std::find_if(couplings.begin(), couplings.end(), [&](const Coupling& c) {
      return one.cut_name.empty() ? c.element.label() == one.cut : graph.name(c.element) == one.cut_name;
    });
    if (found != couplings.end()) {
      cuts[static_cast<std::size_t>(found - couplings.begin())] =
          cut_of(one.kind, one.displaced, graph, *found);
      continue;
    }
    std::vector<std::string> labels;
    labels.reserve(couplings.size());
    for (const Coupling& c : couplings) labels.push_back(graph.label(c.element));
    const bool many = labels.size() > 20;
    if (many) labels.resize(20);
    faults.push_back(
        {scenario.file, 0, 0, "couple.decomposition",
         one.cut_name.empty() ? std::to_string(one.cut) : one.cut_name, "this element is not cut",
         fmt::format("the cut elements are {}{}", fmt::join(labels, ", "), many ? ", ..." : "")});
  }
  if (!faults.empty()) throw Error(std::move(faults));
  for (std::size_t i = 0; i < cuts.size(); ++i) drive(cuts[i], couplings[i]);
  return cuts;
}

}  // namespace cosimo
