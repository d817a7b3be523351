#include "cosimo/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/archive.hpp"
#include "multibody/derived_outputs.hpp"
#include "multibody/setting.hpp"
#include "simulation/execute.hpp"
#include "simulation/name_places.hpp"
#include "simulation/rows.hpp"

namespace cosimo {

struct Simulation::Impl {
  Impl(Scenario&& from, RunOptions&& wanted)
      : scenario(std::move(from)),
        options(std::move(wanted)),
        engine(std::in_place, scenario.data(), options) {
    const Assembly& a = engine->assembly();
    derived = derived_outputs(a);
    position.resize(a.collected.size());
    velocity.resize(a.collected.size());
    name_variables(results_layout(a));
  }

  void name_variables(const ResultsLayout& layout) {
    names = row_names(layout);
    first_input = names.size();
    for (const OuterInputs::Input& input : engine->assembly().wiring.outer->inputs)
      names.push_back(input.name);
    places.emplace(names);
    const Model& model = *engine->assembly().model;
    std::int64_t last = 0;
    for (const std::int64_t label : layout.bodies) {  // of derived outputs one entry per column
      if (std::exchange(last, label) == label) continue;
      const Range own = model.coordinates(BodyId(static_cast<std::size_t>(label - 1)));
      for (std::size_t i = own.first; i < own.last; ++i) coordinates.push_back(i);
    }
  }

  const std::vector<double>& now() {
    if (known) return values;
    require_running("be asked for values");
    engine->state(position, velocity);
    std::span<const double> q = position, v = velocity;
    if (derived) {
      derived->evaluate(engine->time(), q, v);
      q = derived->position();
      v = derived->velocity();
    }
    values.assign(q.begin(), q.end());
    values.insert(values.end(), v.begin(), v.end());
    if (derived)
      for (const DerivedOutputs::Table& table : derived->tables())
        values.insert(values.end(), table.row.begin(), table.row.end());
    const std::size_t outputs = engine->assembly().outputs.size();
    values.resize(values.size() + outputs);
    engine->outputs(std::span(values).last(outputs));
    for (const OuterInputs::Input& input : engine->assembly().wiring.outer->inputs)
      values.push_back(input.course(engine->time()));
    known = true;
    return values;
  }

  std::size_t place(std::string_view name) const { return places->place(name); }

  /// Turns of joints are counted from step to step.
  void follow() {
    if (!derived) return;
    engine->state(position, velocity);
    derived->follow(engine->time(), position, velocity);
  }

  /// What the results depend on beside the engine, behind it.
  std::vector<std::byte> counted() {
    Archive out;
    if (derived) derived->archive(out);
    return out.take();
  }

  void require_running(const char* what) const {
    if (report)
      throw Error(Fault{.problem = fmt::format("a simulation that has reported cannot {}", what),
                        .remedy = "make a new one"});
  }
  void require_memory() const {
    if (!options.output_dir.empty())
      throw Error(Fault{.field = "output_dir",
                        .value = options.output_dir.string(),
                        .problem = "results on disk are not taken back",
                        .remedy = "save and restore a simulation without an output folder"});
    if (options.trace || scenario.data().simulate.local_error)
      throw Error(Fault{.field = options.trace ? "trace" : "simulate.local_error",
                        .value = "true",
                        .problem = "traces and local errors are not part of a saved state",
                        .remedy = "save and restore a simulation without them"});
  }

  Scenario scenario;
  RunOptions options;
  std::optional<Engine> engine;
  std::unique_ptr<DerivedOutputs> derived;
  std::vector<std::string> names;
  std::optional<NamePlaces> places;
  std::vector<std::size_t> coordinates;  ///< of the model, per column of positions
  std::size_t first_input = 0;           ///< place of the first input
  std::vector<double> position, velocity, values;
  bool known = false;     ///< `values` are those of now
  bool followed = false;  ///< the first advance() has been
  bool failed = false;    ///< the last advance() did not get there
  std::optional<Report> report;
};

Simulation::Simulation(Scenario scenario, RunOptions options)
    : impl_(std::make_unique<Impl>(std::move(scenario), std::move(options))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

double Simulation::time() const {
  return impl_->engine->time();
}

double Simulation::end() const {
  if (impl_->options.open_end) return std::numeric_limits<double>::infinity();
  return impl_->scenario.data().simulate.end;
}

Simulation::Outcome Simulation::advance(double until) {
  impl_->require_running("go on");
  const auto refuse = [&](const char* problem, std::string remedy) {
    throw Error(Fault{.field = "until",
                      .value = fmt::format("{}", until),
                      .problem = problem,
                      .remedy = std::move(remedy)});
  };
  if (impl_->failed) refuse("the simulation has failed", "restore() a state, or ask for the report()");
  if (!(until >= time())) refuse("that lies behind", fmt::format("the simulation has reached {}", time()));
  if (!std::isfinite(until)) refuse("that is no instant", "give a finite time");
  if (until > end()) refuse("that lies beyond simulate.end", fmt::format("it is {}", end()));
  if (!std::exchange(impl_->followed, true)) impl_->follow();  // from where it begins
  impl_->known = false;
  const LoopResult& result = impl_->engine->advance(until);
  impl_->failed = result.status == LoopResult::Status::failed;
  if (!impl_->failed) impl_->follow();
  return {result.status == LoopResult::Status::ok, time(), result.reason};
}

const std::vector<std::string>& Simulation::variables() const {
  return impl_->names;
}

std::size_t Simulation::index(std::string_view name) const {
  return impl_->place(name);
}

double Simulation::get(std::string_view name) const {
  return get(impl_->place(name));
}

double Simulation::get(std::size_t variable) const {
  return impl_->now().at(variable);
}

void Simulation::set(std::string_view name, double value) {
  set(impl_->place(name), value);
}

void Simulation::set(std::size_t place, double value) {
  impl_->require_running("be set");
  impl_->require_memory();
  const std::string& name = impl_->names.at(place);
  const auto refuse = [&](const char* problem, const char* remedy) {
    throw Error(Fault{.field = "variable",
                      .value = fmt::format("{} = {}", name, value),
                      .problem = problem,
                      .remedy = remedy});
  };
  if (!std::isfinite(value)) refuse("that is no number", "set a finite value");
  if (is_input(place)) {
    impl_->engine->set_input(place - impl_->first_input, course_of(time(), {&value, 1}));
    impl_->known = false;
    return;
  }
  const std::size_t columns = impl_->coordinates.size();
  if (place >= 2 * columns) refuse("it follows from the motion", "set inputs, coordinates or their rates");
  const std::size_t coordinate = impl_->coordinates[place % columns];
  const Model& model = *impl_->engine->assembly().model;
  if (const std::string problem = obstacle_to_setting(model, coordinate); !problem.empty())
    refuse(problem.c_str(), "write the state into the scenario file");
  impl_->engine->set(coordinate, place >= columns, value);
  impl_->known = false;
}

void Simulation::set_course(std::size_t place, std::span<const double> derivatives) {
  impl_->require_running("be set");
  impl_->require_memory();
  const std::string& name = impl_->names.at(place);
  const auto refuse = [&](const char* problem, const char* remedy) {
    throw Error(Fault{.field = "variable", .value = name, .problem = problem, .remedy = remedy});
  };
  if (!is_input(place)) refuse("it is no input", "a course can be given to an input of the scenario");
  if (derivatives.empty() || derivatives.size() > max_degree + 1)
    refuse("a course is a value with at most six derivatives", "give fewer");
  for (const double each : derivatives)
    if (!std::isfinite(each)) refuse("a derivative is no number", "set finite values");
  impl_->engine->set_input(place - impl_->first_input, course_of(time(), derivatives));
  impl_->known = false;
}

void Simulation::set_course(std::string_view input, std::initializer_list<double> derivatives) {
  set_course(index(input), {derivatives.begin(), derivatives.size()});
}

bool Simulation::is_input(std::size_t variable) const {
  return variable >= impl_->first_input && variable < impl_->names.size();
}

std::size_t Simulation::rate_of(std::size_t variable) const {
  const std::size_t columns = impl_->coordinates.size();
  return variable < columns ? variable + columns : variable;
}

std::vector<double> Simulation::values() const {
  return impl_->now();
}

std::vector<std::byte> Simulation::save() const {
  impl_->require_running("be saved");
  impl_->require_memory();
  std::vector<std::byte> state = impl_->engine->save();
  const std::vector<std::byte> counted = impl_->counted();
  state.insert(state.end(), counted.begin(), counted.end());
  return state;
}

void Simulation::restore(const std::vector<std::byte>& state) {
  impl_->require_running("go back");
  impl_->require_memory();
  const std::size_t counted = impl_->counted().size();
  const auto middle = state.end() - static_cast<std::ptrdiff_t>(std::min(counted, state.size()));
  impl_->engine->restore({state.begin(), middle});
  if (impl_->derived) {
    Archive in({middle, state.end()});
    impl_->derived->archive(in);
  }
  impl_->known = impl_->failed = false;
}

const Report& Simulation::report() {
  if (!impl_->report) impl_->report = impl_->engine->finish();
  return *impl_->report;
}

}  // namespace cosimo
