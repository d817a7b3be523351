#include "simulation/connect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "blocks/blocks.hpp"
#include "config/subsystems.hpp"
#include "core/check.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "fmi/fmu_spec.hpp"
#include "fmi/zip_archive.hpp"
#include "multibody/sensor_signals.hpp"

namespace cosimo {

namespace {

/// What outputs go to that nobody else takes. No subsystem can have this name.
constexpr std::string_view results_name = "/results";
/// What signals go through that are multiplied and shifted on their way.
constexpr std::string_view scaling_name = "/scaling";
/// So large that no error of a signal counts beside it.
constexpr double not_judged = 1e300;

class Connector {
 public:
  Connector(const Wiring& wiring, double end, Assembly& a) : wiring_(wiring), end_(end), a_(a) {
    for (const auto& spec : wiring.components) names_.emplace_back(spec->name());
  }

  void connect(const Wiring::Link& link) {
    link_ = &link;
    Coupling coupling;
    coupling.components = 0;
    begin_at(link.from, coupling);
    end_at(link.to, coupling);
    require_free(coupling.to);
    a_.interface.couplings.push_back(coupling);
    a_.signals.push_back(link.label.empty() ? link.from + " -> " + link.to : link.label);
  }

  /// Inputs that need a signal and have none.
  void require_complete() {
    for (std::size_t k = 0; k < wiring_.components.size(); ++k) {
      const ComponentSpec& spec = *wiring_.components[k];
      for (std::size_t i = 0; i < spec.inputs().size(); ++i)
        if (spec.inputs()[i].required && !is_connected(part(k), i))
          throw Error(Fault{
              .field = "connections",
              .value = spec.name() + "." + spec.inputs()[i].name,
              .problem = "nothing is connected to this input",
              .remedy = fmt::format("add {{from: ..., to: {}.{}}}", spec.name(), spec.inputs()[i].name)});
    }
  }

  void find_transfers() {
    const auto& couplings = a_.interface.couplings;
    const std::size_t first = a_.partition.interface.couplings.size();  // of the signals
    for (std::size_t in = first; in < couplings.size(); ++in)
      for (std::size_t out = first; out < couplings.size(); ++out) {
        if (couplings[in].to.part != couplings[out].from.part) continue;
        const ComponentSpec* const spec = spec_of(couplings[in].to.part);
        if (spec == nullptr) continue;
        const std::size_t input = couplings[in].to.variable, output = couplings[out].from.variable;
        a_.interface.transfers.push_back(
            {CouplingId{in}, CouplingId{out}, spec->gain(input, output), spec->feeds(input, output)});
      }
  }

 private:
  PartId part(std::size_t component) const { return PartId{a_.partition.parts.size() + component}; }
  const ComponentSpec* spec_of(PartId id) const {
    const std::size_t parts = a_.partition.parts.size();
    return id.index() < parts ? nullptr : wiring_.components[id.index() - parts].get();
  }
  bool is_connected(PartId id, std::size_t input) const {
    return std::any_of(a_.interface.couplings.begin(), a_.interface.couplings.end(), [&](const Coupling& c) {
      return c.is_signal() && c.to.part == id && !c.to.body.valid() && c.to.variable == input;
    });
  }

  [[noreturn]] void refuse(const std::string& name, std::string problem, std::string remedy) const {
    throw Error(Fault{.file = link_->file,
                      .line = link_->line,
                      .column = link_->column,
                      .field = "connections",
                      .value = name,
                      .problem = std::move(problem),
                      .remedy = std::move(remedy)});
  }

  config::SignalName address(const std::string& name) const {
    const config::SignalName found =
        config::split_signal(name, [this](std::string_view owner) { return component(owner).has_value(); });
    if (found.component.empty())
      refuse(name, "that is no name of an input or output",
             "write a component or body, a dot, and what of it");
    return found;
  }

  std::optional<std::size_t> component(std::string_view owner) const {
    const auto found = std::find(names_.begin(), names_.end(), owner);
    if (found == names_.end()) return {};
    return static_cast<std::size_t>(found - names_.begin());
  }

  std::size_t port_number(const std::string& name, std::string_view variable,
                          std::span<const SignalPort> ports, const char* what) const {
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (ports[i].name == variable) return i;
      known.emplace_back(ports[i].name);
    }
    const std::string_view best = nearest(variable, known);
    refuse(name, fmt::format("it has no {} of that name", what),
           best.empty() ? fmt::format("its {}s are: {}", what, fmt::join(known, ", "))
                        : fmt::format("did you mean {}?", best));
  }

  void begin_at(const std::string& name, Coupling& coupling) const {
    const config::SignalName at = address(name);
    CutEnd& end = coupling.from;
    end.drive = Drive::none;
    if (const auto k = component(at.component)) {
      if (at.derivative) refuse(name, "only coordinates of bodies have rates", "take the output itself");
      end.part = part(*k);
      end.motion = false;
      end.variable = port_number(name, at.variable, wiring_.components[*k]->outputs(), "output");
      coupling.nominal = wiring_.components[*k]->outputs()[end.variable].nominal;
      return;
    }
    end.body = body(name, at.component);
    end.part = part_of(end.body);
    end.variable = coordinate(name, end.body, at.variable);
    end.angle = a_.graph->is_angle(end.body, end.variable);
    coupling.rate = at.derivative;
  }

  void end_at(const std::string& name, Coupling& coupling) const {
    const config::SignalName at = address(name);
    CutEnd& end = coupling.to;
    end.drive = Drive::signal;
    end.coordinates = 0;
    if (at.derivative)
      refuse(name, "a rate is no input", "connect to an input of a subsystem, or to a force");
    if (const auto k = component(at.component)) {
      end.part = part(*k);
      end.variable = port_number(name, at.variable, wiring_.components[*k]->inputs(), "input");
      if (!wiring_.components[*k]->inputs()[end.variable].judged) coupling.nominal = not_judged;
      if (!coupling.from.motion)
        coupling.nominal = std::max(coupling.nominal, wiring_.components[*k]->expected(end.variable, end_));
      return;
    }
    end.body = body(name, at.component);
    end.part = part_of(end.body);
    end.variable = force(name, end.body, at.variable);
  }

  BodyId body(const std::string& name, std::string_view owner) const {
    const BodyGraph& graph = *a_.graph;
    std::vector<std::string> known(names_.begin(), names_.end());
    if (graph.named()) {
      for (std::size_t b = 0; b < graph.bodies(); ++b) {
        known.push_back(graph.label(BodyId{b}));
        if (known.back() == owner) return BodyId{b};
      }
    } else {
      std::size_t number = 0;
      const auto [end, error] = std::from_chars(owner.data(), owner.data() + owner.size(), number);
      const bool whole = error == std::errc{} && end == owner.data() + owner.size();
      if (whole && 1 <= number && number <= graph.bodies()) return BodyId{number - 1};
      if (whole)
        refuse(name, "there is no such body",
               fmt::format("bodies are numbered from 1 to {}", graph.bodies()));
    }
    const std::vector<std::string_view> candidates(known.begin(), known.end());
    const std::string_view best = nearest(owner, candidates);
    refuse(name, "there is no subsystem and no body of that name",
           best.empty() ? "name a subsystem or a body" : fmt::format("did you mean {}?", best));
  }

  PartId part_of(BodyId body) const {
    for (std::size_t p = 0; p < a_.partition.parts.size(); ++p) {
      const auto& bodies = a_.partition.parts[p].bodies;
      if (std::find(bodies.begin(), bodies.end(), body) != bodies.end()) return PartId{p};
    }
    COSIMO_CHECK(false, "a body of no part");
  }

  std::size_t coordinate(const std::string& name, BodyId body, std::string_view variable) const {
    std::vector<std::string> known;
    for (std::size_t k = 0; k < a_.graph->coordinates(body); ++k)
      known.push_back(a_.graph->coordinate(body, k));
    return place_among(known, variable, name, "coordinate");
  }

  std::size_t force(const std::string& name, BodyId body, std::string_view variable) const {
    std::vector<std::string> known;
    for (std::size_t k = 0; k < a_.graph->freedoms(body); ++k) known.push_back(a_.graph->force(body, k));
    return place_among(known, variable, name, "input");
  }

  std::size_t place_among(const std::vector<std::string>& known, std::string_view variable,
                          const std::string& name, const char* what) const {
    const auto found = std::find(known.begin(), known.end(), variable);
    if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
    refuse(name, fmt::format("the body has no {} of that name", what),
           fmt::format("write {}", fmt::join(known, ", ")));
  }

  void require_free(const CutEnd& to) const {
    if (to.body.valid() || !is_connected(to.part, to.variable)) return;
    refuse(link_->to, "two signals go to this input", "leave one out");
  }

  const Wiring& wiring_;
  double end_;
  Assembly& a_;
  std::vector<std::string_view> names_;
  const Wiring::Link* link_ = nullptr;
};

/// Where the file names a subsystem, for errors of those who do not know the file.
[[noreturn]] void rethrow_at(const config::SubsystemSpec& spec, const config::Scenario& scenario,
                             const Error& error) {
  std::vector<Fault> faults = error.faults();
  for (Fault& fault : faults) {
    if (!fault.file.empty()) continue;
    fault.file =
        scenario.sources.empty() ? "" : scenario.sources[static_cast<std::size_t>(spec.place.source)];
    fault.line = spec.place.line;
    fault.column = spec.place.column;
  }
  throw Error(std::move(faults));
}

/// The entry of a subsystem, and the key of it that is meant.
WrittenAt written_at(const config::Scenario& scenario, const config::SubsystemSpec& spec,
                     std::string_view key) {
  std::string field = fmt::format("subsystems.{}.{}", 1 + (&spec - scenario.subsystems.data()), key);
  if (scenario.sources.empty()) return {.field = std::move(field)};
  return {scenario.sources[static_cast<std::size_t>(spec.place.source)], spec.place.line, spec.place.column,
          std::move(field)};
}

/// Nobody but the scenario knows where this name comes from.
void require_file(const WrittenAt& at, const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored) || !split_at_file(file).inside.empty()) return;
  throw Error(Fault{.file = at.file,
                    .line = at.line,
                    .column = at.column,
                    .field = at.field,
                    .value = file,
                    .problem = "there is no such file",
                    .remedy = "check the name; it counts from the folder of the scenario"});
}

std::unique_ptr<ComponentSpec> open_fmu(const config::SubsystemSpec& spec, const config::Fmu& fmu,
                                        const config::Scenario& scenario, const IntegratorOptions& options) {
  require_file(written_at(scenario, spec, "fmu"), fmu.file);
  FmuSettings settings{.file = fmu.file};
  if (fmu.interface)
    settings.use = *fmu.interface == config::FmuInterface::cosimulation ? fmi::Use::cosimulation
                                                                        : fmi::Use::model_exchange;
  for (const config::Fmu::Value& value : fmu.set)
    settings.set.push_back({value.name, value.value, written_at(scenario, spec, "set." + value.name)});
  settings.substeps = static_cast<int>(fmu.substeps);
  settings.isolate = fmu.isolate;
  settings.time_limit = fmu.time_limit;
  try {
    return make_fmu(spec.name, settings, options);
  } catch (const Error& error) {
    rethrow_at(spec, scenario, error);
  }
}

/// Some components can be there once only.
void require_single(const Wiring& wiring) {
  std::map<std::string, std::string> first;
  for (const auto& spec : wiring.components) {
    const std::string key = spec->only_once();
    if (key.empty()) continue;
    const auto [found, added] = first.emplace(key, spec->name());
    if (added) continue;
    throw Error(
        Fault{.field = "subsystems",
              .value = spec->name(),
              .problem = fmt::format("it is the same FMU as {}, which can be there only once in a process "
                                     "(canBeInstantiatedOnlyOncePerProcess)",
                                     found->second),
              .remedy = "leave one of them out, or export the model again without that limit"});
  }
}

/// Outputs that nobody takes and that are to be recorded go to the results.
void record_rest(Wiring& wiring) {
  std::set<std::string> taken;
  for (const Wiring::Link& link : wiring.links) taken.insert(link.from);
  std::vector<std::string> rest;
  for (const auto& spec : wiring.components)
    for (const SignalPort& output : spec->outputs())
      if (const std::string name = spec->name() + "." + output.name; spec->records() && !taken.contains(name))
        rest.push_back(name);
  if (rest.empty()) return;
  wiring.components.push_back(make_sink(std::string(results_name), rest));
  for (const std::string& name : rest)
    wiring.links.push_back({.from = name, .to = std::string(results_name) + "." + name, .label = name});
}

/// What counts as an ordinary value of an output; zero: not known.
double nominal_of(const Wiring& wiring, const std::string& output) {
  for (const auto& spec : wiring.components)
    if (output.starts_with(spec->name() + "."))
      for (const SignalPort& port : spec->outputs())
        if (output.size() == spec->name().size() + 1 + port.name.size() && output.ends_with(port.name))
          return port.nominal;
  return 0;
}

/// Connections from sensors begin at a component that makes them of the coordinates of bodies.
void add_sensors(const config::Scenario& scenario, Wiring& wiring) {
  std::set<std::string> used;
  for (const Wiring::Link& link : wiring.links)
    if (is_sensor(scenario, link.from)) used.insert(link.from);
  if (used.empty()) return;
  const SensorSignals sensors = sensor_signals(scenario, used);
  const std::string prefix = sensors.component->name() + ".";
  for (Wiring::Link& link : wiring.links) {
    if (!used.contains(link.from)) continue;
    if (link.label.empty()) link.label = link.from + " -> " + link.to;
    link.from = prefix + link.from;
  }
  for (std::size_t i = 0; i < sensors.sources.size(); ++i)
    wiring.links.push_back({.from = sensors.sources[i],
                            .to = prefix + sensors.component->inputs()[i].name,
                            .label = sensors.sources[i]});
  wiring.components.push_back(sensors.component);
}

/// Signals with a factor or an offset go through a component that all of them share.
void add_links(const config::Scenario& scenario, Wiring& wiring) {
  std::vector<Scaled> scaled;
  for (const config::Connection& link : scenario.connections) {
    const std::string file =
        scenario.sources.empty() ? "" : scenario.sources[static_cast<std::size_t>(link.place.source)];
    Wiring::Link added{link.from, link.to, file, link.place.line, link.place.column, {}};
    if (link.factor != 1 || link.offset != 0) {
      const double ordinary = is_sensor(scenario, link.from) ? sensor_nominal : nominal_of(wiring, link.from);
      const double nominal = std::min(std::fabs(link.factor) * ordinary, not_judged);
      scaled.push_back({link.to, link.factor, link.offset, nominal});
      Wiring::Link first = added;
      first.to = fmt::format("{}.{}", scaling_name, link.to);
      first.label = link.from;
      wiring.links.push_back(first);
      added.from = first.to;
      added.label = fmt::format("{} {} + {} -> {}", link.factor, link.from, link.offset, link.to);
    }
    wiring.links.push_back(std::move(added));
  }
  if (!scaled.empty())
    wiring.components.push_back(make_scaling(std::string(scaling_name), std::move(scaled)));
}

}  // namespace

Wiring wiring_of(const config::Scenario& scenario, const IntegratorOptions& options, const Wiring& besides) {
  Wiring wiring = besides;
  wiring.outer = std::make_shared<OuterInputs>();
  IntegratorOptions own = options;  // components with states alone: what is chosen for bodies need not suit
  if (own.method == Method::radau) own.method = Method::automatic;
  own.linear = Linear::automatic;
  const std::vector<std::string> time{"t"};
  for (const config::SubsystemSpec& spec : scenario.subsystems)
    wiring.components.push_back(std::visit(
        [&]<class Kind>(const Kind& kind) -> std::shared_ptr<const ComponentSpec> {
          if constexpr (std::is_same_v<Kind, config::Pid>)
            return make_pid(spec.name, {kind.kp, kind.ki, kind.kd, kind.filter},
                            Expression(kind.reference, time, scenario.curves), scenario.curves, own);
          else if constexpr (std::is_same_v<Kind, config::Fmu>)
            return open_fmu(spec, kind, scenario, own);
          else if constexpr (std::is_same_v<Kind, config::Input>) {
            wiring.outer->add(spec.name, kind.start);
            return make_source(wiring.outer, wiring.outer->inputs.size() - 1);
          } else
            return make_lag(spec.name, kind.time_constant, kind.gain, kind.initial, own);
        },
        spec.kind));
  add_links(scenario, wiring);
  add_sensors(scenario, wiring);
  require_single(wiring);
  record_rest(wiring);
  return wiring;
}

void connect(const Wiring& wiring, double end, Assembly& a) {
  a.interface = a.partition.interface;
  Connector connector(wiring, end, a);
  for (const Wiring::Link& link : wiring.links) connector.connect(link);
  connector.require_complete();
  connector.find_transfers();
}

std::vector<ClassicScheme::Known> outer_variables(const Assembly& a, const CouplingVariables& variables) {
  const auto& outer = a.wiring.outer->inputs;
  std::vector<ClassicScheme::Known> known;
  for (std::size_t c = 0; c < a.local.couplings.size() && !outer.empty(); ++c) {
    const std::size_t from = a.interface.couplings[a.local.couplings[c].index()].from.part.index();
    if (from < a.partition.parts.size()) continue;
    const std::string& name = a.wiring.components[from - a.partition.parts.size()]->name();
    for (std::size_t input = 0; input < outer.size(); ++input)
      if (outer[input].name == name) known.push_back({variables.driving(CouplingId{c}, CutSide::to), input});
  }
  return known;
}

std::string coupling_name(const Assembly& a, CouplingId coupling) {
  const std::size_t cuts = a.partition.interface.couplings.size();
  if (coupling.index() >= cuts) return a.signals[coupling.index() - cuts];
  return a.graph->cut_name(a.partition.interface.couplings[coupling.index()].element);
}

}  // namespace cosimo
