// The steel rod of [K] A.3, example 1, and sweeps over its parameters.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "studies/interface_jacobian.hpp"

namespace cosimo::studies::rod {

inline constexpr double mass = 4.93e-1, stiffness = 3.30e8;  ///< of the whole rod; E A / L
inline constexpr int parts = 20, elements = 100;
inline constexpr double element_c = stiffness * elements, element_m = mass / elements;

/// Of a ratio d / (2 sqrt(c m)): sqrt(c m) does not depend on the number of elements.
double damping(double ratio);

/// One value for the 19 elements that are cut and one for their neighbours on the right; the rest has a
/// third.
std::string at_cuts(double cut, double next, double rest);

class Bench {
 public:
  Bench(Lab& lab, Finding& finding);

  double scale() const { return lab_.scale(); }
  double end() const { return end_; }
  Finding& finding() { return finding_; }

  /// The inside of `spring:` over the value of a parameter.
  using Spring = std::function<std::string(double)>;
  EffortSweep sweep(const std::string& parameter, std::vector<double> values,
                    std::vector<std::string> jacobians, const Spring& spring,
                    const std::function<int(double)>& masses = {});

  /// A statement that small scales do not judge.
  void judge(std::string published, std::string where, std::string ours, bool holds, std::string reason = {});
  /// sap needs about as much as fd.
  void judge_alike(const EffortSweep& s, std::string published, std::string where);
  void show(const EffortSweep& s, const std::string& id, const std::string& title, const std::string& where,
            bool draw);

 private:
  /// Fine rods are simulated over a shorter time: cost grows with the square of their masses.
  double end_of(int masses) const { return std::min(end_, end_ * 1000 / masses); }

  Lab& lab_;
  Finding& finding_;
  bool whole_;
  double end_;
};

void study_discretization(Bench& bench);  ///< Figure A.12
void study_damping_ratio(Bench& bench);   ///< Figures A.13 and A.15
void study_series(Bench& bench);          ///< Figure A.14
void study_couplings(Bench& bench);       ///< Figures A.16 and A.17
void study_neighbours(Bench& bench);      ///< Figures A.19 and A.20
void study_nonlinear(Bench& bench);       ///< Figures A.21 and A.22

}  // namespace cosimo::studies::rod
