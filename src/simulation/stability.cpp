#include "simulation/stability.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"
#include "model/graphs.hpp"
#include "multibody/generate.hpp"
#include "numerics/spectral_radius.hpp"
#include "partition/partition.hpp"
#include "scheme/recurrence.hpp"
#include "simulation/assembly.hpp"
#include "simulation/decompose.hpp"
#include "simulation/resolve_coupling.hpp"
#include "simulation/session.hpp"
#include "simulation/translate.hpp"
#include "subsystem/linear_oscillator.hpp"

namespace cosimo {

namespace {

constexpr int usual_order = 2;
constexpr std::int64_t parts = 2;

/// What has no meaning for two masses and one cut.
std::vector<Fault> faults_of(const config::Scenario& s) {
  std::vector<Fault> faults;
  const auto complain = [&](std::string field, std::string value, std::string problem, std::string remedy) {
    faults.push_back(
        {s.file, 0, 0, std::move(field), std::move(value), std::move(problem), std::move(remedy)});
  };
  const config::Couple& couple = s.couple;
  if (!s.model)
    complain("model", "", "a stability map is of a mechanical model that is cut, and here is none",
             "name a scenario with a model and `couple`");
  if (!couple.decomposition)
    complain("couple.scheme", "auto", "a stability map is of one scheme, and here the run would choose",
             "name it: --set couple.scheme=explicit, semi-implicit, implicit or waveform");
  else if (couple.decomposition == Decomposition::overlap)
    complain("couple.decomposition", std::string(word_of(*couple.decomposition)),
             "overlapping subsystems extrapolate nothing: there is no stability map of them",
             "--set couple.decomposition=force-force, force-displacement or displacement-displacement");
  if (!couple.cuts.empty())
    complain("couple.decomposition", fmt::format("a list of {} cuts", couple.cuts.size()),
             "the test model has one cut",
             "--set couple.decomposition=force-force, force-displacement or displacement-displacement");
  if (!couple.order.empty() && couple.order.size() != parts)
    complain("couple.sequence", fmt::format("an order of {} parts", couple.order.size()),
             "the test model has two parts",
             "--set couple.sequence=gauss-seidel, or \"couple.sequence={gauss-seidel: [2, 1]}\"");
  return faults;
}

/// As assemble() does it, but with exact subsystems.
std::unique_ptr<const Assembly> exact_assembly(const config::Scenario& s) {
  auto a = std::make_unique<Assembly>();
  a->model = std::make_shared<const Model>(make_chain(chain_spec(s.chain)));
  a->graph = make_graph(*a->model);
  a->partition = make_partition(*a->graph, partition_request(s.partition, *a->graph));
  auto cuts = decompose(s, *a->graph, a->partition.interface);
  a->interface = a->partition.interface;
  a->plan =
      resolve_coupling(s, *a->model, a->interface, a->partition.parts.size(), std::move(cuts), *a->scale);
  for (std::size_t i = 0; i < a->partition.parts.size(); ++i)
    a->subsystems.push_back(std::make_unique<LinearOscillator>(*a->model, a->partition.parts[i], PartId{i},
                                                               a->partition.interface));
  a->recorded.resize(a->subsystems.size());
  a->local = local_view(a->partition.interface, {std::vector<int>(a->subsystems.size())}, 0);
  a->laws = make_laws(*a->model, a->partition.interface);
  a->conditions = std::make_unique<CouplingConditions>(a->laws, a->partition.interface);
  return a;
}

/// Tolerances of zero are never met: the iterations are as many as they may be.
void fix_iterations(config::Scenario& s) {
  s.couple.corrector_rtol = s.couple.corrector_atol = 0;
  s.control.atol_pos = s.control.atol_vel = s.control.atol_u = std::nullopt;
  s.couple.perturbation_min = 1;
}

}  // namespace

config::Scenario coupling_of(const config::Scenario& scenario) {
  if (auto faults = faults_of(scenario); !faults.empty()) throw Error(std::move(faults));
  config::Scenario settings;
  settings.file = scenario.file;
  settings.couple = scenario.couple;
  settings.solve = scenario.solve;
  settings.control.order = scenario.control.order;
  settings.control.order_max = scenario.control.order_max;
  settings.control.step = 1;
  settings.simulate.end = 1;
  settings.partition.given = true;
  settings.partition.parts = parts;
  return settings;
}

int stability_order(const config::Scenario& settings) {
  const ControlOptions control = control_options(settings);
  return control.order_fixed ? control.order_max : usual_order;
}

config::Scenario oscillator(const config::Scenario& settings, const OscillatorRatios& ratios, double re,
                            double im) {
  config::Scenario s = settings;
  const double c = re * re + im * im, d = -2 * re;
  s.chain.masses = 2;
  s.chain.mass = std::vector<double>{1, ratios.mass};
  s.chain.c = std::vector<double>{c, ratios.coupling_stiffness * c, ratios.second_stiffness * c};
  s.chain.d = std::vector<double>{d, ratios.coupling_damping * d, ratios.second_damping * d};
  return s;
}

double spectral_radius(const config::Scenario& settings, const OscillatorRatios& ratios, double re,
                       double im) {
  if (re == 0 && im == 0) return 1;  // no step at all
  config::Scenario s = oscillator(settings, ratios, re, im);
  fix_iterations(s);
  const auto assembly = exact_assembly(s);
  Session session(s, *assembly, 1);
  ClassicScheme& scheme = *session.classic;
  Recurrence recurrence(*session.lanes, scheme, 1.0, stability_order(s));
  return spectral_radius(recurrence.matrix(), recurrence.size());
}

std::string describe_coupling(const config::Scenario& s) {
  const CouplingPlan plan = exact_assembly(oscillator(s, {}, 0, 1))->plan;
  std::string text = fmt::format("{}, {}", word_of(plan.scheme), decomposition_name(plan));
  if (plan.cuts.front().displaced) text += fmt::format(" ({} displaced)", word_of(s.couple.displaced));
  text += fmt::format(", degree {}", stability_order(s));
  if (!plan.details.empty()) text += ", " + plan.details;
  if (plan.scheme == SchemeKind::waveform || plan.scheme == SchemeKind::implicit)
    text += fmt::format(", {} iterations", plan.corrector.max_iterations);
  return text;
}

}  // namespace cosimo
