// The URI of a file of this machine, as FMI 2.0 wants it. FMI 3.0 has plain paths.
#pragma once

#include <filesystem>
#include <string>

namespace cosimo::fmi {

/// "file:///tmp/my%20folder" of an absolute path.
std::string file_uri(const std::filesystem::path& path);

}  // namespace cosimo::fmi
