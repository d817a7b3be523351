#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/asymmetry_trials.hpp"

namespace cosimo::studies {
namespace {

constexpr double ratio = 1e6;
constexpr std::size_t windows = 60;
constexpr const char* remark = "5.5, remark on the order control algorithm";

/// How far the light mass swings: half of the range of x1 within each of the windows.
struct Swing {
  std::vector<double> time, half_range;
  double last() const { return half_range.back(); }
};

Swing swing_of(const Trial& trial) {
  const std::vector<double>& t = trial.results().time();
  const std::vector<double> x = position_of(trial, 1);
  Swing swing;
  const std::size_t rows = x.size() / windows;
  for (std::size_t w = 0; w < windows; ++w) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(w * rows);
    const auto [low, high] = std::minmax_element(begin, begin + static_cast<std::ptrdiff_t>(rows));
    swing.time.push_back(t[w * rows + rows / 2]);
    swing.half_range.push_back(0.5 * (*high - *low));
  }
  return swing;
}

class UndampedBench {
 public:
  UndampedBench(Lab& lab, double end)
      : lab_(&lab),
        end_(end),
        output_(std::max(2.5e-7, end / 12000)),
        model_(asymmetric_oscillator(ratio, 0)),
        reference_(whole("reference", "rtol: 1.0e-10")) {}

  const Trial& reference() const { return reference_; }
  Trial whole(const std::string& name, const std::string& solve) const {
    return lab_->run("undamped-" + name,
                     model_ + fmt::format("simulate: {{end: {:.17g}, output: {:.17g}}}\nsolve: {{{}}}\n",
                                          end_, output_, solve));
  }
  Trial cut(const std::string& name, const AsymmetricWay& way, double rtol,
            const std::vector<std::string>& overrides = {}) const {
    return lab_->run("undamped-" + name, model_ + coupled(way, 0, end_, output_, rtol, 1000000000),
                     overrides);
  }
  double end() const { return end_; }

 private:
  Lab* lab_;
  double end_, output_;
  std::string model_;
  Trial reference_;
};

Figure swings(std::string id, std::string title, std::string where) {
  return {.id = std::move(id),
          .title = std::move(title),
          .where = std::move(where),
          .x = {.label = "time in s"},
          .y = {.label = "swing of x1 in m"},
          .courses = {},
          .note = fmt::format("Half of the range of x1 in each of {} windows.", windows)};
}

void add(Figure& figure, std::string name, const Swing& swing) {
  figure.courses.push_back({.name = std::move(name), .x = swing.time, .y = swing.half_range});
}

double share(const Trial& trial, int kappa) {
  const auto& shares = trial.report().order_share;
  const auto found = shares.find(kappa);
  return found == shares.end() ? 0 : found->second;
}

void study_order(const UndampedBench& bench, const Swing& exact, const Trial& careful, Finding& finding) {
  const Trial standard = bench.cut("listing-3.2", ways::exMD, 1e-3, {"control.order={strategy: standard}"});
  const Trial low = bench.cut("order-2", ways::exMD, 1e-3, {"control.order={max: 2}"});
  const Swing with_standard = swing_of(standard), with_low = swing_of(low), with_careful = swing_of(careful);
  Figure figure = swings("order-control", "Order control of the undamped explicit run", remark);
  add(figure, "reference", exact);
  add(figure, "Listing 3.2, degree up to 5", with_standard);
  add(figure, "Listing 3.2, degree up to 2", with_low);
  add(figure, "Listing 3.1", with_careful);
  finding.figures.push_back(std::move(figure));
  const auto relative = [&](const Swing& swing) { return swing.last() / exact.last(); };
  const auto told = [&](const Swing& swing) {
    return fmt::format("after {:g} s the light mass swings {:.3g} times as far as in the reference",
                       bench.end(), relative(swing));
  };
  finding.statements.push_back(judged(
      "Explicit, undamped, mass ratio 1e6: Listing 3.2 raises the degree to 5", remark,
      fmt::format("degree 5 in {:.1f} % of the time", 100 * share(standard, 5)), share(standard, 5) > 0.5));
  finding.statements.push_back(judged("Degree 5 results in numerical instabilities", remark,
                                      told(with_standard), relative(with_standard) > 1.1,
                                      "the swing does not grow within the simulated time"));
  finding.statements.push_back(judged("Limited to degrees of at most 2 the simulation becomes stable", remark,
                                      told(with_low), relative(with_low) < 1.02, "the swing grows"));
  finding.statements.push_back(judged(
      "Listing 3.1 detects the instabilities and lowers the order: stable even with mass ratio 1e6", remark,
      fmt::format("{}; degree 5 in {:.1f} %, degree 4 in {:.0f} % of the time", told(with_careful),
                  100 * share(careful, 5), 100 * share(careful, 4)),
      relative(with_careful) < 1.02 && share(careful, 5) < 0.05, "the swing grows, or the order stays"));
}

void study_damping(const UndampedBench& bench, const Swing& exact, const Trial& explicit_run,
                   const Trial& implicit_run, Finding& finding) {
  const Trial waveform = bench.cut("waveform", ways::waCV, 1e-3);
  const Swing ex = swing_of(explicit_run), im = swing_of(implicit_run), wa = swing_of(waveform);
  Figure figure = swings("figure-5.71", "Undamped: swing of the light mass, rtol 1e-3", "Figure 5.71");
  add(figure, "reference", exact);
  add(figure, "explicit exMD", ex);
  add(figure, "implicit imMD", im);
  add(figure, "waveform waCV", wa);
  finding.figures.push_back(std::move(figure));
  const auto left = [&](const Swing& swing) { return swing.last() / exact.last(); };
  finding.statements.push_back(
      judged("Undamped: the fast oscillation of the light mass is damped out (explicit, implicit)",
             "5.5, Figure 5.71",
             fmt::format("left of the swing after {:g} s: explicit {:.0f} %, implicit {:.0f} %", bench.end(),
                         100 * left(ex), 100 * left(im)),
             left(ex) < 0.9 && left(im) < 0.9));
  finding.statements.push_back(judged(
      "Undamped: the same with waveform relaxation", "5.5, Figure 5.71",
      fmt::format("left of the swing after {:g} s: {:.1f} %", bench.end(), 100 * left(wa)), left(wa) < 0.9,
      "waCV judges the coupling force and takes more than twice the macro steps of imMD; at this size of "
      "steps "
      "the scheme neither loses nor gains much"));
  const Swing bdf = swing_of(bench.whole("uncut", "method: ida, rtol: 1.0e-6"));
  const Swing rk = swing_of(bench.cut("implicit-rk", ways::imMD, 1e-3, {"solve.method=rk"}));
  finding.statements.push_back(
      judged("Both the co-simulation and the subsystem solver (BDF) damp", "5.5",
             fmt::format("left after {:g} s: uncut IDA {:.2f} %, implicit with IDA {:.1f} %, implicit with a "
                         "Runge-Kutta solver {:.1f} %",
                         bench.end(), 100 * left(bdf), 100 * left(im), 100 * left(rk)),
             left(bdf) < 0.999 && left(rk) < 0.99, "one of the two does not lose swing"));
}

void study_tolerance(const UndampedBench& bench, const Swing& exact, const Trial& implicit_run,
                     Finding& finding) {
  Figure figure = swings("figure-5.72", "Undamped, implicit: tighter tolerances", "Figure 5.72");
  add(figure, "reference", exact);
  std::vector<double> lost;
  std::string ours;
  const auto note = [&](double rtol, const Trial& trial) {
    const Swing swing = swing_of(trial);
    add(figure, fmt::format("rtol {:.0e}", rtol), swing);
    lost.push_back(std::fabs(1 - swing.last() / exact.last()));
    ours += fmt::format("{}rtol {:.0e}: {:.2g} %", ours.empty() ? "deviation of the swing, " : ", ", rtol,
                        100 * lost.back());
  };
  note(1e-3, implicit_run);
  for (const double rtol : {1e-4, 1e-5})
    note(rtol, bench.cut(fmt::format("implicit-{:.0e}", rtol), ways::imMD, rtol));
  finding.figures.push_back(std::move(figure));
  finding.statements.push_back(judged(
      "Undamped, implicit: reduced tolerances resolve the fast oscillation fully", "5.5, Figure 5.72", ours,
      lost[1] < 0.5 * lost[0] && lost[2] <= 0.05, "what the BDF solver damps at its own tolerance remains"));
}

}  // namespace

void study_undamped(Lab& lab, Finding& finding, double damped_error) {
  if (lab.scale() < 0.3) {
    finding.statements.push_back(not_shown("Undamped, mass ratio 1e6: order control and numerical damping",
                                           "5.5, Figures 5.71 and 5.72",
                                           "the oscillation needs more macro steps than this scale has"));
    return;
  }
  const UndampedBench bench(lab, std::min(1.0, 0.003 * lab.scale()));
  const Swing exact = swing_of(bench.reference());
  const Trial explicit_run = bench.cut("explicit", ways::exMD, 1e-3);
  const Trial implicit_run = bench.cut("implicit", ways::imMD, 1e-3);
  study_order(bench, exact, explicit_run, finding);
  study_damping(bench, exact, explicit_run, implicit_run, finding);
  study_tolerance(bench, exact, implicit_run, finding);
  const double error = Lab::error(implicit_run, bench.reference()).both;
  finding.statements.push_back(
      judged("The global error of the undamped model is rather large", "5.5, Figure 5.70",
             fmt::format("implicit, mass ratio 1e6: {:.2g} undamped, {:.2g} with a damping of 1e2 Ns/m",
                         error, damped_error),
             error > 10 * damped_error, "the damped run is not much more accurate"));
}

}  // namespace cosimo::studies
