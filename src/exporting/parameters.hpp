// Which numbers of a scenario an exported FMU offers as parameters.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "exporting/manifest.hpp"

namespace cosimo::exporting {

struct Parameters {
  std::vector<Variable> variables;
  std::vector<std::string> notes;  ///< on what is none
};

/// Those of `export.parameters`, or the plain numbers of `model.parameters`. Throws Error for what cannot be
/// set from outside.
Parameters parameters_of(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                         const config::Scenario& data);

}  // namespace cosimo::exporting
