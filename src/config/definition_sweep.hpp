// The definitions of files that describe many runs: a series (docs/series.md), which is `cosimo` and `sweep`,
// and a search (docs/optimisation.md), which is `cosimo` and `optimise`.
#pragma once

#include <cstdint>

#include "config/check.hpp"
#include "config/form.hpp"

namespace cosimo::config {

inline constexpr std::int64_t max_variants = 1'000'000;

/// The whole file as one section, and its chapter.
const Form& series_definition();
Key sweep_definition();
const Form& search_definition();
Key optimise_definition();

/// As check() (config/check.hpp) of such files.
Checked check_series(Node root, Parameters& parameters, Faults& faults);
Checked check_search(Node root, Parameters& parameters, Faults& faults);

}  // namespace cosimo::config
