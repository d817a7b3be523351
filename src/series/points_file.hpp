// Points from a CSV file: keys in the first line, a variant in every other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/faults.hpp"

namespace cosimo::series {

struct PointsFile {
  std::vector<std::string> keys;
  std::vector<std::vector<std::string>> rows;
};

/// Fields may be quoted (RFC 4180); empty lines and lines that begin with # are passed over. Faults are
/// collected, with the line of that file.
PointsFile read_points(const std::filesystem::path& file, config::Faults& faults);

}  // namespace cosimo::series
