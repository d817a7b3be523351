// How long the two runs of a comparison took, from their summaries, and the comparison for programs.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cosimo/cosimo.hpp"

namespace cosimo::cli {

struct WallTimes {
  bool known = false;  ///< both runs came to the same end, in one go
  double a_s = 0, reference_s = 0;
  std::int64_t a_threads = 1, reference_threads = 1;  ///< of all ranks
};
WallTimes wall_times(const std::filesystem::path& a, const std::filesystem::path& reference);

/// "Wall time 0.52 s against 4.1 s: 7.9 times as fast". Empty: not known.
std::string to_text(const WallTimes& times);

nlohmann::ordered_json document(const std::string& a, const std::string& reference, const Comparison& result,
                                const WallTimes& times);

}  // namespace cosimo::cli
