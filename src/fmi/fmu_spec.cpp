#include "fmi/fmu_spec.hpp"

#include <fmt/format.h>

#include <utility>

#include "fmi/cosimulation.hpp"
#include "fmi/model_exchange.hpp"
#include "fmi/ports.hpp"
#include "fmi/prepared.hpp"

namespace cosimo {

namespace {

/// Of the outputs of an FMU; with more of them only those with a connection are.
constexpr std::size_t most_recorded = 1000;

class FmuSpec final : public ComponentSpec {
 public:
  FmuSpec(std::string name, const FmuSettings& settings, const IntegratorOptions& options)
      : prepared_(std::move(name), settings, options.end, options.tolerances.rtol, options.interrupt),
        ports_(fmi::find_ports(prepared_.description())),
        substeps_(settings.substeps),
        options_(options) {}

  const std::string& name() const override { return prepared_.name(); }
  std::string kind() const override { return "fmu"; }
  std::span<const SignalPort> inputs() const override { return ports_.inputs; }
  std::span<const SignalPort> outputs() const override { return ports_.outputs; }
  bool feeds(std::size_t input, std::size_t output) const override {
    return ports_.feeds(prepared_.description(), input, output);
  }
  bool ends_early() const override {
    const fmi::Abilities& can = prepared_.fmu().abilities();
    if (cosimulation()) return can.event_mode && can.get_set_state;
    const fmi::Exchange exchange = fmi::exchange_of(prepared_.description());
    return exchange.eventful && exchange.goes_back;
  }
  Capabilities capabilities() const override {
    const fmi::Abilities& can = prepared_.fmu().abilities();
    const bool goes_back =
        cosimulation() ? can.get_set_state : fmi::exchange_of(prepared_.description()).goes_back;
    return {.goes_back = goes_back,
            .any_step = !cosimulation() || can.variable_step,
            .archives = !needs_saving() || (can.get_set_state && can.serialize)};
  }
  bool records() const override { return ports_.outputs.size() <= most_recorded; }
  std::string only_once() const override {
    const bool shared = prepared_.fmu().abilities().once_per_process && !prepared_.isolated();
    return shared ? prepared_.description().token : "";
  }

  std::unique_ptr<Component> make(const Interface& interface, PartId id) const override {
    SignalEnds ends = signal_ends(interface, id);
    return cosimulation() ? make_cosimulation(prepared_, ports_, std::move(ends), substeps_)
                          : make_model_exchange(prepared_, ports_, std::move(ends), options_);
  }

 private:
  bool cosimulation() const { return prepared_.fmu().use == fmi::Use::cosimulation; }
  bool needs_saving() const { return cosimulation() || fmi::exchange_of(prepared_.description()).eventful; }

  fmi::Prepared prepared_;
  fmi::Ports ports_;
  int substeps_;
  IntegratorOptions options_;
};

}  // namespace

std::unique_ptr<ComponentSpec> make_fmu(std::string name, const FmuSettings& settings,
                                        const IntegratorOptions& options) {
  return std::make_unique<FmuSpec>(std::move(name), settings, options);
}

}  // namespace cosimo
