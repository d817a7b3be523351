// JSON as text that may stand inside of <script>: nothing in it ends the script or begins a comment there,
// and no line of it breaks in an unexpected place. What is not UTF-8 becomes the sign for that.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace cosimo::page {

/// Compact.
std::string dump(const nlohmann::ordered_json& json);

}  // namespace cosimo::page
