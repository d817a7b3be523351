#include "fmi/cosimulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/checked_cast.hpp"
#include "core/error.hpp"
#include "fmi/input_orders.hpp"
#include "fmi/shared_instance.hpp"
#include "fmi/wires.hpp"

namespace cosimo::fmi {

namespace {

constexpr int most_events = 1000;    ///< rounds of events at one instant
constexpr int most_pieces = 10'000;  ///< early returns in one step

/// The mean of a polynomial between two instants.
double mean(const Polynomial& p, double from, double to) {
  const auto integral = [&](double t) {
    const double s = (t - p.origin) / p.scale;
    double r = 0;
    for (int j = p.degree; j >= 0; --j) r = (r + p.a[static_cast<std::size_t>(j)] / (j + 1)) * s;
    return r;
  };
  return p.degree == 0 ? p.a[0] : (integral(to) - integral(from)) * p.scale / (to - from);
}

/// Derivative number `order` of a polynomial.
double derivative(const Polynomial& p, int order, double t) {
  const double s = (t - p.origin) / p.scale;
  double r = 0, scale = 1;
  for (int j = p.degree; j >= order; --j) {
    double factor = 1;
    for (int k = 0; k < order; ++k) factor *= j - k;
    r = r * s + factor * p.a[static_cast<std::size_t>(j)];
  }
  for (int k = 0; k < order; ++k) scale *= p.scale;
  return r / scale;
}

struct Setup {
  const Prepared& prepared;
  Wires wires;
  int substeps;
  bool events;  ///< end a step early
  int orders;   ///< of derivatives of inputs that the FMU takes
};

struct LaneMemory final : Snapshot {
  explicit LaneMemory(std::shared_ptr<SharedInstance> shared) : state(std::move(shared)) {}
  SavedState state;
  bool begun = false;
  Counters counters;
};

class CoSimulationLane final : public Lane, public Tenant {
 public:
  CoSimulationLane(const Setup& setup, std::shared_ptr<SharedInstance> shared)
      : setup_(setup),
        shared_(std::move(shared)),
        parked_(shared_),
        input_(setup.wires.inputs.size()),
        output_(setup.wires.outputs.size()),
        before_(output_.size()) {
    shared_->join();
    const Turn turn = Turn::empty(*shared_, *this);
    turn->get(setup_.wires.inputs, input_);
  }
  ~CoSimulationLane() override {
    Turn::leave(*shared_, *this);
    shared_->part();
  }

  void move_out(Instance& instance) override {
    if (!abilities().get_set_state || instance.save(parked_.raw) != Result::ok) lost_ = true;
  }
  void move_in(Instance& instance) override {
    if (parked_.raw != nullptr && instance.restore(parked_.raw) != Result::ok) lost_ = true;
  }

  StepResult advance(const Window& window, std::span<const Polynomial> inputs, const Samples&,
                     Response*) override {
    courses_ = inputs;
    const Turn turn(*shared_, *this);
    event_ = false;
    // Of an instance that is dead the story is known.
    if (lost_) return {StepStatus::failed, window.begin, turn->dead() ? reason_ : lost_reason};
    if (!begun_ && !begin(*turn, window.begin)) return failed(*turn, Result::error, window.begin);
    return walk(*turn, window);
  }

  void outputs(double, std::span<const double> inputs, std::span<PortState> y) const override {
    auto& self = const_cast<CoSimulationLane&>(*this);  // what is asked for changes nothing that anybody sees
    const Turn turn(*shared_, self);
    bool ok = !lost_;
    if (setup_.wires.feeds && !inputs.empty()) {
      for (std::size_t k = 0; k < inputs.size(); ++k) input_[setup_.wires.input_place[k]] = inputs[k];
      ok = ok && turn->set(setup_.wires.inputs, input_) == Result::ok;
    }
    ok = ok && turn->get(setup_.wires.outputs, output_) == Result::ok;
    for (std::size_t o = 0; o < y.size(); ++o)
      y[o] = {ok ? output_[setup_.wires.output_place[o]] : std::numeric_limits<double>::quiet_NaN(), 0};
  }

  bool fire(bool decreed) override {
    const Turn turn(*shared_, *this);
    if (!setup_.events || !begun_ || (!decreed && !event_)) return false;
    event_ = false;
    turn->get(setup_.wires.outputs, before_);
    if (!settle_events(*turn)) {
      lost_ = true;
      return false;
    }
    turn->get(setup_.wires.outputs, output_);
    return output_ != before_;
  }

  std::span<const double> position() const override { return {}; }
  std::span<const double> velocity() const override { return {}; }
  void set_state(double, std::span<const double>, std::span<const double>, std::span<const double>) override {
  }

  std::unique_ptr<Snapshot> make_snapshot() const override { return std::make_unique<LaneMemory>(shared_); }
  void save(Snapshot& snapshot) const override {
    LaneMemory& to = checked_cast<LaneMemory>(snapshot);
    to.begun = begun_;
    to.counters = counters_;
    if (!abilities().get_set_state) return;
    auto& self = const_cast<CoSimulationLane&>(*this);
    const Turn turn(*shared_, self);
    if (turn->save(to.state.raw) != Result::ok) self.lost_ = true;
  }
  void restore(const Snapshot& snapshot) override {
    const LaneMemory& from = checked_cast<LaneMemory>(snapshot);
    const Turn turn = Turn::empty(*shared_, *this);
    begun_ = from.begun;
    counters_ = from.counters;
    event_ = false;
    lost_ = from.state.raw == nullptr || turn->restore(from.state.raw) != Result::ok;
  }

  void archive(Archive& a) override {
    a.section("FMU for co-simulation");
    a(begun_, counters_);
    std::vector<std::byte> bytes;
    SavedState state(shared_);
    if (a.loading()) {
      a(bytes);
      const Turn turn = Turn::empty(*shared_, *this);
      if (turn->read(bytes, state.raw) != Result::ok || turn->restore(state.raw) != Result::ok)
        throw ArchiveError("the FMU does not take the state that it once gave");
      return;
    }
    {
      const Turn turn(*shared_, *this);
      if (turn->save(state.raw) != Result::ok || turn->write(state.raw, bytes) != Result::ok)
        throw ArchiveError("the FMU does not give its state: " + turn->complaint());
    }
    a(bytes);
  }

  SolverStatus status() const override {
    SolverStatus status;
    status.counters = counters_;
    status.method = "fmu";
    return status;
  }
  double work() const override { return static_cast<double>(counters_.steps); }

 private:
  static constexpr std::string_view lost_reason =
      "the FMU cannot go back to where it was (canGetAndSetFMUState)";
  const Abilities& abilities() const { return setup_.prepared.fmu().abilities(); }

  /// The inputs at the start are part of the initialisation.
  bool begin(Instance& instance, double t) {
    set_values(t);
    if (instance.set(setup_.wires.inputs, input_) != Result::ok) return false;
    if (instance.exit_initialisation() != Result::ok) return false;
    begun_ = true;
    return !setup_.events || settle_rounds(instance);
  }

  bool settle_events(Instance& instance) {
    return instance.enter_events() == Result::ok && settle_rounds(instance);
  }
  bool settle_rounds(Instance& instance) {
    EventInfo info;
    bool again = true;
    for (int round = 0; again && round < most_events; ++round)
      if (instance.update_events(info, again) != Result::ok) return false;
    return !again && instance.resume() == Result::ok;
  }

  void set_values(double t) {
    for (std::size_t k = 0; k < courses_.size(); ++k) input_[setup_.wires.input_place[k]] = courses_[k](t);
  }
  /// Held inputs are those of the beginning of the macro step.
  void set_values(const Window& window, double from) {
    for (std::size_t k = 0; k < courses_.size(); ++k)
      input_[setup_.wires.input_place[k]] = courses_[k](setup_.wires.held[k] != 0 ? window.begin : from);
  }
  void set_means(const Window& window, double from, double to) {
    for (std::size_t k = 0; k < courses_.size(); ++k)
      input_[setup_.wires.input_place[k]] =
          setup_.wires.held[k] != 0 ? courses_[k](window.begin) : mean(courses_[k], from, to);
  }

  int highest_degree() const {
    int degree = 0;
    for (std::size_t k = 0; k < courses_.size(); ++k)
      if (setup_.wires.held[k] == 0) degree = std::max(degree, courses_[k].degree);
    return degree;
  }

  StepResult walk(Instance& instance, const Window& window) {
    const bool on_the_way = abilities().intermediate_update;
    const bool enough = on_the_way || highest_degree() <= setup_.orders;
    const int pieces = enough || !abilities().variable_step ? 1 : setup_.substeps;
    if (on_the_way) watch(instance, window);
    for (int piece = 0; piece < pieces; ++piece) {
      const double from = piece == 0 ? window.begin : at(window, piece, pieces);
      const double to = piece + 1 == pieces ? window.end : at(window, piece + 1, pieces);
      if (setup_.orders > 0 || on_the_way)
        set_values(window, from);
      else
        set_means(window, from, to);
      Result result = instance.set(setup_.wires.inputs, input_);
      if (result == Result::ok && setup_.orders > 0) result = set_derivatives(instance, from, to);
      if (result != Result::ok) return failed(instance, result, from);
      if (const StepResult end = step(instance, window, from, to); end.status != StepStatus::ok) return end;
    }
    return {StepStatus::ok, window.end, {}};
  }
  static double at(const Window& window, int piece, int pieces) {
    return window.begin + window.size() * piece / pieces;
  }

  void watch(Instance& instance, const Window& window) {
    instance.on_the_way = [this, &instance, window](double t) {
      for (std::size_t k = 0; k < courses_.size(); ++k)
        if (setup_.wires.held[k] == 0)
          input_[setup_.wires.input_place[k]] = courses_[k](std::min(t, window.end));
      instance.set(setup_.wires.inputs, input_);
    };
  }

  /// Where only the first order is taken, that of the chord.
  Result set_derivatives(Instance& instance, double from, double to) {
    references_.clear();
    orders_.clear();
    derivatives_.clear();
    for (std::size_t k = 0; k < courses_.size(); ++k) {
      if (setup_.wires.held[k] != 0) continue;
      const bool chord = courses_[k].degree > setup_.orders;
      for (int order = 1; order <= std::min(courses_[k].degree, setup_.orders); ++order) {
        references_.push_back(setup_.wires.input_reference[k]);
        orders_.push_back(order);
        derivatives_.push_back(chord ? (courses_[k](to) - courses_[k](from)) / (to - from)
                                     : derivative(courses_[k], order, from));
      }
    }
    if (references_.empty()) return Result::ok;
    return instance.set_input_derivatives(references_, orders_, derivatives_);
  }
  /// From one communication point to the next; the FMU may stop on the way.
  StepResult step(Instance& instance, const Window& window, double from, double to) {
    const double close = 1e-12 * (to - from) + 1e-15 * std::fabs(to);
    for (int piece = 0; from < to - close; ++piece) {
      if (piece == most_pieces) return {StepStatus::failed, from, "the FMU returns early again and again"};
      const Stepped done = instance.do_step(from, to - from, !abilities().get_set_state);
      ++counters_.steps;
      if (done.terminate) return told(from, "the FMU ends the simulation");
      if (done.result == Result::discard) {
        ++counters_.rejected;
        reason_ = "the FMU discards the step: " + instance.complaint();
        return {StepStatus::discard, done.reached, reason_};
      }
      if (done.result != Result::ok) return failed(instance, done.result, from);
      const bool there = done.reached >= to - close;
      if (done.event && setup_.events) {
        event_ = true;
        if (!there || to < window.end) {
          if (done.reached > from) return {StepStatus::early, done.reached, {}};
          // It is due right at the beginning.
          return {StepStatus::early, from, {}};
        }
      }
      if (!there && !(done.reached > from)) return told(from, "the FMU does not come any further");
      from = done.reached;
    }
    return {StepStatus::ok, to, {}};
  }

  StepResult told(double t, std::string reason) {
    reason_ = std::move(reason);
    return {StepStatus::failed, t, reason_};
  }
  StepResult failed(Instance& instance, Result result, double t) {
    if (result == Result::discard) {
      reason_ = "the FMU refuses a value: " + instance.complaint();
      return {StepStatus::discard, t, reason_};
    }
    return told(t, story_of(instance, result));
  }

  const Setup& setup_;
  std::shared_ptr<SharedInstance> shared_;
  SavedState parked_;
  std::span<const Polynomial> courses_;  ///< of the inputs, while the lane advances
  mutable std::vector<double> input_, output_;
  std::vector<double> before_;
  bool begun_ = false;
  bool event_ = false;  ///< is to be handled where the last step ended
  bool lost_ = false;   ///< its state is not known any more
  Counters counters_;
  std::string reason_;
  std::vector<std::uint32_t> references_;
  std::vector<int> orders_;
  std::vector<double> derivatives_;
};

class CoSimulationComponent final : public Component {
 public:
  CoSimulationComponent(const Prepared& prepared, const Ports& ports, SignalEnds ends, int substeps)
      : setup_{prepared, Wires(prepared.description(), ports, std::move(ends)), substeps, false, 0} {
    const Abilities& abilities = prepared.fmu().abilities();
    setup_.events = abilities.event_mode && abilities.get_set_state;
    if (abilities.interpolates_inputs) setup_.orders = input_orders(prepared, setup_.wires);
    first_ = fresh();
  }

  std::span<const Port> ports() const override { return setup_.wires.ends.ports; }
  std::span<const std::size_t> inputs() const override { return setup_.wires.ends.variables; }
  bool feeds() const override { return setup_.wires.feeds; }
  bool cheap_snapshot() const override { return false; }
  bool goes_back() const override { return setup_.prepared.fmu().abilities().get_set_state; }
  bool ends_early() const override { return setup_.events; }

  /// Lanes that live at the same time share the instance; when all are gone, the next begins anew.
  std::unique_ptr<Lane> make_lane() const override {
    std::shared_ptr<SharedInstance> shared = std::exchange(first_, nullptr);
    if (!shared) shared = living_.lock();
    if (!shared) shared = fresh();
    living_ = shared;
    return std::make_unique<CoSimulationLane>(setup_, std::move(shared));
  }

 private:
  std::shared_ptr<SharedInstance> fresh() const {
    return std::make_shared<SharedInstance>(setup_.prepared.begin());
  }

  Setup setup_;
  mutable std::shared_ptr<SharedInstance> first_;
  mutable std::weak_ptr<SharedInstance> living_;
};

}  // namespace

std::unique_ptr<Component> make_cosimulation(const Prepared& prepared, const Ports& ports, SignalEnds ends,
                                             int substeps) {
  return std::make_unique<CoSimulationComponent>(prepared, ports, std::move(ends), substeps);
}

}  // namespace cosimo::fmi
