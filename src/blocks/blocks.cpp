#include "blocks/blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "blocks/stateless_lane.hpp"
#include "native/signal_component.hpp"

namespace cosimo {

namespace {

void put(std::vector<SparseEntry>& entries, std::int32_t row, std::int32_t column, double value) {
  entries.push_back({row, column, value});
}

/// What a system with states alone has to say about its tangent.
void clear(StateTangent& out) {
  for (auto* block : {&out.M, &out.C, &out.K, &out.z.f_z, &out.z.z_x, &out.z.z_w, &out.z.z_z}) block->clear();
}

class Lag final : public SignalSystem {
 public:
  Lag(double time_constant, double gain) : time_constant_(time_constant), gain_(gain) {}

  Extent extent() const override { return {.z = 1}; }
  bool evaluate(double t, const Whole& y, double* /*a*/, double* rate) const override {
    rate[0] = (gain_ * inputs_at(t)[0] - y.z[0]) / time_constant_;
    return true;
  }
  void state_tangent(double t, const Whole& /*y*/, StateTangent& out) const override {
    clear(out);
    put(out.z.z_z, 0, 0, -1 / time_constant_);
    out.z_t[0] = gain_ * rates_at(t)[0] / time_constant_;
  }
  double output(std::size_t, double, const Whole& y, std::span<const double>) const override {
    return y.z[0];
  }

 private:
  double time_constant_, gain_;
};

class LagSpec final : public SignalSpec {
 public:
  LagSpec(std::string name, double time_constant, double gain, double initial,
          const IntegratorOptions& options)
      : SignalSpec(std::move(name), {{.name = "in", .required = true}}, {{.name = "out", .nominal = 0}},
                   options),
        time_constant_(time_constant),
        gain_(gain),
        initial_(initial) {}
  std::string kind() const override { return "lag"; }
  double gain(std::size_t, std::size_t) const override { return std::fabs(gain_); }
  std::unique_ptr<SignalSystem> make_system() const override {
    return std::make_unique<Lag>(time_constant_, gain_);
  }
  std::vector<double> initial_states() const override { return {initial_}; }

 private:
  double time_constant_, gain_, initial_;
};

enum PidInput : std::size_t { measured, reference };

/// The reference as a formula of time. Where it may jump (a step, a switch, a curve that begins at once), the
/// jump is an event: until it has happened the formula counts as it was before, from then on as it is after.
class Reference {
 public:
  Reference(const Expression& formula, std::span<const NamedCurve> curves) : formula_(formula) {
    const std::vector<std::string> time{"t"};
    for (const std::string& text : formula.switches()) switches_.emplace_back(text, time, curves);
    jumps_ = formula.breaks(Breaks::value).instants();
    breaks_ = formula.breaks(Breaks::slope);
  }

  std::size_t roots() const { return switches_.size() + jumps_.size(); }
  // `fired`: the instant of the last jump.
  void find_roots(double t, double fired, double* g) const {
    const double now = std::max(t, after(fired));
    for (const Expression& each : switches_) *g++ = each(std::array{now});
    for (const double jump : jumps_) *g++ = now - jump;
  }
  Jet at(double t, double fired) const {
    return formula_.along(std::array{std::max(before(t), after(fired))}, 0);
  }
  const Timetable& breaks() const { return breaks_; }
  /// As far as some instants tell.
  double largest(double end) const {
    constexpr int instants = 64;
    double most = 0;
    for (int k = 0; k <= instants; ++k) {
      const double value = std::fabs(formula_(std::array{end * k / instants}));
      if (std::isfinite(value)) most = std::max(most, value);
    }
    return most;
  }

 private:
  // Events are found to within rounding. Nothing comes before the start: a jump there has happened.
  static double after(double t) { return t + 1e-12 * std::fabs(t) + std::numeric_limits<double>::min(); }
  static double before(double t) { return t - 1e-12 * std::fabs(t); }

  Expression formula_;
  std::vector<Expression> switches_;
  std::vector<double> jumps_;
  Timetable breaks_;
};

/// States: the integral of the error, and the error as the filter of the derivative sees it. Memory: the
/// instant of the last jump of the reference.
class Pid final : public SignalSystem {
 public:
  Pid(const PidGains& gains, const Reference& wanted) : gains_(gains), wanted_(wanted) {}

  Extent extent() const override { return {.z = 2, .s = 1, .roots = wanted_.roots()}; }
  bool evaluate(double t, const Whole& y, double* /*a*/, double* rate) const override {
    const double e = error(t, y, inputs_at(t));
    rate[0] = e;
    rate[1] = (e - y.z[1]) / gains_.filter;
    return std::isfinite(e);
  }
  void state_tangent(double t, const Whole& y, StateTangent& out) const override {
    clear(out);
    put(out.z.z_z, 1, 1, -1 / gains_.filter);
    const auto rates = rates_at(t);
    const double wanted = connected(reference) ? rates[reference] : wanted_.at(t, y.s[0]).first;
    out.z_t[0] = wanted - rates[measured];
    out.z_t[1] = out.z_t[0] / gains_.filter;
  }
  double output(std::size_t, double t, const Whole& y, std::span<const double> in) const override {
    const double e = error(t, y, in);
    return gains_.kp * e + gains_.ki * y.z[0] + gains_.kd * (e - y.z[1]) / gains_.filter;
  }
  void roots(double t, const Whole& y, double* g) const override { wanted_.find_roots(t, y.s[0], g); }
  Fired fire(double t, std::span<const std::int8_t>, Editable& y) const override {
    y.s[0] = t;
    return Fired::outputs;
  }
  double next_breakpoint(double t) const override { return wanted_.breaks().next(t); }
  double longest_step(double t) const override { return wanted_.breaks().longest_step(t); }

 private:
  double error(double t, const Whole& y, std::span<const double> in) const {
    return (connected(reference) ? in[reference] : wanted_.at(t, y.s[0]).value) - in[measured];
  }

  PidGains gains_;
  const Reference& wanted_;
};

class PidSpec final : public SignalSpec {
 public:
  PidSpec(std::string name, const PidGains& gains, const Expression& wanted,
          std::span<const NamedCurve> curves, const IntegratorOptions& options)
      : SignalSpec(std::move(name), {{.name = "measured", .required = true}, {.name = "reference"}},
                   {{.name = "out", .nominal = 0}}, options),
        gains_(gains),
        wanted_(wanted, curves) {}
  std::string kind() const override { return "pid"; }
  double gain(std::size_t, std::size_t) const override {
    return std::fabs(gains_.kp) + std::fabs(gains_.ki) * gains_.filter + std::fabs(gains_.kd) / gains_.filter;
  }
  bool feeds(std::size_t, std::size_t) const override { return gains_.kp != 0 || gains_.kd != 0; }
  bool ends_early() const override { return wanted_.roots() > 0; }
  /// What is measured is to become what is wanted.
  double expected(std::size_t input, double end) const override {
    return input == measured ? wanted_.largest(end) : 0;
  }
  std::unique_ptr<SignalSystem> make_system() const override {
    return std::make_unique<Pid>(gains_, wanted_);
  }
  std::vector<double> initial_states() const override { return {0, 0}; }
  std::vector<double> initial_memory() const override { return {0}; }

 private:
  PidGains gains_;
  Reference wanted_;
};

class Sink final : public Component {
 public:
  explicit Sink(SignalEnds ends) : ends_(std::move(ends)) {}
  std::span<const Port> ports() const override { return ends_.ports; }
  std::span<const std::size_t> inputs() const override { return ends_.variables; }
  bool cheap_snapshot() const override { return true; }
  std::unique_ptr<Lane> make_lane() const override { return std::make_unique<StatelessLane>(); }

 private:
  SignalEnds ends_;
};

class SinkSpec final : public ComponentSpec {
 public:
  SinkSpec(std::string name, std::span<const std::string> inputs) : name_(std::move(name)) {
    for (const std::string& each : inputs) inputs_.push_back({.name = each, .judged = false});
  }
  const std::string& name() const override { return name_; }
  std::string kind() const override { return "results"; }
  std::span<const SignalPort> inputs() const override { return inputs_; }
  std::span<const SignalPort> outputs() const override { return {}; }
  std::unique_ptr<Component> make(const Interface& interface, PartId id) const override {
    return std::make_unique<Sink>(signal_ends(interface, id));
  }

 private:
  std::string name_;
  std::vector<SignalPort> inputs_;
};

class ScalingLane final : public StatelessLane {
 public:
  ScalingLane(const SignalEnds& ends, std::span<const Scaled> signals)
      : ends_(ends), signals_(signals), courses_(ends.input_number.size()), values_(signals.size()) {}

  StepResult advance(const Window& window, std::span<const Polynomial> inputs, const Samples&,
                     Response*) override {
    courses_.assign(inputs.begin(), inputs.end());
    return {StepStatus::ok, window.end, {}};
  }
  void outputs(double t, std::span<const double> inputs, std::span<PortState> y) const override {
    for (std::size_t k = 0; k < courses_.size(); ++k)
      values_[ends_.input_number[k]] = inputs.empty() ? courses_[k](t) : inputs[k];
    for (std::size_t o = 0; o < y.size(); ++o) {
      const std::size_t k = ends_.output_number[o];
      y[o] = {signals_[k].factor * values_[k] + signals_[k].offset, 0};
    }
  }

 private:
  const SignalEnds& ends_;
  std::span<const Scaled> signals_;
  std::vector<Polynomial> courses_;
  mutable std::vector<double> values_;
};

class Scaling final : public Component {
 public:
  Scaling(SignalEnds ends, std::span<const Scaled> signals) : ends_(std::move(ends)), signals_(signals) {}
  std::span<const Port> ports() const override { return ends_.ports; }
  std::span<const std::size_t> inputs() const override { return ends_.variables; }
  bool feeds() const override { return true; }
  bool cheap_snapshot() const override { return true; }
  std::unique_ptr<Lane> make_lane() const override { return std::make_unique<ScalingLane>(ends_, signals_); }

 private:
  SignalEnds ends_;
  std::span<const Scaled> signals_;
};

class ScalingSpec final : public ComponentSpec {
 public:
  ScalingSpec(std::string name, std::vector<Scaled> signals)
      : name_(std::move(name)), signals_(std::move(signals)) {
    for (const Scaled& each : signals_) {
      inputs_.push_back({.name = each.name, .required = true});
      outputs_.push_back({.name = each.name, .nominal = each.nominal});
    }
  }
  const std::string& name() const override { return name_; }
  std::string kind() const override { return "scaling"; }
  std::span<const SignalPort> inputs() const override { return inputs_; }
  std::span<const SignalPort> outputs() const override { return outputs_; }
  bool feeds(std::size_t input, std::size_t output) const override { return input == output; }
  double gain(std::size_t input, std::size_t output) const override {
    return input == output ? std::fabs(signals_[input].factor) : 0;
  }
  std::unique_ptr<Component> make(const Interface& interface, PartId id) const override {
    return std::make_unique<Scaling>(signal_ends(interface, id), signals_);
  }

 private:
  std::string name_;
  std::vector<Scaled> signals_;
  std::vector<SignalPort> inputs_, outputs_;
};

}  // namespace

std::unique_ptr<ComponentSpec> make_scaling(std::string name, std::vector<Scaled> signals) {
  return std::make_unique<ScalingSpec>(std::move(name), std::move(signals));
}

std::unique_ptr<ComponentSpec> make_sink(std::string name, std::span<const std::string> inputs) {
  return std::make_unique<SinkSpec>(std::move(name), inputs);
}

std::unique_ptr<ComponentSpec> make_pid(std::string name, const PidGains& gains, const Expression& reference,
                                        std::span<const NamedCurve> curves,
                                        const IntegratorOptions& options) {
  return std::make_unique<PidSpec>(std::move(name), gains, reference, curves, options);
}

std::unique_ptr<ComponentSpec> make_lag(std::string name, double time_constant, double gain, double initial,
                                        const IntegratorOptions& options) {
  return std::make_unique<LagSpec>(std::move(name), time_constant, gain, initial, options);
}

}  // namespace cosimo
