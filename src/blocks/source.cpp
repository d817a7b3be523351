// Inputs from outside as components: an output each, which is where the course says.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "blocks/blocks.hpp"
#include "blocks/stateless_lane.hpp"
#include "native/signal_component.hpp"

namespace cosimo {

namespace {

class SourceLane final : public StatelessLane {
 public:
  SourceLane(std::shared_ptr<const OuterInputs> outer, std::size_t input)
      : outer_(std::move(outer)), input_(input) {}
  void outputs(double t, std::span<const double>, std::span<PortState> y) const override {
    std::fill(y.begin(), y.end(), PortState{outer_->inputs[input_].course(t), 0});
  }

 private:
  std::shared_ptr<const OuterInputs> outer_;
  std::size_t input_;
};

class Source final : public Component {
 public:
  Source(SignalEnds ends, std::shared_ptr<const OuterInputs> outer, std::size_t input)
      : ends_(std::move(ends)), outer_(std::move(outer)), input_(input) {}
  std::span<const Port> ports() const override { return ends_.ports; }
  std::span<const std::size_t> inputs() const override { return ends_.variables; }
  bool cheap_snapshot() const override { return true; }
  std::unique_ptr<Lane> make_lane() const override { return std::make_unique<SourceLane>(outer_, input_); }

 private:
  SignalEnds ends_;
  std::shared_ptr<const OuterInputs> outer_;
  std::size_t input_;
};

class SourceSpec final : public ComponentSpec {
 public:
  SourceSpec(std::shared_ptr<const OuterInputs> outer, std::size_t input)
      : outer_(std::move(outer)), input_(input) {
    outputs_.push_back({.name = "out", .nominal = 0});
  }
  const std::string& name() const override { return outer_->inputs[input_].name; }
  std::string kind() const override { return "input"; }
  std::span<const SignalPort> inputs() const override { return {}; }
  std::span<const SignalPort> outputs() const override { return outputs_; }
  std::unique_ptr<Component> make(const Interface& interface, PartId id) const override {
    return std::make_unique<Source>(signal_ends(interface, id), outer_, input_);
  }

 private:
  std::shared_ptr<const OuterInputs> outer_;
  std::size_t input_;
  std::vector<SignalPort> outputs_;
};

}  // namespace

std::unique_ptr<ComponentSpec> make_source(std::shared_ptr<const OuterInputs> outer, std::size_t input) {
  return std::make_unique<SourceSpec>(std::move(outer), input);
}

}  // namespace cosimo
