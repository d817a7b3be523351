// The definition of a file that describes a series of runs (docs/series.md): `cosimo` and `sweep`.
#pragma once

#include <cstdint>

#include "config/check.hpp"
#include "config/form.hpp"

namespace cosimo::config {

inline constexpr std::int64_t max_variants = 1'000'000;

/// The whole file as one section, and its chapter.
const Form& series_definition();
Key sweep_definition();

/// As check() (config/check.hpp) of such a file.
Checked check_series(Node root, Parameters& parameters, Faults& faults);

}  // namespace cosimo::config
