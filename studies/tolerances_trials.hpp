// The models of [K] 5.4.
//
//   Trial trial = lab.run("exMD", linear_chain() + "..." + controlled("exMD", 1e-4));
//   const Cost cost = cost_of(trial, "exMD", 1e-4);
#pragma once

#include <cstdint>
#include <string>

#include "studies/costs.hpp"
#include "studies/lab.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

/// Table 5.4: 1000 masses, stiffness in half-sines of ten elements, elongated, one end free. Cuts into 5 or
/// 100 parts of equal size are at the softest elements.
std::string linear_chain();

/// Table 5.5: 11 parts, 40 heavy masses and 10 light ones in turn, times `size` (1: n_K = 290, 100: 29 000).
/// `shifted`: every cut one heavy mass away from the light block.
std::string alternating_chain(std::int64_t size, bool shifted, std::uint64_t seed);

void study_linear_chain(Lab& lab, Finding& finding);
void study_alternating_chain(Lab& lab, Finding& finding);

}  // namespace cosimo::studies
