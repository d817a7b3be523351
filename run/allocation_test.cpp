// The steady macro step allocates nothing: not in the scheme, not in the lanes, not in the pool.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "run/testing.hpp"

namespace {
std::atomic<long> allocations{0};
}

// NOLINTBEGIN(misc-new-delete-overloads)
void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t align) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  const auto a = static_cast<std::size_t>(align);
  if (void* p = std::aligned_alloc(a, (size + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
// NOLINTEND(misc-new-delete-overloads)

namespace cosimo::testing {
namespace {

class NoAllocation : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(NoAllocation, InTheSteadyMacroStep) {
  const auto [method, estimator] = GetParam();
  Bench bench(fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 400, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}},
          initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}}, seed: 7}}
partition: {{parts: 8}}
simulate: {{end: 1, output: macro, record: coupling}}
control: {{estimator: {}}}
solve: {{method: {}}}
)",
                          estimator, method),
              2);
  const double H = 5e-7;
  double t = 0;
  std::vector<double> output(1);
  const auto step = [&](bool keep) {
    output[0] = t + H;
    const Candidate c = bench.scheme->attempt({{t, t + H}, 2}, output);
    ASSERT_TRUE(c.ok);
    const DerivativeNorms& norms = bench.scheme->derivative_norms(H);
    (void)norms.scaled_derivative(1);
    if (!keep) return bench.scheme->reject();
    bench.scheme->accept();
    t += H;
  };
  for (int i = 0; i < 200; ++i) step(i % 7 != 3);  // everything has been used once
  const long before = allocations.load();
  for (int i = 0; i < 200; ++i) step(i % 7 != 3);
  EXPECT_EQ(allocations.load() - before, 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, NoAllocation,
                         ::testing::Values(std::pair{"rk", "exCV"}, std::pair{"rk", "exMD"}, std::pair{"rosenbrock", "exLE"},
                                           std::pair{"auto", "exCV"}, std::pair{"ida", "exMD"}),
                         [](const auto& info) { return std::string(info.param.first) + info.param.second; });

}  // namespace
}  // namespace cosimo::testing
