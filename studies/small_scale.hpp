// Verdicts at scales for which a study was not made.
#pragma once

#include "studies/study.hpp"

namespace cosimo::studies {

/// Last words on the statements of a study. With `small` the runs are too short or too few to be
/// representative: nothing is judged then, neither way.
inline void conclude(Finding& finding, bool small) {
  for (Statement& s : finding.statements) {
    if (small && s.verdict != Verdict::not_shown) {
      s.verdict = Verdict::not_shown;
      s.reason = "the runs of this scale are too short and too few to tell";
    } else if (s.verdict == Verdict::differs && s.reason.empty()) {
      s.reason = "why has not been examined";
    }
  }
}

}  // namespace cosimo::studies
