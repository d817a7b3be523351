// Steps of every method with the kernels of every processor that this machine can stand for.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "numerics/pack_choice.hpp"
#include "subsystem/testing.hpp"

namespace cosimo {
namespace {

constexpr Method methods[] = {Method::rk, Method::merson, Method::rosenbrock, Method::ida};

/// With a length that leaves numbers over behind whole vectors.
ChainSpec uneven_chain(bool uniform) {
  ChainSpec spec = samples::unit_chain(131);
  spec.d = 0.1;
  spec.C = 0.5;
  spec.D = 0.2;
  if (!uniform) spec.mass = Uniform{0.5, 2};
  return spec;
}

std::vector<double> motion(const Model& model, Method method) {
  samples::Uncut uncut(model, samples::options_of(method, 1e-6));
  EXPECT_TRUE(uncut.step(0.7));
  EXPECT_TRUE(uncut.step(1.5));
  std::vector<double> all = uncut.x();
  const std::vector<double> v = uncut.v();
  all.insert(all.end(), v.begin(), v.end());
  return all;
}

TEST(Packs, OfAnyProcessorGiveTheSameMotion) {
  for (const bool uniform : {true, false})
    for (const Method method : methods) {
      const Model model = make_chain(uneven_chain(uniform));
      const std::vector<double> best = motion(model, method);
      for (const std::string& packs : pack_choices()) {
        choose_packs(packs);
        EXPECT_EQ(motion(model, method), best) << packs << ", method " << static_cast<int>(method);
      }
      choose_packs();
    }
}

/// The product of two such tolerances is no number any more: a body at rest had an error of 0 / 0.
TEST(TinyTolerances, FailNoBodyAtRest) {
  for (const Method method : methods) {
    ChainSpec spec = samples::unit_chain(20);
    spec.x = spec.v = 0.0;
    IntegratorOptions options = samples::options_of(method, 1e-6);
    options.tolerances.atol_pos = options.tolerances.atol_vel = 1e-200;
    samples::Uncut uncut(make_chain(spec), options);
    EXPECT_TRUE(uncut.step(1)) << static_cast<int>(method);
    EXPECT_EQ(uncut.x(), std::vector<double>(20, 0.0));
  }
}

}  // namespace
}  // namespace cosimo
