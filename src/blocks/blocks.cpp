#include "blocks/blocks.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

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

/// States: the integral of the error, and the error as the filter of the derivative sees it.
class Pid final : public SignalSystem {
 public:
  Pid(const PidGains& gains, const Expression& wanted) : gains_(gains), wanted_(wanted) {}

  Extent extent() const override { return {.z = 2}; }
  bool evaluate(double t, const Whole& y, double* /*a*/, double* rate) const override {
    const double e = error(inputs_at(t));
    rate[0] = e;
    rate[1] = (e - y.z[1]) / gains_.filter;
    return true;
  }
  void state_tangent(double t, const Whole& /*y*/, StateTangent& out) const override {
    clear(out);
    put(out.z.z_z, 1, 1, -1 / gains_.filter);
    const double rate = error(rates_at(t));
    out.z_t[0] = rate;
    out.z_t[1] = rate / gains_.filter;
  }
  double output(std::size_t, double, const Whole& y, std::span<const double> in) const override {
    const double e = error(in);
    return gains_.kp * e + gains_.ki * y.z[0] + gains_.kd * (e - y.z[1]) / gains_.filter;
  }
  double unconnected(std::size_t input, double t) const override {
    return input == reference ? wanted_(std::array{t}) : 0.0;
  }
  double unconnected_rate(std::size_t input, double t) const override {
    return input == reference ? wanted_.along(std::array{t}, 0).first : 0.0;
  }

 private:
  static double error(std::span<const double> in) { return in[reference] - in[measured]; }

  PidGains gains_;
  Expression wanted_;
};

class PidSpec final : public SignalSpec {
 public:
  PidSpec(std::string name, const PidGains& gains, Expression wanted, const IntegratorOptions& options)
      : SignalSpec(std::move(name), {{.name = "measured", .required = true}, {.name = "reference"}},
                   {{.name = "out", .nominal = 0}}, options),
        gains_(gains),
        wanted_(std::move(wanted)) {}
  std::string kind() const override { return "pid"; }
  double gain(std::size_t, std::size_t) const override {
    return std::fabs(gains_.kp) + std::fabs(gains_.ki) * gains_.filter + std::fabs(gains_.kd) / gains_.filter;
  }
  bool feeds(std::size_t, std::size_t) const override { return gains_.kp != 0 || gains_.kd != 0; }
  std::unique_ptr<SignalSystem> make_system() const override {
    return std::make_unique<Pid>(gains_, wanted_);
  }
  std::vector<double> initial_states() const override { return {0, 0}; }

 private:
  PidGains gains_;
  Expression wanted_;
};

}  // namespace

std::unique_ptr<ComponentSpec> make_pid(std::string name, const PidGains& gains, const Expression& reference,
                                        const IntegratorOptions& options) {
  return std::make_unique<PidSpec>(std::move(name), gains, reference, options);
}

std::unique_ptr<ComponentSpec> make_lag(std::string name, double time_constant, double gain, double initial,
                                        const IntegratorOptions& options) {
  return std::make_unique<LagSpec>(std::move(name), time_constant, gain, initial, options);
}

}  // namespace cosimo
