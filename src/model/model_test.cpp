#include "model/model.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "model/testing.hpp"
#include "partition/division.hpp"

namespace cosimo {
namespace {

TEST(ModelHash, ChangesWithEveryNumber) {
  ChainSpec spec = samples::chain_spec(5);
  spec.c = Ramp{1, 2};
  spec.loads = {
      {AllBodies{}, Sign::plus, HarmonicSpec{.amplitude = 1.0, .omega = 2.0}},
      {AllBodies{}, Sign::plus, ContactSpec{.A = 1.0, .B = 2.0}},
      {AllBodies{}, Sign::plus, ImpulseSpec{.amplitude = 1.0, .start = {1}, .duration = 1, .steepness = 1}},
      {AllBodies{}, Sign::plus, PowerSineSpec{.amplitude = 1.0, .omega = 2.0, .exponent = 3}}};
  const Model model = make_chain(spec);
  const std::vector<std::function<void(Model&)>> changes = {
      [](Model& m) { m.bodies.mass = Field(5.1e-5); },
      [](Model& m) { m.bodies.x[4] += 1e-15; },
      [](Model& m) { std::swap(m.bodies.x[0], m.bodies.x[1]); },
      [](Model& m) { m.bodies.v[0] = 0; },
      [](Model& m) { m.elements.to[2] = ground; },
      [](Model& m) { m.elements.d = Field(1.0); },
      [](Model& m) { m.elements.ex = 2; },
      [](Model& m) { m.elements.ev = 2; },
      [](Model& m) { m.loads.harmonic[3].phase = 1; },
      [](Model& m) { m.loads.contact[3].B = 1; },
      [](Model& m) { m.loads.impulse[3].steepness = 2; },
      [](Model& m) { m.loads.powersine[3].exponent = 2; },
      [](Model& m) { m.loads.powersine.pop_back(); },
  };
  std::set<std::uint64_t> digests{hash(model)};
  for (const auto& change : changes) {
    Model other = model;
    change(other);
    digests.insert(hash(other));
  }
  EXPECT_EQ(digests.size(), changes.size() + 1);
}

TEST(ModelHash, DoesNotDependOnStorage) {
  Model model = samples::chain(5);
  const std::uint64_t before = hash(model);
  model.elements.c = Field(std::vector<double>(6, model.elements.c[0]));
  EXPECT_EQ(hash(model), before);
}

TEST(Division, LargerSharesFirst) {
  const auto sizes = [](std::size_t count, std::size_t parts) {
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < parts; ++k)
      result.push_back(share_begin(count, parts, k + 1) - share_begin(count, parts, k));
    return result;
  };
  EXPECT_EQ(sizes(10, 4), (std::vector<std::size_t>{3, 3, 2, 2}));
  EXPECT_EQ(sizes(7, 7), std::vector<std::size_t>(7, 1));
  EXPECT_EQ(sizes(9, 1), std::vector<std::size_t>{9});
}

}  // namespace
}  // namespace cosimo
