#include "scheme/waveform.hpp"

namespace cosimo {

WaveformScheme::WaveformScheme(LaneSet& lanes, const CouplingConditions& conditions, double t_start,
                               const ClassicOptions& options, const CorrectorOptions& corrector,
                               double relaxation)
    : ClassicScheme(lanes, conditions, t_start, options),
      corrector_(conditions, corrector, u_, lanes.seam()),
      relaxation_(relaxation) {}

bool WaveformScheme::solve(Candidate& candidate) {
  corrector_.begin(window_.end, u_pre_);
  if (!sweep(candidate, true, 0.0)) return false;
  y_first_ = y_;
  for (;;) {
    // Relaxed inputs lag behind u: they are what has to come to rest.
    corrector_.before(ends_, y_);
    lanes_.repeat();
    if (!sweep(candidate, false, relaxation_)) return false;
    if (!corrector_.ends(ends_, y_, candidate)) continue;
    return settle(candidate) && candidate.ok;
  }
}

void WaveformScheme::accept() {
  corrector_.keep(u_);
  ClassicScheme::accept();
}

void WaveformScheme::reject() {
  corrector_.forget();
  ClassicScheme::reject();
}

}  // namespace cosimo
