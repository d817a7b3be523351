// A described row of numbers: one physical parameter of many bodies or elements.
//
// In a scenario file: a number, a list, {uniform: [a, b]}, {half_sine: {base,
// factor, period}}, {ramp: [a, b]} or {blocks: [{count, value}, ...]}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "core/ids.hpp"
#include "core/random.hpp"

namespace cosimo {

struct Uniform {
  double low = 0;
  double high = 0;
};

/// base * (1 + factor * sin(pi * (i mod period) / period)), i from 0: the stiffness of Section 5.4.
/// The document prints 0.3142 for pi / 10.
struct HalfSine {
  double base = 0;
  double factor = 0;
  std::int64_t period = 1;
};

/// From the first to the last entry in equal steps.
struct Ramp {
  double first = 0;
  double last = 0;
};

struct Block {
  std::int64_t count = 0;
  double value = 0;
};

using Sequence = std::variant<double, std::vector<double>, Uniform, HalfSine, Ramp, std::vector<Block>>;

/// The n numbers described, or a single one when all are equal by description.
/// A list or blocks of another length than n is a caller's error (checked by config).
std::vector<double> expand(const Sequence& sequence, std::size_t n, const RandomStream& random);

/// Whether all numbers are equal by description.
inline bool is_constant(const Sequence& sequence) {
  return std::holds_alternative<double>(sequence);
}

/// Those of the n numbers that stand at `entries`, the very same that the whole row has there, written out
/// also when they are all equal.
void expand(const Sequence& sequence, std::size_t n, const RandomStream& random, Range entries,
            std::span<double> out);

}  // namespace cosimo
