#include "subsystem/part_equations.hpp"

#include <vector>

#include "core/check.hpp"
#include "model/equations.hpp"
#include "subsystem/driven_part.hpp"
#include "subsystem/mechanism_equations.hpp"
#include "subsystem/pendulum_part.hpp"
#include "subsystem/series_response.hpp"
#include "subsystem/variational_step.hpp"

namespace cosimo {

namespace {

class DrivenScalarPart final : public DrivenSystem {
 public:
  DrivenScalarPart(const Equations& equations, std::span<const CutPort> ports)
      : part_(equations, ports), ports_(ports), series_(part_, ports), dofs_(cosimo::output_dofs(ports)) {}

  const System& system() const override { return part_; }
  void drive(std::span<const Polynomial> inputs) override { part_.drive(inputs); }
  std::span<const std::int32_t> output_dofs() const override { return dofs_; }
  bool accelerations(double t, const Whole& y, std::span<const double> values,
                     std::span<double> a) const override {
    return part_.accelerations(t, y.q, y.v, values, dofs_, a);
  }
  bool respond(const Window& window, const Start& start, Response& response) override {
    if (response.method == ResponseMethod::series) {
      series_.compute(window, start.q, start.v, response);
      return true;
    }
    COSIMO_CHECK(response.method == ResponseMethod::rk, "a response that is found before the step");
    if (!variational_) variational_ = std::make_unique<VariationalStep>(part_, ports_);
    return variational_->compute(window, start.states, response);
  }

 private:
  DrivenPart part_;
  std::span<const CutPort> ports_;
  SeriesResponse series_;
  std::unique_ptr<VariationalStep> variational_;
  std::vector<std::int32_t> dofs_;  ///< of the outputs
};

class ScalarEquations final : public PartEquations {
 public:
  ScalarEquations(const Model& model, const Part& part) : equations_(model, part) {}

  std::span<const double> initial_position() const override { return equations_.initial_position(); }
  std::span<const double> initial_velocity() const override { return equations_.initial_velocity(); }
  double next_breakpoint(double t) const override { return equations_.next_breakpoint(t); }
  std::unique_ptr<DrivenSystem> make_system(std::span<const CutPort> ports) const override {
    return std::make_unique<DrivenScalarPart>(equations_, ports);
  }

 private:
  Equations equations_;
};

}  // namespace

std::unique_ptr<PartEquations> make_part_equations(const Model& model, const Part& part,
                                                   const std::atomic<bool>* interrupt) {
  if (model.mechanism) return std::make_unique<MechanismEquations>(model, part);
  if (model.pendulum) return make_pendulum_equations(model, interrupt);
  return std::make_unique<ScalarEquations>(model, part);
}

}  // namespace cosimo
