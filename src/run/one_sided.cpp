#include "run/one_sided.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "core/counted.hpp"
#include "partition/body_table.hpp"

namespace cosimo {

namespace {

/// A side must be this many times faster than the other part as a whole.
constexpr double much_faster = 3;

/// Speed at which bodies may meet a contact: the fastest there is at the start, or, if all is at rest,
/// none is known.
double greatest_speed(const Model& model, const Partition& partition, Exchange& exchange) {
  double speed = 0;
  for (const Part& part : partition.parts)
    for (const BodyId body : part.bodies) speed = std::max(speed, std::fabs(model.bodies.v[body.index()]));
  exchange.max({&speed, 1});
  return speed;
}

/// Of the body's elements (Gershgorin).
double rate_of(const Model& model, const BodyGraph& graph, BodyId body) {
  const auto &x = model.bodies.x, &v = model.bodies.v;
  const std::size_t i = body.index();
  double k = 0, d = 0;
  for (const Incident& at : graph.around(body)) {
    const SpringLaw law = model.elements.law(at.element);
    const bool fixed = at.other == ground;
    const double factor = fixed ? 1 : 2;
    k += factor * law.stiffness((fixed ? 0 : x[at.other.index()]) - x[i]);
    d += factor * law.damping((fixed ? 0 : v[at.other.index()]) - v[i]);
  }
  const double m = model.bodies.mass[i];
  const double mu = std::max(0.0, d / m), omega2 = std::max(0.0, k / m);
  // A damped motion allows explicit steps three times as long as an oscillation of the same rate.
  return std::max(std::sqrt(omega2), mu / 3);
}

/// Rate (1/time) of the fastest motion that every body given can take part in: of its elements, and of its
/// contacts. A contact A exp(B x) that stops a body of speed v reaches the stiffness m (v B)^2 / 2.
LazyArray<double> rates(const Model& model, const Partition& partition, const BodyGraph& graph,
                        double speed) {
  LazyArray<double> rate(model.bodies.count);
  for (const Part& part : partition.parts)
    for (const BodyId body : part.bodies) rate[body.index()] = rate_of(model, graph, body);
  for (const Contact& c : model.loads.contact) {
    const double stopping = speed > 0 ? std::fabs(c.B) * speed / std::sqrt(2.0) : HUGE_VAL;
    rate[c.body.index()] = std::max(rate[c.body.index()], stopping);
  }
  return rate;
}

/// Of the parts whose bodies are given.
class Sides {
 public:
  Sides(const Model& model, const Partition& partition, const BodyGraph& graph, double layers, double speed)
      : graph_(graph),
        layers_(static_cast<int>(std::min(1e6, std::ceil(layers)))),
        rate_(rates(model, partition, graph, speed)),
        part_of_(model.bodies.count),
        fastest_(partition.parts.size()) {
    for (std::size_t p = 0; p < partition.parts.size(); ++p)
      for (const BodyId body : partition.parts[p].bodies) {
        part_of_[body.index()] = number(PartId{p});
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

CarrierChoice choose_carriers(const Model& model, const BodyGraph& graph, const Partition& partition,
                              double layers, Exchange& exchange) {
  const auto& couplings = partition.interface.couplings;
  CarrierChoice choice;
  if (!graph.may_follow()) return choice;
  choice.carriers.assign(couplings.size(), Carrier::both);
  const Sides sides(model, partition, graph, layers, greatest_speed(model, partition, exchange));
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
