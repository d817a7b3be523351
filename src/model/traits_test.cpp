#include "model/traits.hpp"

#include <gtest/gtest.h>

#include "model/pendulum.hpp"
#include "model/testing.hpp"

namespace cosimo {
namespace {

Model pendulum(bool minimal, bool rods) {
  PendulumSpec spec;
  spec.links = 2;
  spec.minimal = minimal;
  spec.rods = rods;
  return make_pendulum(spec);
}

TEST(ModelTraits, OfAChain) {
  const Model model = samples::chain(5);
  const ModelTraits traits = traits_of(model);
  EXPECT_TRUE(traits.derivatives);
  EXPECT_EQ(traits.stiff_method(), Method::rosenbrock);
  EXPECT_FALSE(traits.constrained || traits.angles || traits.output_from_all);
}

/// One coordinate per link, but not the equations of a chain.
TEST(ModelTraits, OfAPendulumInMinimalCoordinates) {
  const Model model = pendulum(true, false);
  const ModelTraits traits = traits_of(model);
  EXPECT_EQ(traits.stiff_method(), Method::radau);
  EXPECT_TRUE(traits.constrained && traits.angles);
  EXPECT_FALSE(traits.output_from_all) << "its angles are the results";
}

TEST(ModelTraits, OfAMechanism) {
  const Model model = pendulum(false, true);
  const ModelTraits traits = traits_of(model);
  EXPECT_FALSE(traits.derivatives);
  EXPECT_EQ(traits.stiff_method(), Method::radau);
  EXPECT_TRUE(traits.constrained && traits.angles && traits.output_from_all);
  EXPECT_FALSE(traits_of(pendulum(false, false)).angles) << "point masses do not turn";
}

}  // namespace
}  // namespace cosimo
