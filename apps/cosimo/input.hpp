// Where a command takes its scenario from: a file, or standard input, which the name "-" means.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "cosimo/cosimo.hpp"

namespace cosimo::cli {

/// What messages and output folders call a scenario from standard input.
inline constexpr const char* input_name = "stdin";

inline bool from_input(const std::string& file) {
  return file == "-";
}

/// All of standard input, which can be read only once: later calls give the same text.
const std::string& read_input();

Scenario load(const std::string& file, std::span<const std::string> overrides);
/// The same on all ranks; the first one reads for all.
Scenario load(const std::string& file, std::span<const std::string> overrides, Cluster& cluster);

/// "model.out" for the scenario model.yaml and the ending ".out"; `out` where it is given.
std::filesystem::path output_folder(const std::string& file, const std::string& out, const char* ending);

}  // namespace cosimo::cli
