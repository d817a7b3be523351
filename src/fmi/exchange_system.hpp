// The equations of an FMU for model exchange as a system of native/. Private to fmi/.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fmi/model_exchange.hpp"
#include "fmi/shared_instance.hpp"
#include "fmi/wires.hpp"

namespace cosimo::fmi {

/// The same for all lanes of a component.
struct ExchangeSetup {
  const Prepared& prepared;
  const Ports& ports;
  Exchange exchange;
  Wires wires;
  std::vector<double> start{}, nominals{};
  double next_time = 0;  ///< first time event
  std::vector<std::uint32_t> state_references{}, derivative_references{};
  /// Columns of the tangent that each rate depends on; empty: all of them on all.
  std::vector<std::vector<std::size_t>> depends{};
};

/// Places in s; behind them the inputs that are held, which change with events alone.
enum : std::size_t { state_number, next_event, asked, memory_size };
/// Values of `asked`.
inline constexpr double nothing = 0, step_event = 1, the_end = 2;

class ExchangeSystem final : public SignalSystem, public Tenant {
 public:
  ExchangeSystem(const ExchangeSetup& setup, std::shared_ptr<SharedInstance> shared,
                 std::shared_ptr<SavedState> initial);
  ~ExchangeSystem() override {
    Turn::leave(*shared_, *this);
    shared_->part();
  }

  Extent extent() const override;
  std::span<const double> nominals() const override { return setup_.nominals; }
  bool evaluate(double t, const Whole& y, double* a, double* rate) const override;
  void state_tangent(double t, const Whole& y, StateTangent& out) const override;
  void roots(double t, const Whole& y, double* g) const override;
  Fired fire(double t, std::span<const std::int8_t> crossed, Editable& y) const override;
  void commit(double t, const Whole& y, double* s) const override;
  double output(std::size_t number, double t, const Whole& y, std::span<const double> in) const override;
  void outputs(double t, const Whole& state, std::span<const double> inputs,
               std::span<PortState> y) const override;
  std::string_view complaint(double since) const override;

  /// At the beginning of a macro step: the inputs that are held until its end. Where they are others than
  /// before, an event is due. False at the start where the FMU was initialised with other ones: nothing has
  /// changed then that could be an event.
  [[nodiscard]] bool hold(double t, std::span<const Polynomial> inputs);
  /// s at the start.
  std::vector<double> initial_memory() const;

  /// The saved state of this number; null where there are none.
  std::shared_ptr<SavedState> find(double number) const;
  /// Only this one is left.
  void adopt(double number, std::shared_ptr<SavedState> state);
  SharedInstance& shared() const { return *shared_; }
  std::shared_ptr<SavedState> blank() const { return std::make_shared<SavedState>(shared_); }

  void move_out(Instance&) override {}
  void move_in(Instance&) override { current_ = nullptr; }

 private:
  struct Numbered {
    double number = 0;
    std::shared_ptr<SavedState> state;
  };
  bool keeps_states() const { return !states_.empty(); }
  /// The instance with this discrete state, at this time and with these states and inputs. False: it refuses.
  bool place(Instance& instance, double t, const Whole& y, std::span<const double> in) const;
  bool judge(Instance& instance, Result result) const;
  /// The discrete state as it is now, which followed from that of number `from`, gets a number of its own.
  bool keep(Instance& instance, double from, double& number) const;
  bool settle(Instance& instance, double t, Editable& y) const;
  bool cross(Instance& instance, double& t, std::span<const std::int8_t> crossed, Editable& y) const;
  bool fetch(double t, const Whole& y, std::span<const double> in) const;
  bool others_held(const double* s) const;

  const ExchangeSetup& setup_;
  std::shared_ptr<SharedInstance> shared_;
  mutable std::vector<Numbered> states_;
  mutable double last_number_ = 0;
  mutable std::shared_ptr<SavedState> current_;  ///< what the instance is in
  std::vector<std::size_t> held_;                ///< numbers of the connected inputs that are
  std::vector<double> wanted_, begun_with_;      ///< their values, now and at the start
  mutable std::vector<double> input_, output_, before_, rates_, moved_, z_, indicators_, given_;
  mutable std::string complaint_, told_;
};

}  // namespace cosimo::fmi
