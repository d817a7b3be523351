// Save plus restore of one subsystem of 1000 masses against one micro step.
//
// Memory may be shared between solver and snapshot and be copied only when somebody writes
// to it, so the time of the two calls alone would miss what they leave to the next step.
// Hence the same windows of time are passed twice:
//
//   plain    advance, advance, ...
//   cycled   save, advance, restore, advance again; ...
//
// Restoring is exact, so the cycled pass takes every micro step of the plain one twice, and
//
//   cost of save + restore = (cycled - 2 plain) / windows,   deferred copies included.
//
// That is a small difference of large times: both passes run back to back over short blocks,
// and the median over many blocks counts; never less than the two calls themselves take.
#include <fmt/format.h>

#include <algorithm>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/timing.hpp"

namespace cosimo::bench {

namespace {

constexpr int windows = 5;  // per block

double median(std::vector<double> v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

/// The chain, block by block: from the same state, the same windows in different ways.
class Blocks {
 public:
  explicit Blocks(Method method)
      : chain_(1000, method),
        integrator_(chain_.integrator()),
        origin_(integrator_.make_snapshot()),
        memory_(integrator_.make_snapshot()),
        H_(2 * integrator_.status().last_step) {
    next();
  }

  void next() {
    integrator_.save(*origin_);
    begin_ = chain_.time();
  }
  double plain() {
    return timed([&](double end) { chain_.advance(end); });
  }
  double cycled() {
    return timed([&](double end) {
      integrator_.save(*memory_);
      chain_.advance(end);
      integrator_.restore(*memory_);
      chain_.advance(end);
    });
  }
  /// The two calls alone.
  double calls() {
    double total = 0;
    (void)timed([&](double end) {
      total += seconds([&] { integrator_.save(*memory_); });
      chain_.advance(end);
      total += seconds([&] { integrator_.restore(*memory_); });
      chain_.advance(end);
    });
    return total;
  }
  std::int64_t steps() const { return steps_; }  ///< of the last block

 private:
  template <class Window>
  double timed(const Window& window) {
    integrator_.restore(*origin_);
    chain_.advance(begin_ + H_);  // not timed: takes up what that restore deferred
    const auto before = integrator_.status().counters.steps;
    const double start = now();
    for (int i = 2; i <= windows + 1; ++i) window(begin_ + H_ * i);
    const double s = now() - start;
    steps_ = integrator_.status().counters.steps - before;
    return s;
  }

  Underway chain_;
  Integrator& integrator_;
  std::unique_ptr<Snapshot> origin_, memory_;
  double H_, begin_ = 0;
  std::int64_t steps_ = 0;
};

void one_method(const char* name, Method method, double target, int count, Table& table) {
  Blocks blocks(method);
  std::vector<double> step, cost, calls;
  for (int b = 0; b < count; ++b) {
    double cycled = b % 2 ? blocks.cycled() : 0;  // whoever comes second finds warmer caches: take turns
    const double plain = blocks.plain();
    if (b % 2 == 0) cycled = blocks.cycled();
    step.push_back(plain / static_cast<double>(blocks.steps()));
    cost.push_back((cycled - 2 * plain) / windows);
    calls.push_back(blocks.calls() / windows);
    blocks.next();
  }
  const double micro_step = median(step), direct = median(calls), ours = std::max(median(cost), direct);
  table.add({"snapshot", fmt::format("{}: save + restore, 1000 masses", name), "one micro step",
             1e6 * micro_step, 1e6 * ours, "us", ours / micro_step, Goal::at_most, target,
             fmt::format("ours / step, with deferred cost; the two calls alone {:.3g} us", 1e6 * direct)});
}

}  // namespace

void snapshot(const Options& options, Table& table) {
  const int blocks = options.quick ? 500 : 2000;
  one_method("ida", Method::ida, 0.25, blocks, table);
  one_method("rk", Method::rk, 0.05, blocks, table);
  one_method("rosenbrock", Method::rosenbrock, 0.05, blocks, table);
}

}  // namespace cosimo::bench
