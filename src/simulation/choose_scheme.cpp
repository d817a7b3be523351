#include "simulation/choose_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "control/cone.hpp"
#include "core/counted.hpp"
#include "model/media.hpp"
#include "scheme/halos.hpp"

namespace cosimo {

namespace {

/// Macro steps of a good overlap have about this many micro steps (docs/overlap.md).
constexpr double micro_steps = 12;

/// More work than this is not made up for by the cores that most machines have.
constexpr double most_overhead = 1.6;

/// Strong damping is where overlaps need this many times the layers of an undamped model. There the forecast
/// is the least certain and every micro step the dearest: only a small overhead is taken.
constexpr double strongly_damped = 2.5, most_damped_overhead = 1.2;

/// The least that the largest subsystem must be smaller than the whole model.
constexpr double least_gain = 1.3;

/// What overlap would cost in this medium, over all parts.
struct Forecast {
  double layers = 0;    ///< of the widest
  double overhead = 1;  ///< work of all subsystems over that of the uncut model
  double gain = 1;      ///< work of the uncut model over that of the largest subsystem
};

/// Longest step of an explicit method: |h lambda| about 1 for waves, 3.3 for pure damping.
double explicit_step(const Medium& m) {
  const double omega = std::sqrt(std::max(0.0, m.omega2)), mu = std::max(0.0, m.mu);
  const double rate = 0.5 * mu + std::sqrt(0.25 * mu * mu + omega * omega);
  const double damped = omega > 0 ? std::min(1.0, 0.5 * mu / omega) : 1.0;
  return rate > 0 ? (1 + 2.3 * damped) / rate : 0;
}

class Forecaster {
 public:
  Forecaster(const config::Scenario& scenario, const Model& model, const BodyGraph& graph,
             const Partition& partition)
      : explicit_only_(scenario.solve.method == Method::rk || scenario.solve.method == Method::merson),
        bodies_(static_cast<double>(graph.bodies())),
        per_layer_(bodies_ / static_cast<double>(graph.group_count())),
        partition_(partition),
        cut_(partition.parts.size()) {
    const Media media(model, graph);
    for (const Coupling& c : partition.interface.couplings)
      for (const CutEnd& end : {c.from, c.to}) {
        Cuts& cuts = cut_[end.part.index()];
        const Medium m = media.at_start(end.body);
        cuts.medium.omega2 += m.omega2;
        cuts.medium.mu += m.mu;
        cuts.count += 1;
      }
    for (Cuts& cuts : cut_) {
      cuts.medium.omega2 /= std::max(1.0, cuts.count);
      cuts.medium.mu /= std::max(1.0, cuts.count);
    }
  }

  Forecast operator()(double level, bool damped) const {
    Forecast result;
    double total = 0, largest = 0;
    for (std::size_t p = 0; p < cut_.size(); ++p) {
      const auto owned = static_cast<double>(partition_.parts[p].owned.size());
      Medium medium = cut_[p].medium;
      const double H = micro_steps * micro_step(medium);
      if (!damped) medium.mu = 0;
      const double layers = cut_[p].count > 0 ? cone_layers(medium, H, level) : 0;
      const double carried = owned + std::min(bodies_ - owned, layers * per_layer_ * cut_[p].count);
      result.layers = std::max(result.layers, layers);
      total += carried;
      largest = std::max(largest, carried);
    }
    result.overhead = total / bodies_;
    result.gain = bodies_ / largest;
    return result;
  }

 private:
  struct Cuts {
    Medium medium;
    double count = 0;
  };

  /// Strong damping ends an explicit method's step; `auto` then turns to an implicit one, whose step only
  /// the motion limits.
  double micro_step(const Medium& m) const {
    const double h = explicit_step(m);
    return explicit_only_ || !(m.omega2 > 0) ? h : std::max(h, 1 / std::sqrt(m.omega2));
  }

  bool explicit_only_;
  double bodies_;
  double per_layer_;  ///< bodies of a layer at a cut: groups are carried whole
  const Partition& partition_;
  std::vector<Cuts> cut_;
};

bool pays(const Forecast& f, double most = most_overhead) {
  return f.overhead <= most && f.gain >= least_gain;
}

bool given_implicit(const config::Scenario& s) {
  const auto implicit = [](const config::Solve& solve) {
    return solve.method == Method::rosenbrock || solve.method == Method::radau;
  };
  return implicit(s.solve) || std::any_of(s.solve_overrides.begin(), s.solve_overrides.end(),
                                          [&](const config::SolveOverride& o) { return implicit(o.solve); });
}

/// ln(A * safety / tolerance) before anything is known of A.
double expected_level(const config::Scenario& s) {
  return std::log(s.control.safety / s.control.rtol.value_or(config::default_rtol(true, s.solve.rtol)));
}

}  // namespace

bool may_be_stiff(const Model& model, const BodyGraph& graph, const Partition& partition) {
  const Media media(model, graph);
  for (const Part& part : partition.parts)
    for (const BodyId body : part.bodies) {
      if (graph.load(body) >= Load::formula) return true;
      const Medium m = media.at_start(body);
      if (m.mu * m.mu > 64 * m.omega2) return true;  // damping ratio above 2
    }
  return false;
}

double expected_layers(const config::Scenario& scenario, const Model& model, const BodyGraph& graph,
                       const Partition& partition) {
  if (scenario.couple.layers) return static_cast<double>(*scenario.couple.layers);
  return Forecaster(scenario, model, graph, partition)(expected_level(scenario), true).layers;
}

SchemeChoice choose_scheme(const config::Scenario& scenario, const Model& model, const BodyGraph& graph,
                           const Partition& partition) {
  using Kind = SchemeChoice::Kind;
  if (given_implicit(scenario) && !scenario.couple.layers)
    return {
        Kind::classic,
        "scheme: auto -> explicit, force-force: the steps of an implicit method are too long for overlaps"};
  const double level = expected_level(scenario);
  const Forecaster forecast(scenario, model, graph, partition);
  const Forecast expected = forecast(level, true), undamped = forecast(level, false);
  const bool damped = expected.layers > strongly_damped * undamped.layers;
  if (pays(expected, damped ? most_damped_overhead : most_overhead))
    return {Kind::overlap,
            fmt::format("scheme: auto -> explicit, overlap: about {}, {:.0f} % more work",
                        counted(std::llround(std::ceil(expected.layers)), "layer"),
                        100 * (expected.overhead - 1)),
            expected.overhead};
  const std::string cost =
      fmt::format("overlaps of about {} would mean {:.1f} times the work",
                  counted(std::llround(std::ceil(expected.layers)), "layer"), expected.overhead);
  const char* const cause = pays(undamped) ? "strong damping carries errors far" : "the parts are too small";
  if (graph.named())
    return {Kind::classic, fmt::format("scheme: auto -> explicit, force-force: {}, {}", cause, cost)};
  return {
      Kind::uncut,
      fmt::format("scheme: auto -> uncut: {}, {}; write scheme: explicit to cut nevertheless", cause, cost)};
}

}  // namespace cosimo
