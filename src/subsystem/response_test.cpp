// Interface Jacobians against series that are known, and against tight perturbed integrations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "subsystem/response_testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using samples::CutChain;
using samples::CutPair;

/// One body with one element to the wall and one port.
CutChain one_body(double m, double c, double d) {
  ChainSpec spec{.masses = 2, .mass = m, .c = c, .d = d};
  return {spec, 0, 1, Drive::force, Drive::force};
}

Response respond(const Component& subsystem, const Window& window, const Response& question) {
  Response response = question;
  const auto lane = subsystem.make_lane();
  const std::vector<Polynomial> inputs(subsystem.inputs().size());
  EXPECT_EQ(lane->advance(window, inputs, {}, &response).status, StepStatus::ok);
  return response;
}

TEST(Sap, CoefficientsOfTableA1) {
  const double x[] = {1.0 / 2, 1.0 / 6, 1.0 / 8, 19.0 / 180, 3.0 / 32, 863.0 / 10080};
  const double v[] = {1, 1.0 / 2, 5.0 / 12, 3.0 / 8, 251.0 / 720, 95.0 / 288};
  const double m = 2, H = 0.3;
  const auto body = one_body(m, 5, 7).subsystem();
  for (int kappa = 0; kappa <= 5; ++kappa) {
    const Window window{1.1, 1.1 + H};
    const Response r = respond(*body, window, {ResponseMethod::series, 1, samples::end_shape(window, kappa)});
    ASSERT_EQ(r.derivative.size(), 1u);
    EXPECT_NEAR(r.derivative[0].x, x[kappa] * H * H / m, 1e-14);
    EXPECT_NEAR(r.derivative[0].v, v[kappa] * H / m, 1e-14);
  }
}

TEST(Sap, AgreesWithTheErrorConstantsOnUnequalGrids) {
  const std::vector<double> grid{2.0, 1.7, 1.2, 1.1, 0.3};
  const double m = 2, H = grid[0] - grid[1];
  const auto body = one_body(m, 5, 7).subsystem();
  for (int kappa = 0; kappa <= 4; ++kappa) {
    std::vector<double> nodes(grid.begin(), grid.begin() + kappa + 1), unit(nodes.size());
    unit[0] = 1;
    const Polynomial shape = interpolate(nodes, unit, 0.4, 0.9);  // in any local time
    const Response r = respond(*body, {grid[1], grid[0]}, {ResponseMethod::series, 1, shape});
    const ErrorConstants c = error_constants(kappa, grid);
    EXPECT_NEAR(r.derivative[0].x, c.pos * H * H / m, 1e-14);
    EXPECT_NEAR(r.derivative[0].v, c.vel * H / m, 1e-14);
  }
}

TEST(Series, TermsOfA5) {
  struct Row {
    double x[3], v[4];
  };
  const Row rows[] = {{{1.0 / 2, 1.0 / 6, 1.0 / 24}, {1, 1.0 / 2, 1.0 / 6, 1.0 / 24}},
                      {{1.0 / 6, 1.0 / 24, 1.0 / 120}, {1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120}},
                      {{1.0 / 8, 7.0 / 240, 1.0 / 180}, {5.0 / 12, 1.0 / 8, 7.0 / 240, 1.0 / 180}}};
  // The element to the wall; the cut one is a force and does not count.
  const double m = 2, c = 5, d = 3, H = 0.3;
  const auto body = one_body(m, c, d).subsystem();
  const double w[] = {1 / m, -d / (m * m), (d * d - c * m) / (m * m * m),
                      -(d * d * d - 2 * c * d * m) / (m * m * m * m)};
  for (int kappa = 0; kappa <= 2; ++kappa)
    for (int terms = 1; terms <= 4; ++terms) {
      const Window window{0, H};
      const Response r =
          respond(*body, window, {ResponseMethod::series, terms, samples::end_shape(window, kappa)});
      double x = 0, v = 0;
      for (int k = 0; k < terms; ++k) {
        v += rows[kappa].v[k] * w[k] * std::pow(H, k + 1);
        if (k < 3) x += rows[kappa].x[k] * w[k] * std::pow(H, k + 2);
      }
      EXPECT_NEAR(r.derivative[0].v, v, 1e-14) << kappa << " " << terms;
      if (terms > 3) continue;
      EXPECT_NEAR(r.derivative[0].x, x, 1e-14) << kappa << " " << terms;
    }
}

/// Order one everywhere, two ports.
ChainSpec soft_chain(std::size_t masses, bool nonlinear) {
  ChainSpec spec{.masses = masses, .mass = Uniform{0.5, 2}, .c = Uniform{1, 3}, .d = Uniform{0.5, 1}};
  if (nonlinear) {
    spec.C = Uniform{1, 2};
    spec.D = Uniform{0.5, 1};
  }
  spec.x = Uniform{-0.5, 0.5};
  spec.v = Uniform{-0.5, 0.5};
  spec.seed = 5;
  return spec;
}

/// Moves on along these inputs for three macro steps, so that there is a past to extrapolate from.
constexpr int steps_before = 3;

std::vector<Polynomial> moving_inputs(std::size_t count) {
  std::vector<Polynomial> inputs(count);
  for (std::size_t i = 0; i < count; ++i)
    inputs[i] = {2, 0.0, 1.0, {0.2 - 0.3 * static_cast<double>(i), 0.4, -0.1 * static_cast<double>(i)}};
  return inputs;
}

void move_on(Lane& lane, std::span<const Polynomial> inputs, double H) {
  for (int n = 0; n < steps_before; ++n)
    ASSERT_EQ(lane.advance({n * H, (n + 1) * H}, inputs, {}).status, StepStatus::ok);
}

/// Largest error of a response on the fourth macro step, relative to the largest entry of its kind (input).
struct Errors {
  double x = 0, v = 0;
};

struct Comparison {
  std::vector<Polynomial> inputs;
  double H = 0.1;
  double size = 1e-4;  ///< of the perturbation
};

Errors errors(const Component& tight, const Component& subsystem, const Comparison& how, Response question) {
  const Window window{steps_before * how.H, (steps_before + 1) * how.H};
  const std::size_t ports = tight.ports().size();
  const auto reference = tight.make_lane(), lane = subsystem.make_lane();
  const auto memory = reference->make_snapshot();
  move_on(*reference, how.inputs, how.H);
  reference->save(*memory);
  for (int n = 0; n < steps_before; ++n) {
    Response each = question;  // rk remembers the states from the first question on
    each.shape = samples::end_shape({n * how.H, (n + 1) * how.H}, 0);
    EXPECT_EQ(lane->advance({n * how.H, (n + 1) * how.H}, how.inputs, {}, &each).status, StepStatus::ok);
  }
  EXPECT_EQ(lane->advance(window, how.inputs, {}, &question).status, StepStatus::ok);
  EXPECT_EQ(question.derivative.size(), how.inputs.size() * ports);
  Errors result;
  for (std::size_t i = 0; i < how.inputs.size(); ++i) {
    const auto truth =
        samples::central_difference(tight, how.inputs, i, question.shape, window, how.size, memory.get());
    double x = 0, v = 0;
    for (const PortState& y : truth) {
      x = std::max(x, std::fabs(y.x));
      v = std::max(v, std::fabs(y.v));
    }
    for (std::size_t p = 0; p < ports; ++p) {
      const PortState& y = question.derivative[i * ports + p];
      result.x = std::max(result.x, std::fabs(y.x - truth[p].x) / x);
      result.v = std::max(result.v, std::fabs(y.v - truth[p].v) / v);
    }
  }
  return result;
}

/// Slope of log(error) over log(H) between H and H/2.
Errors observed_order(const CutChain& chain, int terms, int kappa, double H) {
  const auto body = chain.subsystem();
  const Comparison how{moving_inputs(body->inputs().size()), H};
  const auto at = [&](double h) {
    Comparison each = how;
    each.H = h;
    const Window window{steps_before * h, (steps_before + 1) * h};
    return errors(*body, *body, each, {ResponseMethod::series, terms, samples::end_shape(window, kappa)});
  };
  const Errors coarse = at(H), fine = at(H / 2);
  return {std::log2(coarse.x / fine.x), std::log2(coarse.v / fine.v)};
}

// Relative to the derivative itself an n-term series is off by O(H^n).
TEST(Series, OrderIsTheNumberOfTerms) {
  for (const Drive drive : {Drive::force, Drive::motion})
    for (int terms = 1; terms <= 4; ++terms)
      for (const int kappa : {0, 2}) {
        const CutChain chain(soft_chain(7, false), 2, 5, drive, Drive::force);
        const Errors order = observed_order(chain, terms, kappa, terms < 4 ? 0.05 : 0.1);
        EXPECT_NEAR(order.x, terms, 0.25) << terms << " " << kappa;
        EXPECT_NEAR(order.v, terms, 0.25) << terms << " " << kappa;
      }
}

// The tangent of a nonlinear part is held at T_N: exact in its first two terms.
TEST(Series, OrderOfANonlinearPart) {
  const CutChain chain(soft_chain(7, true), 2, 5, Drive::force, Drive::force);
  for (int terms = 1; terms <= 2; ++terms) {
    const Errors order = observed_order(chain, terms, 1, 0.02);
    EXPECT_NEAR(order.x, terms, 0.25) << terms;
    EXPECT_NEAR(order.v, terms, 0.25) << terms;
  }
}

// Far from the ports nothing matters: the same numbers from a part of a thousand bodies, of a path that is
// renumbered into none, and from a part that ends where the series does.
TEST(Series, StaysNearThePort) {
  const Window window{0, 0.2};
  for (int terms = 1; terms <= 6; ++terms) {
    const Response question{ResponseMethod::series, terms, samples::end_shape(window, 1)};
    const ChainSpec spec = soft_chain(1010, true);
    const auto answer = [&](std::size_t last, bool shuffled) {
      const CutChain chain(spec, 5, last, Drive::motion, Drive::force, shuffled);
      return respond(*chain.subsystem(), window, question).derivative;
    };
    const auto reference = answer(1005, false);
    for (const auto& other : {answer(1005, true), answer(30, false)})
      for (std::size_t i = 0; i < 2; ++i) {  // position and velocity at the first port
        EXPECT_NEAR(other[2 * i].x, reference[2 * i].x, 1e-14 * std::fabs(reference[2 * i].x));
        EXPECT_NEAR(other[2 * i].v, reference[2 * i].v, 1e-14 * std::fabs(reference[2 * i].v));
        EXPECT_EQ(other[2 * i + 1].x, 0.0);
        EXPECT_EQ(other[2 * i + 1].v, 0.0);
      }
  }
}

// Two ports of a short part feel each other from the term on that spans it.
TEST(Series, ReachesTheOtherPort) {
  const CutChain chain(soft_chain(7, false), 2, 5, Drive::force, Drive::force);
  const auto body = chain.subsystem();
  const Window window{0, 0.2};
  for (int terms = 1; terms <= 4; ++terms) {
    const Response r = respond(*body, window, {ResponseMethod::series, terms, samples::end_shape(window, 1)});
    EXPECT_EQ(r.derivative[1].v == 0, terms <= 2) << terms;
    EXPECT_EQ(r.derivative[2].x == 0, terms <= 2) << terms;
  }
}

/// The oscillator of Figs. A.2 and A.4, c = 1e7 N/m, m = 1 kg, H = 5e-6 s, in units of H: c H^2 / m = 2.5e-4
/// and d H / m = 2 D sqrt(c H^2 / m), with what is expected of one Runge-Kutta step.
struct DampingCase {
  double ratio, linear;
};

class Damping : public testing::TestWithParam<DampingCase> {};

CutChain damped(double ratio, Drive drive, bool nonlinear) {
  const double c = 2.5e-4, d = 2 * ratio * std::sqrt(c);
  ChainSpec spec{.masses = 2, .c = c, .d = d, .x = 20.0, .v = 1.0};
  if (nonlinear) {
    spec.C = 1e-6;
    spec.D = 0.02;
  }
  return {spec, 0, 1, Drive::force, drive};
}

constexpr Method methods[] = {Method::rk, Method::rosenbrock, Method::ida};

/// What a derivative may be off by.
struct Bounds {
  double rk = 0;           ///< one step of the variational equation, with extrapolated states
  double sensitivity = 0;  ///< one-step methods with a tolerance of 1e-8
};
/// A multistep method knows nothing of the input in its steps before the macro point, and few steps make a
/// macro step here: the derivative of its discrete solution is far from that of the exact one. (That it is
/// the derivative of the discrete solution is tested in integrator/directions_test.cpp.)
double multistep_bound(int kappa) {
  return kappa == 0 ? 0.7 : 0.3;
}
/// With many steps it is near.
constexpr double many_steps = 2000, fine_multistep_bound = 0.02;

void expect_good(const CutChain& chain, double H, const Bounds& bounds) {
  const auto tight = chain.subsystem();
  const Comparison how{moving_inputs(tight->inputs().size()), H, 1e-3};
  for (int kappa = 0; kappa <= 3; ++kappa) {
    SCOPED_TRACE(kappa);
    const Window window{steps_before * H, (steps_before + 1) * H};
    const Polynomial shape = samples::end_shape(window, kappa);
    const Errors rk = errors(*tight, *tight, how, {ResponseMethod::rk, 1, shape});
    EXPECT_LT(rk.x, bounds.rk);
    EXPECT_LT(rk.v, bounds.rk);
    for (const Method method : methods) {
      SCOPED_TRACE(static_cast<int>(method));
      IntegratorOptions options = samples::tight_options(method);
      options.tolerances = {1e-8, 1e-10, 1e-10};
      const auto subsystem = chain.subsystem(options);
      const Errors s = errors(*tight, *subsystem, how, {ResponseMethod::sensitivity, 1, shape});
      const double bound = method == Method::ida ? multistep_bound(kappa) : bounds.sensitivity;
      EXPECT_LT(s.x, bound);
      EXPECT_LT(s.v, bound);
      if (method != Method::ida) continue;
      options.max_step = H / many_steps;
      const Errors fine =
          errors(*tight, *chain.subsystem(options), how, {ResponseMethod::sensitivity, 1, shape});
      EXPECT_LT(fine.x, fine_multistep_bound);
      EXPECT_LT(fine.v, fine_multistep_bound);
    }
  }
}

TEST_P(Damping, LinearOscillator) {
  for (const Drive drive : {Drive::force, Drive::motion})
    expect_good(damped(GetParam().ratio, drive, false), 1.0, {GetParam().linear, 1e-4});
}

// (A.6): with third-order terms, which change by much within the step.
TEST_P(Damping, NonlinearOscillator) {
  for (const Drive drive : {Drive::force, Drive::motion})
    expect_good(damped(GetParam().ratio, drive, true), 1.0, {0.03, 0.03});
}

INSTANTIATE_TEST_SUITE_P(Ratios, Damping,
                         testing::Values(DampingCase{0.01, 1e-5}, DampingCase{0.1, 1e-5},
                                         DampingCase{1, 1e-4}, DampingCase{10, 3e-4}, DampingCase{100, 0.03}),
                         [](const auto& test) { return "D" + std::to_string(test.index); });

TEST(Responses, OfTwentyBodiesWithTwoPorts) {
  for (const bool nonlinear : {false, true})
    for (const Drive drive : {Drive::force, Drive::motion})
      expect_good({soft_chain(40, nonlinear), 10, 30, Drive::force, drive}, 0.1,
                  {nonlinear ? 3e-3 : 2e-4, 1e-4});
}

// Both ports are at the same body: each answers to the other's inputs.
TEST(Responses, OfOneBodyWithTwoPorts) {
  for (const bool nonlinear : {false, true})
    for (const Drive first : {Drive::force, Drive::motion})
      for (const Drive last : {Drive::force, Drive::motion}) {
        const CutChain chain(soft_chain(3, nonlinear), 1, 2, first, last);
        expect_good(chain, 0.1, {nonlinear ? 0.03 : 3e-4, 1e-3});
        const auto body = chain.subsystem();
        const Window window{0, 0.1};
        const Response r = respond(*body, window, {ResponseMethod::series, 1, samples::end_shape(window, 1)});
        for (std::size_t i = 0; i < body->inputs().size(); ++i) {
          EXPECT_EQ(r.derivative[2 * i].x, r.derivative[2 * i + 1].x);
          EXPECT_NE(r.derivative[2 * i].v, 0.0);
        }
      }
}

TEST(Responses, OfAPartThatIsNoPath) {
  expect_good({soft_chain(7, true), 2, 5, Drive::motion, Drive::force, true}, 0.1, {1e-3, 1e-4});
}

TEST(VariationalStep, OrderFive) {
  const CutChain chain(soft_chain(7, false), 2, 5, Drive::force, Drive::force);
  const auto body = chain.subsystem();
  const auto at = [&](double H) {
    const Window window{steps_before * H, (steps_before + 1) * H};
    return errors(*body, *body, {moving_inputs(2), H, 1.0},
                  {ResponseMethod::rk, 1, samples::end_shape(window, 0)});
  };
  const Errors coarse = at(0.4), fine = at(0.2);
  EXPECT_GT(std::log2(coarse.x / fine.x), 3.5);  // v_u is of order H, x_u of order H^2
  EXPECT_GT(std::log2(coarse.v / fine.v), 4.5);
}

// Where the tangent moves with the states, so does the effect of a prescribed motion: the extrapolation
// counts.
TEST(VariationalStep, OrderThreeOfANonlinearPart) {
  const CutChain chain(soft_chain(3, true), 1, 2, Drive::motion, Drive::motion);
  const auto body = chain.subsystem();
  const auto at = [&](double H) {
    const Window window{steps_before * H, (steps_before + 1) * H};
    return errors(*body, *body, {moving_inputs(4), H},
                  {ResponseMethod::rk, 1, samples::end_shape(window, 1)});
  };
  const Errors coarse = at(0.01), fine = at(0.005);
  EXPECT_GT(std::log2(coarse.x / fine.x), 2.5);
  EXPECT_GT(std::log2(coarse.v / fine.v), 2.5);
}

// What the extrapolated states do: with the past of three macro points a nonlinear part's error falls faster.
TEST(VariationalStep, LearnsFromThePast) {
  const CutChain chain(soft_chain(7, true), 2, 5, Drive::force, Drive::force);
  const auto body = chain.subsystem();
  const double H = 0.1;
  const Window window{steps_before * H, (steps_before + 1) * H};
  const Response question{ResponseMethod::rk, 1, samples::end_shape(window, 1)};
  const auto inputs = moving_inputs(2);
  const auto informed = errors(*body, *body, {inputs, H}, question);

  const auto lane = body->make_lane();
  const auto memory = lane->make_snapshot();
  move_on(*lane, inputs, H);  // not asked, hence without a past
  lane->save(*memory);
  Response late = question;
  ASSERT_EQ(lane->advance(window, inputs, {}, &late).status, StepStatus::ok);
  const auto truth =
      samples::central_difference(*body, inputs, 0, question.shape, window, 1e-4, memory.get());
  const double error = std::fabs(late.derivative[0].v - truth[0].v) / std::fabs(truth[0].v);
  EXPECT_GT(error, 10 * informed.v);
}

// Whatever was tried and taken back in between: the same question has the same answer, in any lane.
TEST(Responses, RollbackLeavesNoTrace) {
  const CutChain chain(soft_chain(20, true), 5, 15, Drive::force, Drive::motion);
  for (const Method method : methods)
    for (const ResponseMethod kind :
         {ResponseMethod::series, ResponseMethod::rk, ResponseMethod::sensitivity}) {
      IntegratorOptions options = samples::tight_options(method);
      options.tolerances = {1e-6, 1e-9, 1e-6};
      const auto body = chain.subsystem(options);
      const auto inputs = moving_inputs(3);
      const auto ask = [&](Lane& lane, const Window& window) {
        Response response{kind, 3, samples::end_shape(window, 2)};
        EXPECT_EQ(lane.advance(window, inputs, {}, &response).status, StepStatus::ok);
        return response.derivative;
      };
      const auto same = [](const std::vector<PortState>& a, const std::vector<PortState>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const PortState& p, const PortState& q) { return p.x == q.x && p.v == q.v; });
      };
      const auto lane = body->make_lane(), plain = body->make_lane(), other = body->make_lane();
      const auto memory = lane->make_snapshot();
      std::vector<std::vector<PortState>> expected;
      for (int n = 0; n < 6; ++n) expected.push_back(ask(*plain, {0.1 * n, 0.1 * (n + 1)}));
      for (int n = 0; n < 6; ++n) {
        const double t = 0.1 * n;
        lane->save(*memory);
        ask(*lane, {t, t + 0.04});
        ask(*lane, {t + 0.04, t + 0.05});
        ask(*lane, {t + 0.05, t + 0.3});
        lane->restore(*memory);
        ASSERT_EQ(lane->advance({t, t + 0.1}, inputs, {}).status, StepStatus::ok);  // asks nothing
        lane->restore(*memory);
        EXPECT_TRUE(same(ask(*lane, {t, 0.1 * (n + 1)}), expected[static_cast<std::size_t>(n)])) << n;
        other->restore(*memory);
        EXPECT_TRUE(same(ask(*other, {t, 0.1 * (n + 1)}), expected[static_cast<std::size_t>(n)])) << n;
      }
      EXPECT_TRUE(std::equal(lane->position().begin(), lane->position().end(), plain->position().begin()));
    }
}

TEST(Responses, SapDoesNotAllocate) {
  const CutChain chain(soft_chain(40, true), 10, 30, Drive::force, Drive::motion);
  IntegratorOptions options;
  options.method = Method::rk;
  const auto body = chain.subsystem(options);
  const auto lane = body->make_lane();
  const auto inputs = moving_inputs(3);
  Response response{ResponseMethod::series, 1, samples::end_shape({0, 0.1}, 1)};
  for (int n = 0; n < 3; ++n)
    ASSERT_EQ(lane->advance({0.1 * n, 0.1 * (n + 1)}, inputs, {}, &response).status, StepStatus::ok);
  const std::size_t before = allocation_count();
  ASSERT_EQ(lane->advance({0.3, 0.4}, inputs, {}, &response).status, StepStatus::ok);
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace cosimo
