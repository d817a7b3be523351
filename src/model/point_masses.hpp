// What the generators of point masses share. For model/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence.hpp"
#include "mechanics/body.hpp"

namespace cosimo {

/// All n numbers of a sequence, drawn from the stream of this use.
std::vector<double> all_numbers(const Sequence& sequence, std::size_t n, std::uint64_t seed,
                                std::string_view use);
/// Throws Error when one is not positive.
void check_masses(const std::vector<double>& mass, const std::string& field);
/// Point masses in two or three dimensions.
BodyKind point_kind(std::size_t dimensions);
/// Vector i of a list of vectors with this many components; the others are zero.
Vec3 vector_at(const std::vector<double>& values, std::size_t i, std::size_t dimensions);

}  // namespace cosimo
