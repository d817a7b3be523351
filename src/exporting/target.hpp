// Where an exported FMU goes: looked at before the work, written whole or not at all.
//
//   require_target("car.fmu");                      before anything is built
//   require_no_source("car.fmu", carried.sources);
//   put_in_place(made, "car.fmu");
#pragma once

#include <filesystem>
#include <vector>

namespace cosimo::exporting {

/// Throws Error where no FMU can be: a folder is missing or in its place, or a file that is none.
void require_target(const std::filesystem::path& archive);
/// Throws Error where the archive would replace a file that it is made of.
void require_no_source(const std::filesystem::path& archive,
                       const std::vector<std::filesystem::path>& sources);
/// Replaces `archive` by a copy of `made`. Throws IoError; then what was there is there still.
void put_in_place(const std::filesystem::path& made, const std::filesystem::path& archive);

}  // namespace cosimo::exporting
