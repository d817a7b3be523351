#include "model/cut_laws.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cosimo {
namespace {

// Two bodies of mass 2 and 1 joined by one element with a cubic spring.
struct TwoBodies {
  Model model;
  Interface interface;
  TwoBodies() {
    model.bodies.count = 2;
    model.bodies.mass = Field(std::vector<double>{2.0, 1.0});
    model.elements.from = {BodyId{0}};
    model.elements.to = {BodyId{1}};
    model.elements.c = Field(100.0);
    model.elements.d = Field(3.0);
    model.elements.C = Field(7.0);
    model.elements.D = Field(0.5);
    interface.couplings.push_back({ElementId{0}, {PartId{0}, BodyId{0}}, {PartId{1}, BodyId{1}}});
  }
};

TEST(CutLaws, EvaluateLaw29) {
  TwoBodies m;
  const auto laws = make_laws(m.model, m.interface);
  CutStates y(1);
  y.from_x = {0.5};
  y.to_x = {0.2};
  y.from_v = {1.0};
  y.to_v = {3.0};
  double u = 0;
  laws->evaluate(0, y, {&u, 1});
  const double dx = -0.3, dv = 2.0;
  EXPECT_NEAR(u, 100 * dx + 3 * dv + 7 * dx * dx * dx + 0.5 * dv * dv * dv, 1e-12);
}

TEST(CutLaws, FastestRateIsTheLargerOfOscillationAndDecay) {
  TwoBodies m;
  const auto laws = make_laws(m.model, m.interface);
  CutStates y(1);
  EXPECT_NEAR(laws->fastest_rate(0, y), std::sqrt(100 * 1.5), 1e-12);
  m.model.elements.d = Field(1000.0);
  EXPECT_NEAR(make_laws(m.model, m.interface)->fastest_rate(0, y), 1500.0, 1e-9);
}

}  // namespace
}  // namespace cosimo
