// cosimo study: a numerical study of the documents, with its verdict table.
//
// The studies are in a program of their own, cosimo-study, which is all of cosimo and them (study.cpp). The
// program without them (other_program.cpp) becomes that one.
#pragma once

#include <cstdint>
#include <string>

#include "output.hpp"

namespace cosimo::cli {

struct StudyArguments {
  std::string name;  ///< or "all"
  std::string out;   ///< empty: study-NAME.out, for all studies.out, in the current folder
  double scale = 1;
  std::uint64_t seed = 1;
  int threads = 0;
  bool list = false;
  bool keep = false;
  Output output{};
};
int study_command(const StudyArguments& arguments);

/// Becomes cosimo-study with the same arguments; returns in cosimo-study itself, and where it is not built.
void start_studies(char** argv);

}  // namespace cosimo::cli
