// Waveform relaxation (Section 2.4.3): the outputs of one sweep give the inputs of the next, relaxed with the
// weight omega of the old ones (2.35), until they agree (2.31).
#pragma once

#include "scheme/classic.hpp"
#include "scheme/corrector.hpp"

namespace cosimo {

class WaveformScheme final : public ClassicScheme {
 public:
  /// `relaxation`: omega, in [0, 1).
  WaveformScheme(LaneSet& lanes, const CouplingConditions& conditions, double t_start,
                 const ClassicOptions& options, const CorrectorOptions& corrector, double relaxation);

  void accept() override;
  void reject() override;
  void archive(Archive& a) override {
    ClassicScheme::archive(a);
    a(corrector_);
  }

 protected:
  bool solve(Candidate& candidate) override;

 private:
  Corrector corrector_;
  double relaxation_;
};

}  // namespace cosimo
