// Where an importer says that the resources are.
#pragma once

#include <filesystem>

namespace cosimo::exporting {

/// Of FMI 2.0: a URI. Throws Error where it names no folder of this machine.
std::filesystem::path path_of_uri(const char* uri);
/// Of FMI 3.0: a path.
std::filesystem::path path_of(const char* path);

}  // namespace cosimo::exporting
