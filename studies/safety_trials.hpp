// Runs of the chain of Table 5.3 over safety factors ([K] 5.3).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "studies/lab.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

struct SafetyRun {
  double safety = 0, accepted = 0, failed = 0;
  double local_error = gap;  ///< NRMSE (5.2) of positions and velocities
  double work = 0;           ///< micro steps in sequence
  double iterations = 0;     ///< of the corrector, per attempted macro step
  double cpu_s = 0;
  double ratio() const { return failed / accepted; }
};

/// By rising safety factors.
struct SafetySeries {
  std::string estimator;
  double rtol = 1e-4;
  std::vector<SafetyRun> runs{};
  const SafetyRun& at(double safety) const {
    return *std::find_if(runs.begin(), runs.end(), [&](const SafetyRun& r) { return r.safety == safety; });
  }
};

struct SafetyModel {
  std::int64_t masses = 150, parts = 15;
  double end = 0.1;
  std::string solver = "auto";
};

/// Least and greatest of a value over series.
struct Range {
  double least = 1e300, most = -1e300;
  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

SafetySeries run_series(Lab& lab, const SafetyModel& model, const std::string& estimator, double rtol,
                        const std::vector<double>& safeties, bool local_errors);

/// A course per series over the safety factor.
Figure over_safety(Figure figure, const std::vector<SafetySeries>& all,
                   const std::function<double(const SafetyRun&)>& value);

/// Figure 5.61: what the safety factor costs, with exMD and with imMD.
void judge_safety_costs(Finding& finding, const SafetySeries& ex, const SafetySeries& im);

}  // namespace cosimo::studies
