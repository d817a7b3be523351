// A scenario and the files that it names, copied into one folder where it works on its own: included files,
// sub-models, curves, tables, meshes, users' libraries, FMUs, and what these name in turn. Keys that name
// files do so wherever they stand. What is inside the scenario's folder keeps its place, everything else goes
// to `files/` and is named anew; the scenario itself is `scenario.yaml`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cosimo::exporting {

struct Carried {
  std::filesystem::path scenario;              ///< relative to the folder
  std::vector<std::string> settings;           ///< key=value, to be applied as in the original
  std::vector<std::filesystem::path> sources;  ///< what was copied
};

/// Throws Error for a file that cannot be read, IoError for one that cannot be written.
Carried carry_files(const std::filesystem::path& scenario, const std::vector<std::string>& settings,
                    const std::filesystem::path& folder);

}  // namespace cosimo::exporting
