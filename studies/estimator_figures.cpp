#include "studies/estimator_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cosimo::studies {
namespace {

/// At most `most` points: the least and the greatest of every group of neighbours.
Course thinned(Course course, std::size_t most = 800) {
  const std::size_t n = course.x.size(), groups = most / 2;
  if (n <= most) return course;
  Course result{.name = course.name, .style = course.style};
  const auto keep = [&](std::size_t i) {
    result.x.push_back(course.x[i]);
    result.y.push_back(course.y[i]);
  };
  for (std::size_t g = 0; g < groups; ++g) {
    const auto begin = course.y.begin() + static_cast<std::ptrdiff_t>(n * g / groups),
               end = course.y.begin() + static_cast<std::ptrdiff_t>(n * (g + 1) / groups);
    const auto [least, greatest] = std::minmax_element(begin, end);
    const auto a = static_cast<std::size_t>(least - course.y.begin()),
               b = static_cast<std::size_t>(greatest - course.y.begin());
    keep(std::min(a, b));
    if (a != b) keep(std::max(a, b));
  }
  return result;
}

/// Numbers of the figures of a model in the source.
struct Numbers {
  int motion, force, fixed, controlled, steps, errors, counts, convergence;
};
constexpr std::array<Numbers, 3> numbers{Numbers{6, 7, 8, 13, 18, 20, 21, 22},
                                         Numbers{23, 24, 25, 30, 35, 37, 39, 38},
                                         Numbers{40, 41, 42, 47, 52, 54, 55, 56}};

class Album {
 public:
  Album(Finding& finding, const ModelRuns& runs)
      : finding_(finding), m_(runs), n_(numbers.at(static_cast<std::size_t>(runs.model - 1))) {}

  void motion() {
    Figure x = figure("x1", "displacement x1", fmt::format("Figure 5.{}", n_.motion), "t in s", "x1 in m"),
           v = figure("v1", "velocity v1", x.where, "t in s", "v1 in m/s"),
           u = figure("force", "coupling force", fmt::format("Figure 5.{}", n_.force), "t in s",
                      "lambda in N");
    const auto add = [](Figure& f, const std::string& name, const auto& t, const auto& y) {
      f.courses.push_back(thinned({.name = name, .x = t, .y = y}));
    };
    add(x, "reference", m_.t, m_.x1), add(v, "reference", m_.t, m_.v1), add(u, "reference", m_.t, m_.u);
    for (std::size_t e = 0; e < estimator_names.size(); ++e) {
      const ControlledCourse& c = m_.courses[e];
      add(x, estimator_names[e], c.t, c.x1), add(v, estimator_names[e], c.t, c.v1);
      add(u, estimator_names[e], std::vector<double>(c.t.begin() + 1, c.t.end()), c.u);
    }
    put({std::move(x), std::move(v), std::move(u)});
  }

  void fixed_steps() {
    const std::string where = fmt::format("Figures 5.{} to 5.{}", n_.fixed, n_.fixed + 4);
    const auto title = [&](const char* of) {
      return fmt::format("errors of {} with H = {:g} s", of, m_.fixed_H);
    };
    Figure x = figure("fixed-x", title("positions"), where, "t in s", "m"),
           v = figure("fixed-v", title("velocities"), where, "t in s", "m/s"),
           u = figure("fixed-force", title("the predicted coupling force"), where, "t in s", "N");
    x.note = v.note = "Root mean squares over both masses.";
    for (std::size_t e = 0; e < estimator_names.size(); ++e) {
      const FixedRun& run = m_.fixed[e];
      if (judges_forces(e)) {
        pair(u, e, run.force);
      } else {
        pair(x, e, run.position);
        pair(v, e, run.velocity);
      }
    }
    put({std::move(x), std::move(v), std::move(u)});
  }

  void controlled_steps() {
    Figure states = figure("controlled", "weighted errors with controlled steps",
                           fmt::format("Figures 5.{} to 5.{}", n_.controlled, n_.controlled + 4), "t in s",
                           "norm (3.21), 1 is the tolerance"),
           steps = figure("steps", "macro step", fmt::format("Figures 5.{} and 5.{}", n_.steps, n_.steps + 1),
                          "t in s", "H in s");
    states.y.log = steps.y.log = true;
    for (std::size_t e = 0; e < estimator_names.size(); ++e) {
      const ControlledCourse& c = m_.courses[e];
      pair(states, e, c.weighted);
      Course course{.name = estimator_names[e]};
      for (std::size_t i = 0; i < c.steps.size(); ++i) {
        if (!c.steps.accepted[i]) continue;
        course.x.push_back(c.steps.t[i]);
        course.y.push_back(c.steps.H[i]);
      }
      steps.courses.push_back(thinned(std::move(course)));
    }
    put({std::move(states), std::move(steps)});
  }

  void tolerances() {
    const std::string where = fmt::format("Figure 5.{}", n_.convergence);
    over_rtol("macro-steps", "number of macro steps", fmt::format("Figure 5.{}", n_.counts),
              "accepted macro steps", &ControlledRun::steps);
    over_rtol("local-position", "local error on position level", where, "NRMSE (5.2)",
              &ControlledRun::local_pos);
    over_rtol("local-velocity", "local error on velocity level", where, "NRMSE (5.2)",
              &ControlledRun::local_vel);
    over_rtol("global-velocity", "global error on velocity level", where, "NRMSE (5.2)",
              &ControlledRun::global_vel);
  }

  void table() {
    Table table{.id = fmt::format("M{}", m_.model),
                .title = fmt::format("M{}: errors and macro steps (Figure 5.{})", m_.model, n_.errors),
                .columns = {"estimator", "rtol", "macro steps", "rejected", "mean H", "local position",
                            "local velocity", "global position", "global velocity"}};
    for (std::size_t e = 0; e < estimator_names.size(); ++e)
      for (const ControlledRun& r : m_.controlled[e])
        table.rows.push_back({estimator_names[e], r.rtol, r.steps, r.rejected, r.mean_H, r.local_pos,
                              r.local_vel, r.global_pos, r.global_vel});
    finding_.tables.push_back(std::move(table));
  }

 private:
  Figure figure(const char* id, const std::string& title, const std::string& where, const char* x,
                const char* y) const {
    return {.id = fmt::format("M{}-{}", m_.model, id),
            .title = fmt::format("M{}: {}", m_.model, title),
            .where = where,
            .x = {.label = x},
            .y = {.label = y}};
  }

  static void pair(Figure& figure, std::size_t estimator, const ErrorCourse& course) {
    figure.courses.push_back(thinned({.name = fmt::format("{} estimated", estimator_names[estimator]),
                                      .x = course.t,
                                      .y = course.estimated}));
    figure.courses.push_back(thinned(
        {.name = fmt::format("{} real", estimator_names[estimator]), .x = course.t, .y = course.real}));
  }

  void over_rtol(const char* id, const char* title, const std::string& where, const char* y,
                 double ControlledRun::*value) {
    Figure f = figure(id, title, where, "rtol", y);
    f.x.log = f.y.log = true;
    for (std::size_t e = 0; e < estimator_names.size(); ++e) {
      Course course{.name = estimator_names[e]};
      for (const ControlledRun& r : m_.controlled[e]) {
        course.x.insert(course.x.begin(), r.rtol);
        course.y.insert(course.y.begin(), r.*value);
      }
      f.courses.push_back(std::move(course));
    }
    put({std::move(f)});
  }

  void put(std::vector<Figure> figures) {
    for (Figure& f : figures) finding_.figures.push_back(std::move(f));
  }

  Finding& finding_;
  const ModelRuns& m_;
  const Numbers& n_;
};

}  // namespace

void show_estimators(Finding& finding, const ModelRuns& runs) {
  Album album(finding, runs);
  album.motion();
  album.fixed_steps();
  album.controlled_steps();
  album.tolerances();
  album.table();
}

}  // namespace cosimo::studies
