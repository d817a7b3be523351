// The loads of a chain or a lattice as the scenario file describes them: on which bodies, with which numbers.
// The generators make rows of tables of them (model/loads.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "core/sequence.hpp"
#include "core/settings.hpp"

namespace cosimo {

class Curve;  // numerics/curve.hpp

struct AllBodies {};
struct FractionOfBodies {
  double fraction = 0;  ///< random, by the model's seed
};
/// The bodies on both sides of the cuts of an equal division into n parts.
struct BesideCutsOf {
  std::int64_t parts = 1;
};
using BodyChoice =
    std::variant<AllBodies, std::vector<std::int64_t> /* labels from 1 */, FractionOfBodies, BesideCutsOf>;

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

struct CurveSpec {
  Sequence amplitude = 1.0;
  std::shared_ptr<const Curve> curve;
};

/// Sequences are drawn over the chosen bodies in ascending order; `alternating` starts with plus.
struct LoadSpec {
  BodyChoice bodies = AllBodies{};
  Sign sign = Sign::plus;
  std::variant<HarmonicSpec, ContactSpec, ImpulseSpec, PowerSineSpec, CurveSpec> kind;
};

}  // namespace cosimo
