// What a study leaves: study.json (all of it, for programs), data/<figure>.csv and data/<table>.csv,
// report.html, and the verdict table as text.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "studies/study.hpp"

namespace cosimo::studies {

struct Conclusion {
  const Study* study = nullptr;
  Finding finding{};
  double scale = 1;
  std::uint64_t seed = 1;
  double wall_s = 0;
  std::string failed{};  ///< why it ended early; empty: it did not
};

/// Throws IoError.
void write_study(const Conclusion& conclusion, const std::filesystem::path& folder);
/// index.html and studies.json over several, whose folders lie beside it by name. Throws IoError.
void write_overview(std::span<const Conclusion> conclusions, const std::filesystem::path& folder);

/// The verdict table: published statement, our number, verdict, reason.
std::string verdict_table(const Conclusion& conclusion);
/// The verdicts and where their folders are, for programs.
std::string verdicts_json(std::span<const Conclusion> conclusions, const std::filesystem::path& folder);
/// Of all: how many statements were reproduced, and which not, with the reason.
std::string closing_table(std::span<const Conclusion> conclusions);
/// Names, what each shows, and how long it takes at that scale.
std::string study_list(double scale);
std::string study_list_json(double scale);

}  // namespace cosimo::studies
