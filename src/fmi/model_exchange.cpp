#include "fmi/model_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/checked_cast.hpp"
#include "core/error.hpp"
#include "fmi/exchange_system.hpp"
#include "native/lane.hpp"

namespace cosimo::fmi {

namespace {

constexpr int most_rounds_at_start = 1000;

struct ExchangeSnapshot final : Snapshot {
  std::unique_ptr<Snapshot> native;
  double number = 0;
  std::shared_ptr<SavedState> state;
};

/// The lane of an FMU with events: that of its equations, and the discrete state that goes with it.
class ExchangeLane final : public Lane {
 public:
  ExchangeLane(std::unique_ptr<Lane> native, ExchangeSystem& system)
      : native_(std::move(native)), system_(system) {}

  StepResult advance(const Window& window, std::span<const Polynomial> inputs, const Samples& samples,
                     Response* response) override {
    if (!system_.hold(window.begin, inputs))
      return {StepStatus::failed, window.begin,
              "a discrete input begins with another value than the FMU has: give it that one with `set`"};
    return native_->advance(window, inputs, samples, response);
  }
  void outputs(double t, std::span<const double> inputs, std::span<PortState> y) const override {
    native_->outputs(t, inputs, y);
  }
  std::span<const double> position() const override { return native_->position(); }
  std::span<const double> velocity() const override { return native_->velocity(); }
  std::span<const double> states() const override { return native_->states(); }
  std::span<const double> memory() const override { return native_->memory(); }
  bool fire(bool decreed) override { return native_->fire(decreed); }
  void set_state(double t, std::span<const double> q, std::span<const double> v,
                 std::span<const double> z) override {
    native_->set_state(t, q, v, z);
  }

  std::unique_ptr<Snapshot> make_snapshot() const override {
    auto snapshot = std::make_unique<ExchangeSnapshot>();
    snapshot->native = native_->make_snapshot();
    return snapshot;
  }
  void save(Snapshot& snapshot) const override {
    ExchangeSnapshot& to = checked_cast<ExchangeSnapshot>(snapshot);
    native_->save(*to.native);
    to.number = number();
    to.state = system_.find(to.number);
  }
  void restore(const Snapshot& snapshot) override {
    const ExchangeSnapshot& from = checked_cast<ExchangeSnapshot>(snapshot);
    native_->restore(*from.native);
    system_.adopt(from.number, from.state);
  }

  void archive(Archive& a) override {
    native_->archive(a);
    a.section("FMU for model exchange");
    std::vector<std::byte> bytes;
    if (a.loading()) {
      a(bytes);
      const Turn turn(system_.shared(), system_);
      const std::shared_ptr<SavedState> state = system_.blank();
      if (turn->read(bytes, state->raw) != Result::ok)
        throw ArchiveError("the FMU does not take the state that it once gave");
      system_.adopt(number(), state);
      return;
    }
    {
      const Turn turn(system_.shared(), system_);
      const std::shared_ptr<SavedState> state = system_.find(number());
      if (!state || turn->write(state->raw, bytes) != Result::ok)
        throw ArchiveError("the FMU does not give its state: " + turn->complaint());
    }
    a(bytes);
  }
  SolverStatus status() const override { return native_->status(); }
  double work() const override { return native_->work(); }

 private:
  double number() const { return native_->memory()[state_number]; }

  std::unique_ptr<Lane> native_;
  ExchangeSystem& system_;  ///< of native_
};

class ExchangeComponent final : public Component {
 public:
  ExchangeComponent(const Prepared& prepared, const Ports& ports, SignalEnds ends,
                    const IntegratorOptions& options)
      : setup_{.prepared = prepared,
               .ports = ports,
               .exchange = exchange_of(prepared.description()),
               .wires = Wires(prepared.description(), ports, std::move(ends))},
        options_(options) {
    options_.end_early = setup_.exchange.goes_back;
    find_references();
    first_ = fresh();
  }

  std::span<const Port> ports() const override { return setup_.wires.ends.ports; }
  std::span<const std::size_t> inputs() const override { return setup_.wires.ends.variables; }
  bool feeds() const override { return setup_.wires.feeds; }
  bool cheap_snapshot() const override { return !setup_.exchange.eventful && options_.method != Method::ida; }
  bool goes_back() const override { return setup_.exchange.goes_back; }
  bool ends_early() const override { return setup_.exchange.eventful && setup_.exchange.goes_back; }

  std::unique_ptr<Lane> make_lane() const override {
    Living living = std::exchange(first_, {});
    if (!living.shared) living = {living_shared_.lock(), living_initial_.lock()};
    if (!living.shared) living = fresh();
    living_shared_ = living.shared;
    living_initial_ = living.initial;
    auto system = std::make_unique<ExchangeSystem>(setup_, living.shared, living.initial);
    ExchangeSystem& equations = *system;
    system->connect(setup_.wires.ends, setup_.ports.inputs.size());
    system->begin_at(setup_.start, system->initial_memory());
    auto lane = make_native_lane(std::move(system), options_, {.t = 0, .q = {}, .v = {}});
    if (!setup_.exchange.eventful) return lane;
    return std::make_unique<ExchangeLane>(std::move(lane), equations);
  }

 private:
  struct Living {
    std::shared_ptr<SharedInstance> shared;
    std::shared_ptr<SavedState> initial;
  };

  /// Through the initialisation and the events at the start, to continuous time.
  Living fresh() const {
    const Prepared& prepared = setup_.prepared;
    std::unique_ptr<Instance> instance = prepared.begin();
    EventInfo info;
    bool again = true;
    Result result = instance->exit_initialisation();
    for (int round = 0; result == Result::ok && again && round < most_rounds_at_start; ++round)
      result = instance->update_events(info, again);
    if (result != Result::ok || again || info.terminate)
      prepared.refuse(*instance, info.terminate ? "the FMU ends the simulation at its start"
                                 : again && result == Result::ok
                                     ? "the events of the FMU at its start follow from each other without end"
                                     : "the FMU cannot be initialised");
    const std::size_t n = setup_.exchange.states;
    setup_.start.resize(n);
    setup_.nominals.assign(n, 1.0);
    setup_.next_time = info.next_time;
    if (instance->resume() != Result::ok || (n > 0 && instance->get_states(setup_.start) != Result::ok))
      prepared.refuse(*instance, "the FMU cannot be initialised");
    if (n > 0 && instance->nominals(setup_.nominals) != Result::ok) setup_.nominals.assign(n, 1.0);
    for (double& each : setup_.nominals) each = std::isfinite(each) && each != 0 ? std::fabs(each) : 1.0;
    if (!std::all_of(setup_.start.begin(), setup_.start.end(), [](double x) { return std::isfinite(x); }))
      prepared.refuse(*instance, "a state of the FMU is not a finite number at the start");
    if (std::isfinite(info.next_time) && !setup_.exchange.eventful)
      prepared.refuse(*instance, "the FMU announces events, but its description knows of none");
    Living living{std::make_shared<SharedInstance>(std::move(instance)), nullptr};
    if (setup_.exchange.eventful && setup_.exchange.goes_back) {
      living.initial = std::make_shared<SavedState>(living.shared);
      save_initial(living);
    }
    return living;
  }

  void save_initial(Living& living) const {
    struct Nobody final : Tenant {
      void move_out(Instance&) override {}
      void move_in(Instance&) override {}
    } nobody;
    {
      const Turn turn(*living.shared, nobody);
      if (turn->save(living.initial->raw) != Result::ok)
        setup_.prepared.refuse(*turn, "the FMU does not give its state, though it says that it can");
    }
    Turn::leave(*living.shared, nobody);
  }

  void find_references() {
    const Description& d = setup_.prepared.description();
    std::vector<std::size_t> column_of(d.variables.size(), none);
    bool scalar = true, known = true;
    for (std::size_t k = 0; k < d.derivatives.size(); ++k) {
      const std::size_t state = d.variables[d.derivatives[k].variable].derivative_of;
      column_of[state] = k;
      scalar = scalar && d.variables[state].elements == 1;
      known = known && d.derivatives[k].known;
      setup_.state_references.push_back(d.variables[state].reference);
      setup_.derivative_references.push_back(d.variables[d.derivatives[k].variable].reference);
    }
    if (!scalar) setup_.derivative_references.clear();
    if (!scalar || !known) return;
    for (const Unknown& each : d.derivatives) {
      auto& columns = setup_.depends.emplace_back();
      for (const std::size_t variable : each.dependencies)
        if (column_of[variable] != none) columns.push_back(column_of[variable]);
    }
  }

  mutable ExchangeSetup setup_;
  IntegratorOptions options_;
  mutable Living first_;
  mutable std::weak_ptr<SharedInstance> living_shared_;
  mutable std::weak_ptr<SavedState> living_initial_;
};

bool changes_with_events(const Variable& variable) {
  const bool moves = variable.causality == Causality::input || variable.causality == Causality::output ||
                     variable.causality == Causality::local;
  return moves && variable.variability == Variability::discrete;
}

}  // namespace

Exchange exchange_of(const Description& description) {
  Exchange out;
  for (const Unknown& each : description.derivatives)
    out.states += description.variables[each.variable].elements;
  out.indicators = description.event_indicators;
  out.eventful = out.indicators > 0 || description.model_exchange->completed_step ||
                 std::any_of(description.variables.begin(), description.variables.end(), changes_with_events);
  out.goes_back = description.model_exchange->get_set_state || !out.eventful;
  return out;
}

std::unique_ptr<Component> make_model_exchange(const Prepared& prepared, const Ports& ports, SignalEnds ends,
                                               const IntegratorOptions& options) {
  return std::make_unique<ExchangeComponent>(prepared, ports, std::move(ends), options);
}

}  // namespace cosimo::fmi
