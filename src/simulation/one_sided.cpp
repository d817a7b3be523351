#include "simulation/one_sided.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "core/counted.hpp"
#include "core/lazy_array.hpp"
#include "partition/body_table.hpp"
#include "simulation/motion_of_ranks.hpp"

namespace cosimo {

namespace {

/// A side must be this many times faster than the other part as a whole.
constexpr double much_faster = 3;

/// Of the parts whose bodies are given.
class Sides {
 public:
  Sides(const BodyGraph& graph, const Partition& partition, double layers, const TypicalMotion& motion)
      : graph_(graph),
        layers_(static_cast<int>(std::min(1e6, std::ceil(layers)))),
        rate_(graph.bodies()),
        part_of_(graph.bodies()),
        fastest_(partition.parts.size()) {
    for (std::size_t p = 0; p < partition.parts.size(); ++p)
      for (const BodyId body : partition.parts[p].bodies) {
        part_of_[body.index()] = number(PartId{p});
        rate_[body.index()] = graph.body_rate(body, motion);
        fastest_[p] = std::max(fastest_[p], rate_[body.index()]);
      }
  }

  /// Of the parts as a whole.
  std::vector<double> fastest() const { return fastest_; }

  /// Of the part's bodies that another part would carry through its cuts, which end at the bodies `ends`.
  double within_reach(PartId part, std::span<const BodyId> ends) const {
    std::vector<BodyId> reached;
    BodyTable<bool> known(ends.size());
    double fastest = 0;
    const auto reach = [&](BodyId body) {
      if (part_of_[body.index()] != number(part) || !known.insert(body, true).second) return;
      reached.push_back(body);
      fastest = std::max(fastest, rate_[body.index()]);
    };
    for (const BodyId body : ends) reach(body);
    std::size_t begin = 0;
    for (int layer = 1; layer < layers_ && begin < reached.size(); ++layer)
      for (const std::size_t last = reached.size(); begin < last; ++begin)
        for (const Incident& i : graph_.around(reached[begin]))
          if (i.other != ground) reach(i.other);
    return fastest;
  }

 private:
  static std::int32_t number(PartId part) { return part.value + 1; }

  const BodyGraph& graph_;
  int layers_;
  LazyArray<double> rate_;
  LazyArray<std::int32_t> part_of_;  ///< number(); 0: not given
  std::vector<double> fastest_;
};

}  // namespace

CarrierChoice choose_carriers(const BodyGraph& graph, const Partition& partition, double layers,
                              Exchange& exchange) {
  const auto& couplings = partition.interface.couplings;
  CarrierChoice choice;
  if (!graph.may_follow()) return choice;
  choice.carriers.assign(couplings.size(), Carrier::both);
  const Sides sides(graph, partition, layers, motion_of_ranks(graph, partition, exchange));
  // All cuts between two parts are treated alike: the fastest body that any of them reaches decides.
  struct Side {
    std::vector<BodyId> ends;  ///< of the first part's cuts to the second one
    double fastest = 0;
  };
  std::map<std::pair<PartId, PartId>, Side> reached;
  for (const Coupling& c : couplings) {
    reached[{c.from.part, c.to.part}].ends.push_back(c.from.body);
    reached[{c.to.part, c.from.part}].ends.push_back(c.to.body);
  }
  // Of each part one rank at least knows the bodies.
  std::vector<double> known = sides.fastest();
  for (const auto& [parts, side] : reached) known.push_back(sides.within_reach(parts.first, side.ends));
  exchange.max(known);
  const std::span<const double> fastest = std::span(known).first(partition.parts.size());
  const double* next = known.data() + fastest.size();
  for (auto& [parts, side] : reached) side.fastest = *next++;
  std::size_t one_sided = 0;
  for (std::size_t c = 0; c < couplings.size(); ++c) {
    const PartId from = couplings[c].from.part, to = couplings[c].to.part;
    if (reached[{from, to}].fastest > much_faster * fastest[to.index()])
      choice.carriers[c] = Carrier::from;
    else if (reached[{to, from}].fastest > much_faster * fastest[from.index()])
      choice.carriers[c] = Carrier::to;
    if (choice.carriers[c] != Carrier::both) ++one_sided;
  }
  if (one_sided == 0) {
    choice.carriers.clear();
    return choice;
  }
  choice.reason = fmt::format(
      "overlap: one-sided at {} of {}, where one side is much faster: it carries the copies, the other "
      "follows",
      one_sided, counted(couplings.size(), "cut"));
  return choice;
}

}  // namespace cosimo
