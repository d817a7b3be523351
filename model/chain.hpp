// Generator: the oscillator chain of Section 2.2 (Figure 2.6).
//
// Bodies 1..n, elements 1..n+1; element i joins body i-1 to body i, the first and the
// last join the walls. At a free end there is no wall: the element keeps its place in
// the table, so that labels never shift, but joins the ground to the ground and acts on
// nothing (c = d = C = D = 0 in the documents).
//
// Every random number comes from a stream of its own use ("mass", "c", "x", "load 1
// amplitude", ...), so that adding a load changes no other number of the model.
#pragma once

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "core/sequence.hpp"
#include "model/model.hpp"

namespace cosimo {

enum class End { fixed, free };

struct AllBodies {};
struct FractionOfBodies {
  double fraction = 0;  ///< random, by the chain's seed
};
/// The bodies on both sides of the cuts of an equal division into n parts.
struct BesideCutsOf {
  std::int64_t parts = 1;
};
using BodyChoice =
    std::variant<AllBodies, std::vector<std::int64_t> /* labels from 1 */, FractionOfBodies, BesideCutsOf>;

enum class Sign { plus, alternating, random };

struct HarmonicSpec {
  Sequence amplitude, omega, phase = 0.0;
};
struct ContactSpec {
  Sequence A, B;
};
struct ImpulseSpec {
  Sequence amplitude;
  std::vector<double> start;
  double duration = 0, steepness = 0;
};
struct PowerSineSpec {
  Sequence amplitude, omega, phase = 0.0;
  double exponent = 1;
};

/// Sequences are drawn over the chosen bodies in ascending order; `alternating` starts with plus.
struct LoadSpec {
  BodyChoice bodies = AllBodies{};
  Sign sign = Sign::plus;
  std::variant<HarmonicSpec, ContactSpec, ImpulseSpec, PowerSineSpec> kind;
};

struct ChainSpec {
  std::size_t masses = 0;
  Sequence mass = 1.0;
  Sequence c = 0.0, d = 0.0, C = 0.0, D = 0.0;  ///< masses + 1 entries when lists
  double ex = 3, ev = 3;
  Sequence x = 0.0, v = 0.0;
  std::array<End, 2> ends{End::fixed, End::fixed};
  std::uint64_t seed = 0;
  std::vector<LoadSpec> loads{};
};

/// Element labels of the generated model are those of the file: label == index + 1 for all of the
/// masses + 1 elements, with free ends too. Throws Error (fields of `model.chain`, no file position)
/// when drawn or listed values make no model: a mass that is not positive, a body that does not exist.
Model make_chain(const ChainSpec& spec);

}  // namespace cosimo
