// Runs with overlapping subsystems, default settings, against tight references: models that scenario
// files cannot describe. The cut must not cost accuracy.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string_view>
#include <vector>

#include "model/testing.hpp"
#include "scheme/testing.hpp"

namespace cosimo {
namespace {

using testing::OverlapBench;
using testing::OverlapSettings;
using testing::RunResult;

Model plate(int neighbours, double damping) {
  samples::LatticeSpec spec;
  spec.columns = 24;
  spec.rows = 20;
  spec.neighbours = neighbours;
  spec.d = Field(damping);
  spec.C = Field(20.0);
  spec.x = spec.v = 0.2;
  return samples::lattice(spec);
}

/// A chain with random elements whose masses fall from 10 to 0.1, by a factor 10 of it at once in the middle.
Model graded_chain() {
  constexpr std::size_t n = 400;
  samples::Builder builder(n, 5);
  builder.join(ground, BodyId(std::size_t{0}));
  for (std::size_t i = 1; i < n; ++i) builder.join(BodyId(i - 1), BodyId(i));
  Model model = builder.finish();
  std::vector<double> mass(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double way = static_cast<double>(i) / n;
    mass[i] = 10 * std::pow(10, -(way < 0.5 ? way : way + 1.0) + 0.1 * std::sin(static_cast<double>(i)));
  }
  model.bodies.mass = Field(std::move(mass));
  return model;
}

struct Sample {
  std::string_view name;
  Model (*make)();
  double end;
  friend std::ostream& operator<<(std::ostream& out, const Sample& s) { return out << s.name; }
};

const Sample samples_to_run[] = {
    {"Tree", [] { return samples::random_tree(150, 7); }, 30},
    {"LargerTree", [] { return samples::random_tree(400, 11); }, 20},
    {"Lattice4", [] { return plate(4, 0.05); }, 20},
    {"Lattice8", [] { return plate(8, 0.05); }, 10},
    {"UndampedLattice", [] { return plate(4, 0); }, 20},
    {"GradedChain", graded_chain, 30},
};

class OverlapAccuracy : public ::testing::TestWithParam<Sample> {};

TEST_P(OverlapAccuracy, IsThatOfTheUncutRun) {
  const Model model = GetParam().make();
  std::vector<double> times;
  for (int i = 1; i <= 20; ++i) times.push_back(GetParam().end * i / 20);
  IntegratorOptions tight;
  tight.tolerances = testing::default_tolerances(1e-13);
  const RunResult reference = testing::run_uncut(model, tight, times);
  ASSERT_TRUE(reference.ok);
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    SCOPED_TRACE(rtol);
    const OverlapSettings settings = testing::default_settings(rtol);
    const RunResult whole = testing::run_uncut(model, settings.solver, times);
    OverlapBench bench(model, {4, CutMethod::metis}, settings);
    ASSERT_EQ(bench.partition.parts.size(), 4U);
    const RunResult cut = bench.run(times);
    ASSERT_TRUE(whole.ok && cut.ok);
    ASSERT_EQ(cut.x.size(), times.size());
    const double uncut_error = nrmse(whole, reference), error = nrmse(cut, reference);
    EXPECT_LE(error, std::max(10 * uncut_error, rtol)) << "uncut " << uncut_error;
    if (model.bodies.count >= 300) {
      EXPECT_LT(bench.scheme.point().layers, model.bodies.count / 4) << "hardly cut";
    }
    EXPECT_LE(cut.rejected, cut.accepted / 5 + 5);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, OverlapAccuracy, ::testing::ValuesIn(samples_to_run),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace cosimo
