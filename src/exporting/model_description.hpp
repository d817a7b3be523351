// modelDescription.xml of an exported FMU, as the standards 2.0 (2.2, 4.3) and 3.0 (2.4, 4.5) have it.
#pragma once

#include <string>

#include "exporting/manifest.hpp"

namespace cosimo::exporting {

/// `version`: 2 or 3. `step`: the communication step that suits the model.
std::string model_description(const Manifest& manifest, const std::string& identifier, double step,
                              int version);

/// A name that C allows, made of this one.
std::string identifier_of(const std::string& name);

}  // namespace cosimo::exporting
