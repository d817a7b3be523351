// [K] A.3, example 1: elements at and beside the cuts, nonlinear elements.
#include <fmt/format.h>

#include "studies/interface_jacobian_rod.hpp"

namespace cosimo::studies::rod {

void study_couplings(Bench& bench) {
  const auto stiff = [](double factor) {
    return fmt::format("c: {}, d: {}", at_cuts(factor * element_c, element_c, element_c), damping(1e-3));
  };
  const EffortSweep c = bench.sweep("c_c / c", {1, 10, 100}, {"fd", "sap"}, stiff);
  bench.show(c, "rod-coupling-c", "Rod, stiffness of the cut elements", "Figure A.16", false);
  bench.judge_alike(c,
                    "The stiffness of the coupling elements does not affect the quality of sap significantly",
                    "A.3, Figure A.16");
  const std::size_t last = c.values.size() - 1;
  bench.judge("An increased coupling stiffness entails a reduced macro-step size", "A.3, Figure A.16",
              fmt::format("fd: mean H {:.1e} s, {:.1e} s with {:g} times the stiffness",
                          c.efforts[0][0].mean_H, c.efforts[0][last].mean_H, c.values[last]),
              c.efforts[0][last].mean_H < c.efforts[0][0].mean_H);
  const auto damped = [](double ratio) {
    return fmt::format("c: {}, d: {}", element_c, at_cuts(damping(ratio), damping(1e-3), damping(1e-3)));
  };
  const EffortSweep d =
      bench.sweep("damping ratio of cut elements", {1e-3, 0.1, 1, 10, 100}, {"fd", "sap"}, damped);
  bench.show(d, "rod-coupling-d", "Rod, damping of the cut elements", "Figure A.17", false);
  const std::size_t most = d.values.size() - 1;
  bench.judge(
      "For strongly damped coupling elements finite differences are clearly superior", "A.3, Figure A.17",
      fmt::format("damping ratio {:g} at the cuts: sap {:.2f} times the steps of fd, {:.2f} against "
                  "{:.2f} iterations "
                  "per step",
                  d.values[most], d.steps_ratio(most), d.efforts[1][most].per_step(),
                  d.efforts[0][most].per_step()),
      d.steps_ratio(most) > 1.25 || d.efforts[1][most].per_step() > 1.4 * d.efforts[0][most].per_step(),
      "The law of the coupling element enters our Newton system exactly with either Jacobian: d phi / d "
      "y is not "
      "approximated. What sap approximates is d y / d u of the subsystems, and those are lightly damped "
      "here.");
}

void study_neighbours(Bench& bench) {
  const auto stiff = [](double factor) {
    return fmt::format("c: {}, d: {}", at_cuts(element_c, factor * element_c, element_c), damping(1e-3));
  };
  const EffortSweep c = bench.sweep("c beside the cuts / c", {1, 10, 100}, {"fd", "sap"}, stiff);
  bench.show(c, "rod-next-c", "Rod, stiffness of the elements beside the cuts", "Figure A.19", false);
  bench.judge_alike(
      c, "Stiffness of the element next to the coupling element: no significant difference of the Jacobians",
      "A.3, Figure A.19");
  const auto damped = [](double ratio) {
    return fmt::format("c: {}, d: {}", element_c, at_cuts(damping(1e-3), damping(ratio), damping(1e-3)));
  };
  const EffortSweep d =
      bench.sweep("damping ratio beside the cuts", {1e-3, 0.1, 1, 10}, {"fd", "sap"}, damped);
  bench.show(d, "rod-next-d", "Rod, damping of the elements beside the cuts", "Figure A.20", false);
  bench.judge_alike(
      d, "Damping of the element next to the coupling element: no significant difference of the Jacobians",
      "A.3, Figure A.20");
}

void study_nonlinear(Bench& bench) {
  const std::string linear = fmt::format("c: {}, d: {}", element_c, damping(1e-3));
  const EffortSweep c = bench.sweep("C", {1e18, 1e19, 1e20, 1e21}, {"fd", "sap"},
                                    [&](double C) { return linear + fmt::format(", C: {}", C); });
  bench.show(c, "rod-nonlinear-c", "Rod, nonlinear stiffness", "Figure A.21", false);
  bench.judge_alike(c, "sap is sufficient if only nonlinear stiffness terms are added", "A.3, Figure A.21");
  const EffortSweep d = bench.sweep("D", {1e3, 1e4, 1e5, 1e6, 1e7}, {"fd", "sap"},
                                    [&](double D) { return linear + fmt::format(", D: {}", D); });
  bench.show(d, "rod-nonlinear-d", "Rod, nonlinear damping", "Figure A.22", true);
  const std::size_t last = d.values.size() - 1;
  bench.judge(
      "When nonlinear damping occurs finite differences are clearly superior", "A.3, Figure A.22",
      fmt::format("D = {:g}: sap {:.2f} times the steps of fd, {:.2f} against {:.2f} iterations per step",
                  d.values[last], d.steps_ratio(last), d.efforts[1][last].per_step(),
                  d.efforts[0][last].per_step()),
      d.iterations_ratio(last) > 1.4, "less than 1.4 times the iterations");
}

}  // namespace cosimo::studies::rod
