// Every variant's scenario, checked before the first one runs; and its identity, by which the folder knows
// it.
#pragma once

#include <cstdint>
#include <vector>

#include "series/identity.hpp"
#include "series/plan.hpp"

namespace cosimo::series {

/// One identity per variant. Variants that `cache` knows are not checked again: it has them from a check.
/// `cache` may be null. Works on all cores. Throws Error with the faults of all variants, each once, at the
/// line of the series file that makes it.
std::vector<std::uint64_t> check_variants(const Plan& plan, const ScenarioSource& source,
                                          std::uint64_t program, FileDigests& files, IdentityCache* cache);

/// What is wrong with a variant, for readers of the series file.
std::vector<Fault> faults_of(const Plan& plan, std::size_t variant, const Error& error);

/// Whether the results have what the measures ask for. Throws Error at their lines.
void check_measures(const Plan& plan, const std::vector<std::string>& names);

}  // namespace cosimo::series
