// What the import needs of an FMU is unpacked into a folder: the model description, the binaries for this
// platform, the resources. Nothing leaves the folder, whatever the archive says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fmi/zip_archive.hpp"

namespace cosimo {

/// Folders of an FMU that hold a binary for this machine: the names of FMI 3 and of FMI 2.
inline constexpr const char* fmi3_platform = "x86_64-linux";
inline constexpr const char* fmi2_platform = "linux64";

/// Of what was unpacked.
struct Unpacked {
  std::vector<std::string> platforms;  ///< for which the archive has binaries
};

/// `archive` may be inside another: `system.ssp/resources/drive.fmu`. Throws Error that names the archive,
/// the entry and what is wrong with it.
Unpacked unpack_fmu(const std::filesystem::path& archive, const std::filesystem::path& folder,
                    const UnpackLimits& limits = {});

}  // namespace cosimo
