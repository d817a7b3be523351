// Conducting studies: from a name to a folder with study.json, data/, report.html and the verdicts.
//
//   Conclusion c = conduct(find_study("safety"), {.folder = "safety.out", .scale = 1});
//   std::puts(verdict_table(c).c_str());
#pragma once

#include "studies/lab.hpp"
#include "studies/write.hpp"

namespace cosimo::studies {

/// Runs the study and writes its folder, which is made. What ends a study early stands in
/// Conclusion::failed. Throws LabInterrupted, IoError when nothing can be written, and Error when the folder
/// is another study's at work, or a run's.
Conclusion conduct(const Study& study, const LabOptions& options);

}  // namespace cosimo::studies
