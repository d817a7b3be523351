// [K] 5.7: what cutting gains when the cost of the uncut model grows with the cube of its size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/lab.hpp"
#include "studies/studies.hpp"
#include "studies/work.hpp"

namespace cosimo::studies {
namespace {

constexpr std::int64_t parts = 10;

/// One size with one linear solver.
struct ScalingTrial {
  std::int64_t masses = 0;
  Report uncut, implicit;
  double uncut_seconds() const { return solver_seconds(uncut).solve; }
  double implicit_seconds() const {
    const SolverSeconds seconds = solver_seconds(implicit);
    return seconds.solve + seconds.idle;
  }
  double iterations() const {
    return static_cast<double>(implicit.corrector_iterations) / static_cast<double>(implicit.macro_steps);
  }
  double speed_up() const { return uncut_seconds() / implicit_seconds(); }
};

struct ScalingTrials {
  std::vector<ScalingTrial> dense, sparse;
  double end = 0;
  Report explicit_run,
      implicit_run;  ///< the smallest sparse model up to the time that the explicit run reached
  std::vector<Course> motion;
};

std::string scaling_chain(const Lab& lab, std::int64_t masses, double end, const char* record = "[1]") {
  return fmt::format(
      R"(cosimo: 1
model:
  chain:
    masses: {}
    mass: 10
    spring: {{c: 1.0e5, d: 1, C: 1.0e9, D: 1.0e4}}
    initial: {{x: {{uniform: [-1, 1]}}, v: {{uniform: [-100, 100]}}}}
    seed: {}
    loads: [{{powersine: {{bodies: {{fraction: 0.1}}, amplitude: {{uniform: [1.0e7, 1.0e8]}}, omega: 50, exponent: 95, sign: random}}}}]
simulate: {{end: {}, output: {}, record: {}}}
)",
      masses, lab.seed(), end, end / 200, record);
}

std::vector<std::string> scheme(const char* name, const char* estimator) {
  return {fmt::format("partition={{parts: {}}}", parts), std::string("couple.scheme=") + name,
          "couple.decomposition=force-force", std::string("control.estimator=") + estimator,
          "control.rtol=1e-4"};
}

std::vector<ScalingTrial> run_sizes(Lab& lab, const char* linear, double end,
                                    std::initializer_list<double> sizes) {
  std::vector<ScalingTrial> trials;
  const double growth = std::clamp(lab.scale(), 0.1, 8.0);
  const std::string solve = fmt::format("solve: {{method: ida, linear: {}, rtol: 1.0e-6}}\n", linear);
  for (const double size : sizes) {
    ScalingTrial trial;
    trial.masses =
        std::max<std::int64_t>(static_cast<std::int64_t>(size * growth) / parts * parts, 2 * parts);
    const std::string text = scaling_chain(lab, trial.masses, end) + solve;
    trial.uncut = lab.attempt_on(1, fmt::format("{}-{}-uncut", linear, trial.masses), text).report();
    trial.implicit =
        lab.attempt_on(1, fmt::format("{}-{}-imMD", linear, trial.masses), text, scheme("implicit", "imMD"))
            .report();
    if (trial.uncut.status != "ok" || trial.implicit.status != "ok")
      throw LabFailure(fmt::format("{} masses, {}: a run failed", trial.masses, linear));
    trials.push_back(std::move(trial));
  }
  return trials;
}

ScalingTrials run_scaling(Lab& lab) {
  ScalingTrials trials;
  trials.end = std::min(1.0, 0.02 * std::clamp(lab.scale(), 0.1, 50.0));
  trials.dense = run_sizes(lab, "dense", trials.end, {160, 320, 640});
  trials.sparse = run_sizes(lab, "klu", trials.end, {160, 320, 640, 2560});
  const std::int64_t masses = trials.sparse.front().masses;
  constexpr const char* solve = "solve: {method: ida, linear: klu, rtol: 1.0e-6}\n";
  std::vector<std::string> settings = scheme("explicit", "exMD");
  settings.push_back(
      fmt::format("control.max_steps={}", std::clamp<std::int64_t>(lab.scaled(2e4), 500, 2'000'000)));
  trials.explicit_run =
      lab.attempt("exMD", scaling_chain(lab, masses, trials.end) + solve, settings).report();
  trials.implicit_run =
      lab.run("imMD-as-long", scaling_chain(lab, masses, trials.explicit_run.outcome.time) + solve,
              scheme("implicit", "imMD"))
          .report();
  const Trial seen = lab.run("motion", scaling_chain(lab, 100, 2 * trials.end, "all") + solve);
  for (std::int64_t i = 0; i < 10; ++i) {
    Course course{.name = fmt::format("body {}", 10 * i + 5), .x = seen.results().time()};
    course.y = position_of(seen, 10 * i + 5);
    for (double& y : course.y) y += 0.96 * static_cast<double>(10 * i + 5);
    trials.motion.push_back(std::move(course));
  }
  return trials;
}

double order_of(const std::vector<ScalingTrial>& trials) {
  std::vector<double> n, seconds;
  for (const ScalingTrial& t : trials) {
    n.push_back(static_cast<double>(t.masses));
    seconds.push_back(t.uncut_seconds() / static_cast<double>(t.uncut.micro_steps_total));
  }
  return observed_order(n, seconds);
}

/// Times of small models in runs of milliseconds tell nothing about large ones.
void withdraw(std::vector<Statement>& statements) {
  for (Statement& s : statements)
    if (s.verdict != Verdict::not_shown)
      s = not_shown(s.published, s.where, "the models of this scale are too small and their runs too short");
}

void judge(const ScalingTrials& trials, std::vector<Statement>& out) {
  const ScalingTrial &dense = trials.dense.back(), &sparse = trials.sparse[2];
  const double P_dense = order_of(trials.dense), P_sparse = order_of(trials.sparse);
  out.push_back(
      timed(judged("With a sparse solver the uncut cost grows with P = 1.2", "5.7, Figure 5.77 right",
                   fmt::format("P = {:.2f} (time of a step, {} to {} masses)", P_sparse,
                               trials.sparse.front().masses, trials.sparse.back().masses),
                   std::abs(P_sparse - 1.2) < 0.35, "times of short runs")));
  out.push_back(timed(
      judged("With a dense solver it grows with P = 3", "5.7, Figure 5.77 right",
             fmt::format("P = {:.2f} (time of a step, {} to {} masses)", P_dense, trials.dense.front().masses,
                         dense.masses),
             std::abs(P_dense - 3) < 0.5,
             "a Jacobian serves many steps, and its use costs only n^2: the cube shows at larger sizes")));
  out.push_back(
      judged("The implicit scheme takes much larger macro steps (1.8e-4 s) than the explicit one (3.1e-6 s): "
             "58 times",
             "5.7",
             fmt::format("{:.1e} s and {:.1e} s up to t = {:.1e} s: {:.0f} times", trials.implicit_run.mean_H,
                         trials.explicit_run.mean_H, trials.explicit_run.outcome.time,
                         trials.implicit_run.mean_H / trials.explicit_run.mean_H),
             trials.implicit_run.mean_H > 10 * trials.explicit_run.mean_H,
             "only the beginning is simulated at this scale"));
  out.push_back(judged("The implicit scheme is more efficient than the explicit one", "5.7, Figure 5.78",
                       fmt::format("{:.3f} of its counted work on the critical path",
                                   critical_work(trials.implicit_run) / critical_work(trials.explicit_run)),
                       critical_work(trials.implicit_run) < critical_work(trials.explicit_run),
                       "only the beginning is simulated at this scale"));
  out.push_back(
      judged("The corrector needs about 2.3 iterations per macro step in all simulations", "5.7",
             fmt::format("{:.2f} to {:.2f}", std::min(dense.iterations(), trials.sparse.back().iterations()),
                         std::max(dense.iterations(), trials.sparse.back().iterations())),
             std::abs(sparse.iterations() - 2.3) < 0.8,
             "one iteration meets the tolerance of our corrector with its interface Jacobian from the "
             "integrator's own steps; the published tolerances are not stated"));
  out.push_back(timed(
      judged("A higher scaling order makes cutting gain much more", "5.7, Figure 5.78",
             fmt::format(
                 "{} masses, a core per subsystem: {:.1f} times faster with the dense, {:.1f} times with the "
                 "sparse solver",
                 dense.masses, dense.speed_up(), sparse.speed_up()),
             dense.speed_up() > 2 * sparse.speed_up(), "times of short runs")));
  constexpr const char* published =
      "5000 masses: 189 times faster with the dense, about 3 times with the sparse solver";
  if (dense.masses < 5000)
    out.push_back(
        not_shown(published, "5.7",
                  fmt::format("largest dense model here: {} masses; scale 8 reaches 5000", dense.masses)));
  else
    out.push_back(timed(
        judged(published, "5.7", fmt::format("{:.0f} and {:.1f}", dense.speed_up(), sparse.speed_up()),
               dense.speed_up() > 90 && sparse.speed_up() > 1.5, "another machine and implementation")));
  const auto share = [](const ScalingTrial& t) { return t.implicit.time.snapshot; };
  out.push_back(timed(judged(
      "Copying the solver workspace costs much more with the dense Jacobian", "5.7, Figure 5.79",
      fmt::format("{:.2g} s, sparse {:.2g} s", share(dense), share(sparse)), share(dense) > 2 * share(sparse),
      "our snapshots copy on write: what copying remains falls into the time of the solvers")));
  const auto estimate = [](const ScalingTrial& t, double P) {
    return (1 + t.iterations()) * t.uncut_seconds() / std::pow(parts, P);
  };
  out.push_back(timed(judged(
      "(4.4) estimates the time of the implicit scheme, with deviations", "5.7, Figure 5.79",
      fmt::format("ours is {:.2f} times the estimate with the sparse, {:.2f} times with the dense solver",
                  sparse.implicit_seconds() / estimate(sparse, P_sparse),
                  dense.implicit_seconds() / estimate(dense, P_dense)),
      sparse.implicit_seconds() < 4 * estimate(sparse, P_sparse),
      fmt::format("a subsystem takes {:.1f} times the micro steps of the uncut run in every integration: "
                  "macro steps limit them and the coupling forces wake the solver. That explains a part; "
                  "what else small subsystems and short integrations cost has not been separated",
                  mean_micro_step(sparse.uncut) / mean_micro_step(sparse.implicit)))));
}

Figure time_figure(const std::vector<ScalingTrial>& trials, const char* id, const char* solver) {
  Course uncut{.name = "uncut"}, implicit{.name = "imMD, a core per subsystem"};
  for (const ScalingTrial& t : trials) {
    uncut.x.push_back(static_cast<double>(t.masses));
    uncut.y.push_back(t.uncut_seconds());
    implicit.x.push_back(static_cast<double>(t.masses));
    implicit.y.push_back(t.implicit_seconds());
  }
  return {.id = id,
          .title = fmt::format("Solver time, {} linear solver", solver),
          .where = "Figures 5.77 right and 5.78",
          .x = {"masses n_K", true},
          .y = {"seconds", true},
          .courses = {std::move(uncut), std::move(implicit)},
          .timed = true};
}

Table segments(const ScalingTrials& trials) {
  Table table{.id = "segments",
              .title = "Parts of the time of imMD, seconds (Figure 5.79)",
              .columns = {"linear solver", "masses", "uncut", "solver", "idle", "snapshots", "interface",
                          "iterations per step", "mean H"},
              .rows = {},
              .timed = true};
  for (const auto* group : {&trials.dense, &trials.sparse})
    for (const ScalingTrial& t : *group) {
      const SolverSeconds seconds = solver_seconds(t.implicit);
      table.rows.push_back({std::string(group == &trials.dense ? "dense" : "sparse"), t.masses,
                            t.uncut_seconds(), seconds.solve, seconds.idle, t.implicit.time.snapshot,
                            t.implicit.time.interface, t.iterations(), t.implicit.mean_H});
    }
  return table;
}

Finding work(Lab& lab) {
  const ScalingTrials trials = run_scaling(lab);
  Finding finding;
  finding.settings = {fmt::format("Table 5.8 with up to {} masses (dense) and {} (sparse), simulated for "
                                  "{:.2g} s (published: 5000 masses, 1 s, "
                                  "reached at scales 8 and 50), 10 subsystems.",
                                  trials.dense.back().masses, trials.sparse.back().masses, trials.end),
                      "IDA with dense or KLU linear solver, rtol 1e-6; exMD and imMD with rtol 1e-4 (not "
                      "stated in the section).",
                      "Times with a core per subsystem follow (4.5) from the measured times of all "
                      "subsystems on one thread.",
                      "The exponent of the dense solver still rises with the size of the model: with up to "
                      "320 masses it was 2.0."};
  judge(trials, finding.statements);
  if (lab.scale() < 0.8) withdraw(finding.statements);
  finding.figures = {Figure{.id = "motion",
                            .title = "Displacements, 100 masses, every tenth",
                            .where = "Figure 5.77 left",
                            .x = {"t in s"},
                            .y = {"x in m, 0.96 m apart per body"},
                            .courses = trials.motion},
                     time_figure(trials.dense, "time-dense", "dense"),
                     time_figure(trials.sparse, "time-sparse", "sparse")};
  finding.tables.push_back(segments(trials));
  return finding;
}

}  // namespace

Study scaling_order() {
  return {.name = "scaling-order",
          .title = "Scaling order of the computation time",
          .source = "[K] 5.7",
          .about = {"What cutting gains when the cost of the uncut model grows with the cube of its size "
                    "(dense linear solver) and "
                    "when it grows about linearly (sparse)."},
          .seconds = 25,
          .growth = 3.5,
          .work = work};
}

}  // namespace cosimo::studies
