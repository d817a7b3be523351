#include "exporting/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/archive.hpp"
#include "core/error.hpp"
#include "core/seal.hpp"

namespace cosimo::exporting {

namespace {

/// Instants that differ by less, relative to a step, are the same.
constexpr double same_time = 1e-9;

[[noreturn]] void refuse(std::string field, std::string value, std::string problem, std::string remedy) {
  throw Error(Fault{.field = std::move(field),
                    .value = std::move(value),
                    .problem = std::move(problem),
                    .remedy = std::move(remedy)});
}

void describe(Archive& a, std::string& token, State& state) {
  a.section("FMU");
  a(token, state.phase, state.experiment.tolerance, state.experiment.stop, state.values, state.derivatives,
    state.touched, state.simulation);
}

}  // namespace

std::vector<std::byte> State::bytes(const std::string& token) const {
  Archive out;
  std::string whose = token;
  State copy = *this;
  describe(out, whose, copy);
  return sealed(out.take());
}

State State::of_bytes(std::span<const std::byte> bytes, const std::string& token) {
  State state;
  try {
    Archive in(unsealed(bytes));
    std::string whose;
    describe(in, whose, state);
    in.finish();
    if (whose == token && state.phase <= Phase::ended) return state;
  } catch (const ArchiveError&) {
    // The bytes are no state at all: the same message.
  }
  refuse("state", fmt::format("{} bytes", bytes.size()), "is not one of this FMU",
         "give the bytes that it has serialised");
}

Instance::Instance(Manifest manifest, std::filesystem::path resources, Notice notice)
    : manifest_(std::move(manifest)), resources_(std::move(resources)), notice_(std::move(notice)) {
  reset();
}

const Variable& Instance::variable(std::uint32_t reference) const {
  if (reference >= manifest_.variables.size())
    refuse("value reference", std::to_string(reference), "there is no such variable",
           "take the references of modelDescription.xml");
  return manifest_.variables[reference];
}

void Instance::reset() {
  simulation_.reset();
  phase_ = Phase::made;
  experiment_ = {};
  failed_ = false;
  const std::size_t count = manifest_.variables.size();
  values_.resize(count);
  for (std::size_t i = 0; i < count; ++i) values_[i] = manifest_.variables[i].start;
  derivatives_.assign(count, {});
  touched_.assign(count, Touch::no);
}

void Instance::begin(const Experiment& experiment) {
  experiment_ = experiment;
  // An importer that knows no end says infinity.
  if (experiment_.stop && !std::isfinite(*experiment_.stop)) experiment_.stop.reset();
  simulation_.reset();
  phase_ = Phase::beginning;
  simulation();
}

void Instance::start() {
  simulation();
  hand_over();
  phase_ = Phase::running;
}

void Instance::end() {
  phase_ = Phase::ended;
}

Simulation& Instance::simulation() {
  if (simulation_) return *simulation_;
  std::vector<std::string> settings = manifest_.settings;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (const Variable& each = manifest_.variables[i];
        each.causality == Causality::parameter && values_[i] != each.start)
      settings.push_back(fmt::format("{}={}", each.key, values_[i]));
  // The tolerance of the file is what the description offers: who passes it on changes nothing.
  if (const auto& wanted = experiment_.tolerance; wanted && *wanted != manifest_.tolerance) {
    settings.push_back(fmt::format("solve.rtol={}", *wanted));
    if (manifest_.control > 0)
      settings.push_back(
          fmt::format("control.rtol={}", std::min(0.1, manifest_.control * (*wanted / manifest_.tolerance))));
  }
  RunOptions options;
  options.threads = manifest_.threads;
  options.open_end = true;
  options.notice = notice_;
  simulation_.emplace(Scenario::load(resources_ / manifest_.scenario, settings), std::move(options));
  places_.assign(values_.size(), 0);
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (const Variable& each = manifest_.variables[i];
        each.causality == Causality::input || each.causality == Causality::output)
      places_[i] = simulation_->index(each.name);
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (manifest_.variables[i].causality == Causality::input &&
        (values_[i] != manifest_.variables[i].start || !derivatives_[i].empty()))
      touched_[i] = Touch::set;
  return *simulation_;
}

/// Inputs that were set, with what is known of their course.
void Instance::hand_over() {
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    if (touched_[i] != Touch::set) continue;
    touched_[i] = Touch::handed_over;
    std::vector<double> course{values_[i]};
    course.insert(course.end(), derivatives_[i].begin(), derivatives_[i].end());
    simulation_->set_course(places_[i], course);
  }
}

double Instance::get(std::uint32_t reference) {
  const Variable& asked = variable(reference);
  if (asked.causality == Causality::parameter) return values_[reference];
  if (asked.causality == Causality::input && (touched_[reference] == Touch::set || !simulation_))
    return values_[reference];
  if (phase_ == Phase::made) return asked.start;
  if (asked.causality == Causality::independent) return time();
  Simulation& run = simulation();
  if (!failed_) hand_over();
  return run.get(places_[reference]);
}

void Instance::set(std::uint32_t reference, double value) {
  const Variable& asked = variable(reference);
  const auto wrong = [&](const char* problem, const char* remedy) {
    refuse("variable", fmt::format("{} = {}", asked.name, value), problem, remedy);
  };
  if (!std::isfinite(value)) wrong("that is no number", "set a finite value");
  if (asked.causality == Causality::parameter) {
    if (phase_ != Phase::made && phase_ != Phase::beginning)
      wrong("a parameter cannot change while the run goes on", "set it before the initialisation is left");
    if (values_[reference] != value) simulation_.reset();
    values_[reference] = value;
    return;
  }
  if (asked.causality != Causality::input)
    wrong("only inputs and parameters can be set", "set another variable");
  values_[reference] = value;
  derivatives_[reference].clear();
  touched_[reference] = Touch::set;
}

void Instance::set_derivative(std::uint32_t reference, int order, double value) {
  const Variable& asked = variable(reference);
  constexpr int highest = 6;
  if (asked.causality != Causality::input || order < 1 || order > highest || !std::isfinite(value))
    refuse("derivative", fmt::format("{} of order {}: {}", asked.name, order, value),
           "only inputs have derivatives, finite and of the orders 1 to 6", "leave it out");
  if (touched_[reference] == Touch::no && simulation_)
    values_[reference] = simulation_->get(places_[reference]);
  std::vector<double>& all = derivatives_[reference];
  all.resize(std::max(all.size(), static_cast<std::size_t>(order)));
  all[static_cast<std::size_t>(order) - 1] = value;
  touched_[reference] = Touch::set;
}

double Instance::rate(std::uint32_t reference) {
  const Variable& asked = variable(reference);
  Simulation& run = simulation();
  const std::size_t place = places_[reference];
  if (asked.causality != Causality::output || run.rate_of(place) == place)
    refuse("derivative", asked.name, "its rate is not known", "ask for the rates of coordinates alone");
  if (!failed_) hand_over();
  return run.get(run.rate_of(place));
}

Step Instance::step(double t, double size) {
  if (phase_ != Phase::running)
    refuse("step", fmt::format("at t = {}", t), "the FMU is not initialised", "initialise it");
  if (failed_)
    refuse("step", fmt::format("at t = {}", t), "the step before has failed",
           "set an earlier state, or reset");
  const double now = time();
  if (!(size > 0))
    refuse("communicationStepSize", fmt::format("{}", size), "is not positive", "give a positive one");
  if (!(std::fabs(t - now) <= same_time * (size + std::fabs(now))))
    refuse("currentCommunicationPoint", fmt::format("{}", t), fmt::format("the FMU is at t = {}", now),
           "go on from there, or set an earlier state");
  double until = t + size;
  if (experiment_.stop && until > *experiment_.stop) {
    // Importers add up their steps.
    if (until - *experiment_.stop > same_time * (size + std::fabs(*experiment_.stop)))
      refuse("communicationStepSize", fmt::format("{}", size),
             fmt::format("the step goes beyond the stop time {}", *experiment_.stop), "end there");
  }
  for (std::size_t i = 0; i < derivatives_.size(); ++i)
    if (touched_[i] == Touch::no && !derivatives_[i].empty()) {  // they were for one step
      derivatives_[i].clear();
      values_[i] = simulation_->get(places_[i]);
      touched_[i] = Touch::set;
    }
  hand_over();
  std::fill(touched_.begin(), touched_.end(), Touch::no);
  Simulation::Outcome outcome = simulation_->advance(std::max(until, now));
  failed_ = !outcome.ok;
  return {outcome.ok, outcome.time, std::move(outcome.reason)};
}

State Instance::save() {
  if (!manifest_.saves) refuse("state", "", "an FMU inside cannot save its state", "do without going back");
  if (failed_) refuse("state", "", "the step before has failed", "set an earlier state");
  if (simulation_) hand_over();
  State state{phase_, experiment_, values_, derivatives_, touched_, {}};
  if (simulation_) state.simulation = simulation_->save();
  return state;
}

void Instance::restore(const State& state) {
  const std::size_t count = values_.size();
  const auto wrong = [](Touch touch) { return touch > Touch::handed_over; };
  if (state.values.size() != count || state.derivatives.size() != count || state.touched.size() != count ||
      std::ranges::any_of(state.touched, wrong))
    refuse("state", fmt::format("{} values", state.values.size()), "is not one of this FMU",
           "give the bytes that it has serialised");
  bool other =
      state.experiment.tolerance != experiment_.tolerance || state.experiment.stop != experiment_.stop;
  for (std::size_t i = 0; i < values_.size(); ++i)
    other =
        other || (manifest_.variables[i].causality == Causality::parameter && values_[i] != state.values[i]);
  if (other || state.simulation.empty()) simulation_.reset();
  experiment_ = state.experiment;
  values_ = state.values;
  derivatives_ = state.derivatives;
  phase_ = state.phase;
  failed_ = false;
  if (!state.simulation.empty()) simulation().restore(state.simulation);
  touched_ = state.touched;
}

}  // namespace cosimo::exporting
