// A lane without a state: whatever is asked of it is there at once.
#pragma once

#include <memory>
#include <span>

#include "network/component.hpp"

namespace cosimo {

class StatelessLane : public Lane {
 public:
  StepResult advance(const Window& window, std::span<const Polynomial>, const Samples&, Response*) override {
    return {StepStatus::ok, window.end, {}};
  }
  void outputs(double, std::span<const double>, std::span<PortState>) const override {}
  std::span<const double> position() const final { return {}; }
  std::span<const double> velocity() const final { return {}; }
  void set_state(double, std::span<const double>, std::span<const double>, std::span<const double>) final {}
  std::unique_ptr<Snapshot> make_snapshot() const final { return std::make_unique<Snapshot>(); }
  void save(Snapshot&) const final {}
  void restore(const Snapshot&) final {}
  void archive(Archive&) final {}
  SolverStatus status() const final {
    SolverStatus status;
    status.method = "none";
    return status;
  }
  double work() const final { return 0; }
};

}  // namespace cosimo
