#include "blocks/blocks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "network/component.hpp"

namespace cosimo {
namespace {

constexpr PartId me{std::size_t{0}}, other{std::size_t{1}};

IntegratorOptions tight(Method method) {
  IntegratorOptions options;
  options.method = method;
  options.tolerances = {1e-10, 1e-10, 1e-10};
  return options;
}

/// A block with one input and one output, driven by a polynomial.
struct Driven {
  std::unique_ptr<ComponentSpec> spec;
  Interface interface;
  std::unique_ptr<Component> component;
  std::unique_ptr<Lane> lane;

  explicit Driven(std::unique_ptr<ComponentSpec> made) : spec(std::move(made)) {
    interface.couplings.push_back(signal_coupling(other, 0, me, 0));
    interface.couplings.push_back(signal_coupling(me, 0, other, 0));
    component = spec->make(interface, me);
    lane = component->make_lane();
  }
  double output(double t, double input) const {
    PortState y;
    lane->outputs(t, {&input, 1}, {&y, 1});
    return y.x;
  }
};

/// 1 + 2 t.
Polynomial ramp() {
  Polynomial p;
  p.degree = 1;
  p.a[0] = 1;
  p.a[1] = 2;
  return p;
}

TEST(Blocks, ALagAnswersARampAsTheClosedFormSays) {
  constexpr double T = 0.3, gain = 4, t = 0.8;
  for (const Method method : {Method::automatic, Method::rk, Method::rosenbrock, Method::ida}) {
    Driven lag(make_lag("lag", T, gain, 0.5, tight(method)));
    const Polynomial in = ramp();
    EXPECT_EQ(lag.output(0, 1), 0.5);
    EXPECT_FALSE(lag.component->feeds());
    ASSERT_EQ(lag.lane->advance({0, t}, {&in, 1}, {}).status, StepStatus::ok);
    const double decay = std::exp(-t / T);
    const double exact = 0.5 * decay + gain * (1 - decay) + 2 * gain * (t - T * (1 - decay));
    EXPECT_NEAR(lag.output(t, 0), exact, 1e-7) << static_cast<int>(method);
  }
}

TEST(Blocks, APidIsTheSumOfItsThreeParts) {
  constexpr double F = 0.2, t = 0.7;
  const PidGains gains{.kp = 3, .ki = 5, .kd = 0.7, .filter = F};
  const Expression reference("3*t", std::vector<std::string>{"t"});
  for (const Method method : {Method::automatic, Method::rosenbrock, Method::ida}) {
    Driven pid(make_pid("pid", gains, reference, {}, tight(method)));
    EXPECT_TRUE(pid.component->feeds());
    const Polynomial in = ramp();
    ASSERT_EQ(pid.lane->advance({0, t}, {&in, 1}, {}).status, StepStatus::ok);
    // e = t - 1; w' = (e - w) / F.
    const double e = t - 1, decay = std::exp(-t / F);
    const double w = (t - F * (1 - decay)) - (1 - decay);
    const double exact = 3 * e + 5 * (t * t / 2 - t) + 0.7 * (e - w) / F;
    EXPECT_NEAR(pid.output(t, 1 + 2 * t), exact, 1e-7) << static_cast<int>(method);
  }
}

TEST(Blocks, AReferenceThatJumpsIsAnEvent) {
  const Expression reference("if(t > 0.3, 2, 0)", std::vector<std::string>{"t"});
  Driven pid(make_pid("pid", {.kp = 1}, reference, {}, tight(Method::rk)));
  EXPECT_TRUE(pid.component->ends_early());
  const Polynomial nothing{};
  const StepResult result = pid.lane->advance({0, 1}, {&nothing, 1}, {});
  ASSERT_EQ(result.status, StepStatus::early);
  EXPECT_NEAR(result.reached, 0.3, 1e-12);
  EXPECT_EQ(pid.output(result.reached, 0), 0) << "before the jump";
  EXPECT_TRUE(pid.lane->fire(true));
  EXPECT_EQ(pid.output(result.reached, 0), 2) << "and after it, at the same instant";
  ASSERT_EQ(pid.lane->advance({result.reached, 1}, {&nothing, 1}, {}).status, StepStatus::ok);
}

}  // namespace
}  // namespace cosimo
