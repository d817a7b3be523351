// A steady run of a one-step method allocates nothing: steps, samples, snapshots, lanes.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>

#include "integrator/integrator.hpp"
#include "integrator/testing.hpp"

namespace {
std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* const p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
}  // namespace

// The whole test program counts its allocations; only this file looks at the number.
void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace cosimo {
namespace {

class Allocation : public ::testing::TestWithParam<Method> {};

TEST_P(Allocation, SteadyRunHasNone) {
  constexpr std::size_t n = 300;
  cosimo::testing::Chain chain(n, {1, 1, 0.1, 1});
  chain.input = {[](double t) { return std::sin(t); }, [](double t) { return std::cos(t); }};
  IntegratorOptions options;
  options.method = GetParam();
  auto run = make_integrator(chain, options), comparison = make_integrator(chain, options);
  auto snapshot = run->make_snapshot();
  std::vector<double> start(n, 0.1);
  run->start(0, start, start);
  const std::vector<std::int32_t> dofs{0, 150, 299};
  std::vector<double> q(6), v(6);
  auto macro_step = [&](double t) {
    const double times[2] = {t + 0.03, t + 0.1};
    const Sampling samples{times, dofs, q, v};
    run->save(*snapshot);
    bool ok = run->advance(t + 0.2, {}).ok;
    run->restore(*snapshot);
    comparison->restore(*snapshot);
    ok = ok && comparison->advance(t + 0.1, {}).ok;
    return run->advance(t + 0.1, samples).ok && ok;
  };
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(macro_step(0.1 * i));
  const long before = allocations;
  bool ok = true;
  for (int i = 20; i < 60; ++i) ok = macro_step(0.1 * i) && ok;
  EXPECT_EQ(allocations - before, 0);
  EXPECT_TRUE(ok);
}

INSTANTIATE_TEST_SUITE_P(OneStepMethods, Allocation,
                         ::testing::Values(Method::rk, Method::rosenbrock, Method::automatic));

}  // namespace
}  // namespace cosimo
