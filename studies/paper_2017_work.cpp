// [KMS] 4.2.1 to 4.2.3, Figures 11 to 14: size of the model, number of subsystems, macro step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "studies/paper_2017.hpp"

namespace cosimo::studies {
namespace {

constexpr const char* limited = "{limit: 1}";

class Work {
 public:
  Work(Lab& lab, Finding& finding) : lab_(lab), finding_(finding), whole_(paper_whole(lab)) {}

  void work() {
    size();
    subsystems();
    macro_step();
    newton();
  }

 private:
  void judge(std::string published, std::string where, std::string ours, bool holds,
             std::string reason = {}) {
    finding_.statements.push_back(
        whole_ ? judged(std::move(published), std::move(where), std::move(ours), holds, std::move(reason))
               : not_shown(std::move(published), std::move(where), "this scale has too small a model"));
  }

  Trial uncut(const PaperModel& model) {
    return lab_.run(fmt::format("uncut-{}-{}", model.kind, model.masses),
                    model.text(lab_.seed()) + paper_solver());
  }
  static std::string cut_text(const PaperModel& model, std::uint64_t seed, double H, int degree,
                              const char* stop) {
    return model.text(seed) + paper_coupling(model, H, degree) + paper_solver(stop);
  }
  static std::string cut_name(const PaperModel& model, double H) {
    return fmt::format("cut-{}-{}-{:g}", model.kind, model.parts, H);
  }
  Trial cut(const PaperModel& model, double H, int degree, const char* stop) {
    return lab_.run(cut_name(model, H), cut_text(model, lab_.seed(), H, degree, stop));
  }
  Trial attempt_cut(const PaperModel& model, double H, int degree, const char* stop) {
    return lab_.attempt(cut_name(model, H), cut_text(model, lab_.seed(), H, degree, stop));
  }

  /// Figure 11.
  void size() {
    std::vector<double> masses{470, 940, 1880, 3760, 7520};
    if (!whole_) masses = {60, 120};
    Figure figure{.id = "uncut",
                  .title = "Uncut model: body evaluations over the number of masses",
                  .where = "Figure 11",
                  .x = {"masses", true},
                  .y = {"masses x residual evaluations", true}};
    std::vector<double> order, newton, cpu;
    for (const int kind : {1, 2}) {
      Course course{.name = fmt::format("model {}", kind), .x = masses};
      std::vector<double> seconds;
      double iterations = 0, steps = 0;
      for (const double n : masses) {
        PaperModel model = paper_model(lab_, kind);
        model.masses = static_cast<std::int64_t>(n);
        const Trial trial = uncut(model);
        const PaperWork work = work_of(trial.report());
        course.y.push_back(work.evaluations * n);
        seconds.push_back(trial.report().cpu_s);
        iterations += work.evaluations, steps += work.micro;
      }
      order.push_back(observed_order(masses, course.y));
      cpu.push_back(observed_order(masses, seconds));
      newton.push_back(iterations / steps);
      figure.courses.push_back(std::move(course));
    }
    finding_.figures.push_back(std::move(figure));
    judge("Model 1, uncut: almost linear scaling of the computation time with the degrees of freedom",
          "4.2.1, Figure 11", fmt::format("counted work grows with n^{:.2f}", order[0]), order[0] < 1.15,
          "more than n^1.15");
    judge("Model 2: the scaling factor is higher", "4.2.1, Figure 11",
          fmt::format("n^{:.2f} against n^{:.2f} of model 1", order[1], order[0]), order[1] > order[0] + 0.05,
          "no difference to speak of (0.05 is asked for); it depends on the pulses, which the paper does not "
          "give");
    judge(
        "Model 2 is stronger affected by nonlinearities: more Newton iterations are needed in each solver "
        "step",
        "4.2.1", fmt::format("residual evaluations per step: {:.2f}, model 1 {:.2f}", newton[1], newton[0]),
        newton[1] > newton[0],
        "With our pulses model 2 needs more steps, not more iterations in each of them. We have not looked "
        "further into why; "
        "the paper does not give its pulses.");
  }

  /// Figure 12.
  void subsystems() {
    const std::vector<double> counts =
        whole_ ? std::vector<double>{3, 6, 12, 24, 47, 94} : std::vector<double>{2, 3};
    Figure figure{.id = "subsystems",
                  .title = "Slowest subsystem and its share of waiting over the number of subsystems",
                  .where = "Figure 12",
                  .x = {"subsystems", true},
                  .y = {"body evaluations of the slowest subsystem over those uncut", true}};
    std::vector<std::vector<double>> share(2), idle(2);
    double doubled = 0, per_macro = 0;
    for (const int kind : {1, 2}) {
      PaperModel model = paper_model(lab_, kind);
      const Trial whole = uncut(model);
      const double all = work_of(whole.report()).evaluations * static_cast<double>(model.masses);
      const auto k = static_cast<std::size_t>(kind - 1);
      for (const double n : counts) {
        model.parts = static_cast<std::int64_t>(n);
        const Trial trial = cut(model, 1e-5, 2, limited);
        const PaperWork work = work_of(trial.report());
        share[k].push_back(work.critical / all);
        idle[k].push_back(1 - trial.report().speedup_bound / n);
        if (kind == 1 && n == counts.front()) {
          doubled = work.micro / n / work_of(whole.report()).micro;
          per_macro = work.micro / n / static_cast<double>(trial.report().macro_steps);
        }
      }
      figure.courses.push_back({.name = fmt::format("model {}", kind), .x = counts, .y = share[k]});
    }
    Course ideal{.name = "1 / subsystems", .x = counts};
    for (const double n : counts) ideal.y.push_back(1 / n);
    figure.courses.push_back(std::move(ideal));
    finding_.figures.push_back(std::move(figure));
    judge_subsystems(counts, share, idle, doubled, per_macro);
  }

  void judge_subsystems(const std::vector<double>& counts, const std::vector<std::vector<double>>& share,
                        const std::vector<std::vector<double>>& idle, double doubled, double per_macro) {
    const bool falls = std::is_sorted(share[0].rbegin(), share[0].rend()) &&
                       std::is_sorted(share[1].rbegin(), share[1].rend());
    judge("The solver time per subsystem decreases as the number of subsystems increases", "4.2.2, Figure 12",
          fmt::format("body evaluations of the slowest subsystem over those uncut: {:.2f} ({} subsystems) to "
                      "{:.3f} ({}), "
                      "model 1",
                      share[0].front(), counts.front(), share[0].back(), counts.back()),
          falls, "it does not fall from every count to the next");
    judge("Model 1: the solver usually makes one micro step per macro step (H = 1e-5)", "4.2.2",
          fmt::format("{:.2f} micro steps per macro step with {} subsystems", per_macro, counts.front()),
          per_macro < 1.5, "more than 1.5");
    judge("Model 1: the number of micro steps is almost doubled against the monolithic simulation", "4.2.2",
          fmt::format("{:.2f} times with {} subsystems", doubled, counts.front()),
          doubled > 1.5 && doubled < 2.25, "not between 1.5 and 2.25 times");
    judge("Model 1: three subsystems take about 60 % of the monolithic time instead of 33 %", "4.2.2",
          fmt::format("the slowest subsystem makes {:.0f} % of the uncut body evaluations; micro steps "
                      "{:.0f} % on average",
                      100 * share[0].front(), 100 * doubled / counts.front()),
          share[0].front() > 0.5 && share[0].front() < 0.7, "not between 50 % and 70 %");
    judge(
        "Model 2 with few subsystems has an overhead from different integration times; model 1's are almost "
        "equal",
        "4.2.2, Figure 12",
        fmt::format(
            "share of waiting for the slowest, {} and {} subsystems: model 2 {:.0f} % and {:.0f} %, model 1 "
            "{:.0f} % and {:.0f} %",
            counts[0], counts[1], 100 * idle[1][0], 100 * idle[1][1], 100 * idle[0][0], 100 * idle[0][1]),
        idle[1][0] > idle[0][0] && idle[1][1] > idle[0][1], "not in both");
    finding_.statements.push_back(not_shown(
        "With many subsystems network traffic and synchronization dominate the computation time",
        "4.2.2, Figure 12", "two cores without a network do not show it; the report of a run on ranks does"));
  }

  /// Figure 13.
  void macro_step() {
    const std::vector<double> wanted =
        whole_ ? std::vector<double>{5e-5, 2.5e-5, 2e-5, 1.25e-5, 1e-5, 5e-6, 2.5e-6}
               : std::vector<double>{1e-5, 5e-6};
    for (const int kind : {1, 2}) {
      const PaperModel model = paper_model(lab_, kind);
      std::vector<double> steps, limit, exact;
      for (const double H : wanted) {
        const std::optional<double> a = evaluations(model, H, limited), b = evaluations(model, H, "exact");
        if (!a || !b) continue;  // beyond the stability limit, which the random start moves a little
        steps.push_back(H);
        limit.push_back(*a);
        exact.push_back(*b);
      }
      if (steps.size() < 2) throw LabFailure(fmt::format("model {} is unstable at every macro step", kind));
      finding_.figures.push_back(
          {.id = fmt::format("macro-step-{}", kind),
           .title = fmt::format("Model {}: solver work over the macro step, quadratic", kind),
           .where = "Figure 13",
           .x = {"macro step", true},
           .y = {"residual evaluations per subsystem", true},
           .courses = {{.name = "h_mic <= h_mac", .x = steps, .y = limit},
                       {.name = "exact stop", .x = steps, .y = exact}}});
      judge_macro_step(kind, steps, limit, exact);
    }
  }

  /// Per subsystem; none: the run failed.
  std::optional<double> evaluations(const PaperModel& model, double H, const char* stop) {
    const Trial trial = attempt_cut(model, H, 2, stop);
    if (!trial.ok()) return std::nullopt;
    return work_of(trial.report()).evaluations / static_cast<double>(model.parts);
  }

  void judge_macro_step(int kind, const std::vector<double>& steps, const std::vector<double>& limit,
                        const std::vector<double>& exact) {
    const auto best = static_cast<std::size_t>(std::min_element(limit.begin(), limit.end()) - limit.begin());
    judge(
        fmt::format(
            "Model {}, h_mic <= h_mac: with decreasing H the time decreases to a minimum and then increases",
            kind),
        "4.2.3, Figure 13",
        fmt::format("evaluations per subsystem {:.0f} at {:g}, {:.0f} at {:g}, {:.0f} at {:g}", limit.front(),
                    steps.front(), limit[best], steps[best], limit.back(), steps.back()),
        best > 0 && best + 1 < steps.size(), "the minimum lies at an end");
    bool more = true;
    for (std::size_t i = 0; i < steps.size(); ++i) more = more && exact[i] > limit[i];
    judge(fmt::format("Model {}: stopping exactly increases the number of micro steps", kind),
          "3.2, 4.2.3, Figure 13",
          fmt::format(
              "evaluations with exact stop over the others: {:.2f} at {:g}, {:.2f} at {:g}, {:.2f} at {:g}",
              exact[0] / limit[0], steps.front(), exact[steps.size() - 2] / limit[steps.size() - 2],
              steps[steps.size() - 2], exact.back() / limit.back(), steps.back()),
          more, "not at every macro step");
    const auto low =
        static_cast<std::size_t>(std::min_element(exact.begin() + 1, exact.end()) - exact.begin());
    const double high =
        *std::max_element(exact.begin(), exact.begin() + static_cast<std::ptrdiff_t>(low) + 1);
    judge(fmt::format("Model {}, exact stop: optimum where the solver takes one micro step per macro step, "
                      "more time below",
                      kind),
          "4.2.3, Figure 13",
          fmt::format("evaluations per subsystem for H = {:g} to {:g}: {}; least at {:g}", steps.front(),
                      steps.back(), list(exact), steps[low]),
          low + 1 < steps.size() && exact.back() > exact[low]);
    judge(fmt::format("Model {}, exact stop: above the optimum the time increases with decreasing H", kind),
          "4.2.3, Figure 13",
          fmt::format("at most {:.0f} % more than at {:g}, then it falls to the optimum",
                      100 * (high / exact.front() - 1), steps.front()),
          high > 1.1 * exact.front(),
          "Less than 10 %. At these tolerances the solver takes few micro steps per macro step already at "
          "the longest; longer ones are not stable.");
  }
  static std::string list(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += fmt::format("{}{:.0f}", text.empty() ? "" : ", ", value);
    return text;
  }

  /// Figure 14.
  void newton() {
    const PaperModel model = paper_model(lab_, 1);
    const std::vector<double> steps =
        whole_ ? std::vector<double>{2.5e-5, 1e-5, 7.5e-6, 5e-6, 2.5e-6} : std::vector<double>{1e-5, 5e-6};
    Figure figure{.id = "newton",
                  .title = "Model 1: Newton iterations of the subsystem solvers over the macro step",
                  .where = "Figure 14",
                  .x = {"macro step", true},
                  .y = {"residual evaluations per subsystem", true}};
    std::vector<std::vector<double>> counts;
    for (const int degree : {1, 2}) {
      std::vector<double>& count = counts.emplace_back();
      for (const double H : steps)
        count.push_back(work_of(cut(model, H, degree, limited).report()).evaluations /
                        static_cast<double>(model.parts));
      figure.courses.push_back({.name = fmt::format("degree {}", degree), .x = steps, .y = count});
    }
    finding_.figures.push_back(std::move(figure));
    const std::size_t at = whole_ ? 2 : 1;
    judge(
        "Linear polynomials: the effect of the discontinuities is stronger", "4.2.3, Figure 14",
        fmt::format("evaluations at 2.5e-5 over those at 7.5e-6: {:.2f} (linear), {:.2f} (quadratic); at "
                    "2.5e-5 linear "
                    "{:.2f} times quadratic",
                    counts[0][0] / counts[0][at], counts[1][0] / counts[1][at], counts[0][0] / counts[1][0]),
        counts[0][0] / counts[0][at] > counts[1][0] / counts[1][at] && counts[0][0] > counts[1][0]);
    const double linear = counts[0][0] / counts[0][at], quadratic = counts[1][0] / counts[1][at];
    judge(
        "Newton iterations with H = 2.5e-5 are more than 3 times those with 7.5e-6", "4.2.3, Figure 14",
        fmt::format("{:.2f} times (linear), {:.2f} times (quadratic)", linear, quadratic),
        std::max(linear, quadratic) > 3,
        fmt::format(
            "The direction is the same with linear polynomials, the factor is smaller; per macro step it "
            "would be "
            "{:.1f}. The jumps of the coupling force that cause it depend on the motion at the cuts, and how "
            "long the paper simulates is not stated.",
            linear * steps[0] / steps[at]));
  }

  Lab& lab_;
  Finding& finding_;
  bool whole_;
};

}  // namespace

void study_paper_work(Lab& lab, Finding& finding) {
  Work(lab, finding).work();
}

}  // namespace cosimo::studies
