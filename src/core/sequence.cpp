#include "core/sequence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/check.hpp"

namespace cosimo {
namespace {

/// One overload for each way to describe n numbers: writes those of a range of entries.
struct Expander {
  std::size_t n;
  const RandomStream& random;
  Range entries;
  std::span<double> out;

  void operator()(double value) const { std::fill(out.begin(), out.end(), value); }

  void operator()(const std::vector<double>& list) const {
    check_length(list.size());
    std::copy_n(list.begin() + static_cast<std::ptrdiff_t>(entries.first), entries.size(), out.begin());
  }

  void operator()(const Uniform& uniform) const {
    fill([&](std::size_t i) { return random.uniform(i, uniform.low, uniform.high); });
  }

  void operator()(const HalfSine& sine) const {
    COSIMO_CHECK(sine.period > 0, "half_sine with period " + std::to_string(sine.period));
    const auto period = static_cast<std::size_t>(sine.period);
    fill([&](std::size_t i) {
      const double phase = static_cast<double>(i % period) / static_cast<double>(period);
      return sine.base * (1 + sine.factor * std::sin(std::numbers::pi * phase));
    });
  }

  void operator()(const Ramp& ramp) const {
    const double steps = n > 1 ? static_cast<double>(n - 1) : 1.0;
    // lerp meets both ends exactly and never leaves them.
    fill([&](std::size_t i) { return std::lerp(ramp.first, ramp.last, static_cast<double>(i) / steps); });
  }

  void operator()(const std::vector<Block>& blocks) const {
    std::size_t begin = 0;
    for (const Block& block : blocks) {
      COSIMO_CHECK(block.count >= 0, "block of " + std::to_string(block.count));
      const std::size_t end = begin + static_cast<std::size_t>(block.count);
      const std::size_t first = std::max(begin, entries.first), last = std::min(end, entries.last);
      if (first < last) std::fill_n(out.data() + (first - entries.first), last - first, block.value);
      begin = end;
    }
    check_length(begin);
  }

 private:
  template <class F>
  void fill(F entry) const {
    for (std::size_t i = entries.first; i < entries.last; ++i) out[i - entries.first] = entry(i);
  }

  void check_length(std::size_t length) const {
    COSIMO_CHECK(length == n, std::to_string(length) + " numbers where " + std::to_string(n) + " are needed");
  }
};

}  // namespace

std::vector<double> expand(const Sequence& sequence, std::size_t n, const RandomStream& random) {
  if (is_constant(sequence)) return {std::get<double>(sequence)};
  std::vector<double> values(n);
  expand(sequence, n, random, {0, n}, values);
  return values;
}

void expand(const Sequence& sequence, std::size_t n, const RandomStream& random, Range entries,
            std::span<double> out) {
  COSIMO_CHECK(entries.first <= entries.last && entries.last <= n && out.size() == entries.size(),
               "entries outside a sequence");
  std::visit(Expander{n, random, entries, out}, sequence);
}

}  // namespace cosimo
