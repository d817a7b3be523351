// What the files of a series and of a search have in common: which runs, what is measured and kept of them.
// Private to series/.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/check.hpp"
#include "config/faults.hpp"
#include "series/axis_values.hpp"
#include "series/plan.hpp"

namespace cosimo::series {

/// `scenario`, `measure`, `keep` and `limits` of the section. Files are relative to `folder`.
void read_runs(Plan& plan, const config::Value& section, const std::filesystem::path& folder,
               config::Faults& faults);

/// Of the section `run`, which never changes a result.
bool is_of_run(const std::string& key);

/// Whether these keys may be varied, and together. `field` is where they stand: "sweep.vary".
void check_keys(const std::vector<AxisText>& axes, const std::string& field, config::Faults& faults);

}  // namespace cosimo::series
