#include "core/sequence.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "core/check.hpp"

namespace cosimo {
namespace {

/// One overload for each way to describe n numbers.
struct Expander {
  std::size_t n;
  const RandomStream& random;

  std::vector<double> operator()(double value) const { return {value}; }

  std::vector<double> operator()(const std::vector<double>& list) const {
    check_length(list.size());
    return list;
  }

  std::vector<double> operator()(const Uniform& uniform) const {
    return fill([&](std::size_t i) { return random.uniform(i, uniform.low, uniform.high); });
  }

  std::vector<double> operator()(const HalfSine& sine) const {
    COSIMO_CHECK(sine.period > 0, "half_sine with period " + std::to_string(sine.period));
    const auto period = static_cast<std::size_t>(sine.period);
    return fill([&](std::size_t i) {
      const double phase = static_cast<double>(i % period) / static_cast<double>(period);
      return sine.base * (1 + sine.factor * std::sin(std::numbers::pi * phase));
    });
  }

  std::vector<double> operator()(const Ramp& ramp) const {
    const double steps = n > 1 ? static_cast<double>(n - 1) : 1.0;
    // lerp meets both ends exactly and never leaves them.
    return fill(
        [&](std::size_t i) { return std::lerp(ramp.first, ramp.last, static_cast<double>(i) / steps); });
  }

  std::vector<double> operator()(const std::vector<Block>& blocks) const {
    std::vector<double> values;
    values.reserve(n);
    for (const Block& block : blocks) {
      COSIMO_CHECK(block.count >= 0, "block of " + std::to_string(block.count));
      values.insert(values.end(), static_cast<std::size_t>(block.count), block.value);
    }
    check_length(values.size());
    return values;
  }

 private:
  template <class F>
  std::vector<double> fill(F entry) const {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = entry(i);
    return values;
  }

  void check_length(std::size_t length) const {
    COSIMO_CHECK(length == n, std::to_string(length) + " numbers where " + std::to_string(n) + " are needed");
  }
};

}  // namespace

std::vector<double> expand(const Sequence& sequence, std::size_t n, const RandomStream& random) {
  return std::visit(Expander{n, random}, sequence);
}

}  // namespace cosimo
