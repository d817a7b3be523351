#include "simulation/decompose.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace cosimo {

namespace {

/// The end that `displaced` means.
CutEnd& displaced_end(config::Displaced displaced, const BodyGraph& graph, Coupling& c) {
  const bool from_first = c.from.body < c.to.body;
  if (displaced == config::Displaced::first) return from_first ? c.from : c.to;
  if (displaced == config::Displaced::second) return from_first ? c.to : c.from;
  // Equal masses: as `second`.
  const double from = graph.mass(c.from.body), to = graph.mass(c.to.body);
  if (from == to) return from_first ? c.to : c.from;
  return (from < to) == (displaced == config::Displaced::lighter) ? c.from : c.to;
}

void drive(Decomposition kind, config::Displaced displaced, const BodyGraph& graph, Coupling& c) {
  c.from.drive = c.to.drive = kind == Decomposition::displacement_displacement ? Drive::motion : Drive::force;
  if (kind == Decomposition::force_displacement) displaced_end(displaced, graph, c).drive = Drive::motion;
}

Decomposition kind_of(const Coupling& c) {
  const int motions = (c.from.drive == Drive::motion ? 1 : 0) + (c.to.drive == Drive::motion ? 1 : 0);
  return motions == 0   ? Decomposition::force_force
         : motions == 1 ? Decomposition::force_displacement
                        : Decomposition::displacement_displacement;
}

}  // namespace

void decompose(const config::Scenario& scenario, const BodyGraph& graph, Interface& interface) {
  const config::Couple& couple = scenario.couple;
  for (Coupling& c : interface.couplings) drive(*couple.decomposition, couple.displaced, graph, c);
  std::vector<Fault> faults;
  for (const config::CutDecomposition& one : couple.cuts) {
    const auto found =
        std::find_if(interface.couplings.begin(), interface.couplings.end(), [&](const Coupling& c) {
          return one.cut_name.empty() ? c.element.label() == one.cut : graph.name(c.element) == one.cut_name;
        });
    if (found != interface.couplings.end()) {
      drive(one.kind, one.displaced, graph, *found);
      continue;
    }
    std::vector<std::string> labels;
    for (const Coupling& c : interface.couplings) labels.push_back(graph.label(c.element));
    const bool many = labels.size() > 20;
    if (many) labels.resize(20);
    faults.push_back(
        {scenario.file, 0, 0, "couple.decomposition",
         one.cut_name.empty() ? std::to_string(one.cut) : one.cut_name, "this element is not cut",
         fmt::format("the cut elements are {}{}", fmt::join(labels, ", "), many ? ", ..." : "")});
  }
  if (!faults.empty()) throw Error(std::move(faults));
}

std::string decomposition_name(const Interface& interface) {
  if (interface.couplings.empty()) return "none";
  const Decomposition first = kind_of(interface.couplings.front());
  const bool same = std::all_of(interface.couplings.begin(), interface.couplings.end(),
                                [&](const Coupling& c) { return kind_of(c) == first; });
  return same ? std::string(word_of(first)) : "mixed";
}

}  // namespace cosimo
