#include "simulation/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "control/cone.hpp"
#include "model/media.hpp"
#include "scheme/halos.hpp"

namespace cosimo {

namespace {

/// ln(A / error): what `layers` layers of `medium` keep out over H, by the cone.
double kept_out(const Medium& medium, double H, double layers) {
  double low = 0, high = 1e3;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (cone_layers(medium, H, middle) <= layers ? low : high) = middle;
  }
  return low;
}

/// The fastest and the most damped of the bodies at a cut and next to them, at the start of the run.
Medium medium_of(const Assembly& a, const Coupling& c) {
  const Media media(*a.model, *a.graph);
  Medium most;
  const auto add = [&](BodyId body) {
    const Medium m = media.at_start(body);
    most = {std::max(most.omega2, m.omega2), std::max(most.mu, m.mu)};
  };
  for (const CutEnd& end : {c.from, c.to}) {
    add(end.body);
    for (const Incident& i : a.graph->around(end.body))
      if (i.other != ground) add(i.other);
  }
  return most;
}

}  // namespace

std::string overlap_advice(const config::Scenario& scenario, const Assembly& a, const Report::Blame& blame) {
  if (!a.overlap || !(blame.largest_error > 1)) return "";
  std::string text =
      fmt::format("accuracy: the error at {} was up to {:.2g} times the tolerance",
                  a.graph->name(ElementId(static_cast<std::size_t>(blame.element - 1))), blame.largest_error);
  if (!scenario.couple.layers || !scenario.control.step) return text;
  const auto& couplings = a.partition.interface.couplings;
  const auto cut = std::find_if(couplings.begin(), couplings.end(),
                                [&](const Coupling& c) { return c.element.label() == blame.element; });
  const Medium medium = medium_of(a, *cut);
  const double H = *scenario.control.step;
  const auto given = static_cast<double>(*scenario.couple.layers);
  const OverlapOptions& options = a.plan.layers;
  // Inside the cone nothing is kept out and the error does not tell A: take as much as there is motion.
  const double amplitude =
      std::max(kept_out(medium, H, given) + std::log(blame.largest_error), -std::log(options.rtol));
  const double needed =
      std::ceil(cone_layers(medium, H, amplitude + std::log(options.safety) + halo_reserve));
  return text + fmt::format("; about {:.0f} layers instead of {:.0f} would hold H = {:.3g}",
                            std::max(needed, given + 1), given, H);
}

}  // namespace cosimo
