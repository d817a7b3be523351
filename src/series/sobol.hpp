// Direction numbers of Sobol' points (series/design.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cosimo::series {

/// Points that can be told apart: as many as SciPy gives.
inline constexpr int sobol_bits = 30;

/// v_k, k = 1 ... 30, as fractions of 2^30. Point i is the exclusive sum of those v_k whose bit k - 1 is set
/// in the Gray code i ^ (i >> 1).
std::array<std::uint32_t, sobol_bits> direction_numbers(std::size_t dimension);

}  // namespace cosimo::series
