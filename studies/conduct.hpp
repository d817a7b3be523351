// Conducting studies: from a name to a folder with study.json, data/, report.html and the verdicts.
//
//   Conclusion c = conduct(find_study("safety"), {.folder = "safety.out", .scale = 1});
//   std::puts(verdict_table(c).c_str());
#pragma once

#include "studies/lab.hpp"
#include "studies/write.hpp"

namespace cosimo::studies {

/// Runs the study and writes its folder, which is made. A study that a trial's failure ends early keeps what
/// stands in Conclusion::failed. Throws LabInterrupted, and IoError when nothing can be written.
Conclusion conduct(const Study& study, const LabOptions& options);

}  // namespace cosimo::studies
