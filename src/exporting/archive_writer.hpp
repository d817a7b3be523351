// A zip archive of a folder. The same folder gives the same bytes, whenever and wherever.
#pragma once

#include <filesystem>

namespace cosimo::exporting {

/// Replaces `archive`. Throws IoError.
void write_archive(const std::filesystem::path& folder, const std::filesystem::path& archive);

}  // namespace cosimo::exporting
