#include "native/signal_component.hpp"

#include <algorithm>
#include <limits>

#include "native/lane.hpp"
#include "network/coupling_variables.hpp"

namespace cosimo {

namespace {

/// It refers to its spec, which must outlive it.
class SignalComponent final : public Component {
 public:
  SignalComponent(const SignalSpec& spec, const Interface& interface, PartId id,
                  const IntegratorOptions& options)
      : spec_(spec), ends_(signal_ends(interface, id)), options_(options) {
    for (const std::size_t input : ends_.input_number)
      for (const std::size_t output : ends_.output_number) feeds_ = feeds_ || spec.feeds(input, output);
  }

  std::span<const Port> ports() const override { return ends_.ports; }
  std::span<const std::size_t> inputs() const override { return ends_.variables; }
  bool feeds() const override { return feeds_; }
  bool cheap_snapshot() const override { return options_.method != Method::ida; }
  bool ends_early() const override { return spec_.ends_early(); }
  std::unique_ptr<Lane> make_lane() const override {
    auto system = spec_.make_system();
    system->connect(ends_, spec_.inputs().size());
    system->begin_at(spec_.initial_states(), spec_.initial_memory());
    return make_native_lane(std::move(system), options_, {.t = 0, .q = {}, .v = {}});
  }

 private:
  const SignalSpec& spec_;
  SignalEnds ends_;
  IntegratorOptions options_;
  bool feeds_ = false;
};

}  // namespace

SignalEnds signal_ends(const Interface& interface, PartId id) {
  SignalEnds ends;
  const CouplingVariables variables(interface);
  for (std::size_t c = 0; c < interface.couplings.size(); ++c) {
    const Coupling& coupling = interface.couplings[c];
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const CutEnd& end = side == CutSide::from ? coupling.from : coupling.to;
      if (end.part != id) continue;
      Port port{.coupling = CouplingId{c}, .side = side};
      port.input = ends.variables.size();
      port.output = ends.output_number.size();
      port.inputs = variables.driving_count(CouplingId{c}, side);
      port.outputs = end.coordinates;
      ends.ports.push_back(port);
      if (port.inputs > 0) {
        ends.variables.push_back(variables.driving(CouplingId{c}, side));
        ends.input_number.push_back(end.variable);
      } else {
        ends.output_number.push_back(end.variable);
      }
    }
  }
  return ends;
}

void SignalSystem::connect(const SignalEnds& ends, std::size_t inputs) {
  input_number_ = ends.input_number;
  output_number_ = ends.output_number;
  courses_.resize(input_number_.size());
  values_.resize(inputs);
  rates_.resize(inputs);
  connected_.resize(inputs);
  for (const std::size_t number : input_number_) connected_[number] = 1;
}

void SignalSystem::begin_at(std::vector<double> z, std::vector<double> s) {
  first_z_ = std::move(z);
  first_s_ = std::move(s);
}

void SignalSystem::begin(const double* /*q*/, const double* /*v*/, double* z, double* s) const {
  std::copy(first_z_.begin(), first_z_.end(), z);
  std::copy(first_s_.begin(), first_s_.end(), s);
}

void SignalSystem::drive(std::span<const Polynomial> inputs) {
  courses_.assign(inputs.begin(), inputs.end());
}

std::span<const double> SignalSystem::inputs_at(double t) const {
  for (std::size_t k = 0; k < courses_.size(); ++k) values_[input_number_[k]] = courses_[k](t);
  return values_;
}

std::span<const double> SignalSystem::rates_at(double t) const {
  for (std::size_t k = 0; k < courses_.size(); ++k) rates_[input_number_[k]] = courses_[k].rate(t);
  return rates_;
}

void SignalSystem::outputs(double t, const Whole& state, std::span<const double> inputs,
                           std::span<PortState> y) const {
  for (std::size_t k = 0; k < inputs.size(); ++k) values_[input_number_[k]] = inputs[k];
  for (std::size_t o = 0; o < output_number_.size(); ++o)
    y[o] = {output(output_number_[o], t, state, values_), 0};
}

double SignalSystem::next_breakpoint(double /*t*/) const {
  return std::numeric_limits<double>::infinity();
}

std::unique_ptr<Component> SignalSpec::make(const Interface& interface, PartId id) const {
  return std::make_unique<SignalComponent>(*this, interface, id, options_);
}

}  // namespace cosimo
