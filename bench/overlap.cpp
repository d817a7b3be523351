// Overlapping subsystems on the chain of Table 5.9, against the fastest uncut run on one thread and against
// classic cuts.
//
// Nothing is compared at equal tolerance: the measured error (rms over some 200 bodies of the NRMSE (5.1) of
// x) of every run is looked up in the work-precision curve of the uncut solver, and
//
//   gain = time of the uncut run at the error of this run / time of this run.
//
// First macro step, layers and number of parts are tuned by hand, in a sweep. Then the winner, the
// default settings, the pairs of the published table, the classic scheme and the uncut runs take turns,
// so that a lucky measurement in the sweep counts for nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bench/benchmarks.hpp"
#include "bench/curve.hpp"
#include "bench/overlap_settings.hpp"
#include "bench/scenarios.hpp"
#include "bench/yardstick.hpp"

namespace cosimo::bench {

namespace {

constexpr Pair published[] = {{"5e-6", 16}, {"1e-5", 24}, {"5e-5", 48}};
constexpr Pair swept[] = {{"1e-5", 24}, {"2e-5", 24}, {"2e-5", 32}, {"5e-5", 48},
                          {"1e-5", 0},  {"2e-5", 0},  {"4e-5", 0}};
constexpr std::pair<const char*, const char*> classic_tolerances[] = {
    {"1e-4", "1e-5"}, {"1e-5", "3e-6"}, {"1e-5", "1e-6"}, {"1e-6", "1e-6"}};
constexpr std::size_t finalists = 2;  ///< of the sweep
constexpr const char* tolerances[] = {"1e-5", "3e-6", "1e-6", "3e-7", "1e-7"};

/// Runs of one size, all against the same reference.
class Study {
 public:
  Study(Size size, const Options& options, Table& table)
      : size_(std::move(size)), options_(options), table_(table), text_(overlap_scenario(size_)) {
    run_to(
        text_,
        {"reference", {"partition=none", "solve.method=rk", "solve.rtol=1e-11", "solve.atol_pos=1e-14"}, 1},
        scratch_ / "reference");
  }

  void run(const std::vector<int>& threads) {
    std::vector<std::vector<Candidate>> tuned;
    for (const int t : threads) tuned.push_back(t > 1 ? tune(t) : std::vector<Candidate>{});
    finals(threads, tuned);
    prototype(threads.back());
  }

 private:
  /// The settings by hand with the largest gains, the best first.
  std::vector<Candidate> tune(int threads) {
    std::vector<Candidate> all = uncut_runs();
    const std::size_t cut = all.size();
    for (const int parts : size_.parts)
      for (const Pair pair : swept) all.push_back(fixed(pair, parts, threads));
    const auto runs = measured(all, size_.sweep_rounds);
    std::vector<std::size_t> order;
    for (std::size_t i = cut; i < runs.size(); ++i) {
      table_.remark(fmt::format("sweep: {}", line(runs[i])));
      order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return gain(runs[a]) > gain(runs[b]); });
    std::vector<Candidate> best;
    for (std::size_t i = 0; i < finalists; ++i) best.push_back(all[order[i]]);
    return best;
  }

  /// What is judged, all in turns.
  void finals(const std::vector<int>& threads, const std::vector<std::vector<Candidate>>& tuned) {
    std::vector<Candidate> all = uncut_runs();
    const std::size_t cut = all.size();
    for (const auto& [control, solve] : classic_tolerances)
      all.push_back(classic(control, solve, false, size_.published_parts, threads.back()));
    const std::size_t pairs = all.size();
    all.push_back(classic("1e-3", "1e-6", true, size_.published_parts, threads.back()));
    for (const Pair pair : published) all.push_back(fixed(pair, size_.published_parts, threads.back()));
    const std::size_t ours = all.size();
    const int parts = tuned.back().empty() ? size_.published_parts : tuned.back().front().parts;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const int p = tuned[i].empty() ? parts : tuned[i].front().parts;
      all.push_back(defaults(p, threads[i], false));
      all.push_back(defaults(p, threads[i], true));
      all.push_back(defaults(0, threads[i], false));
      all.insert(all.end(), tuned[i].begin(), tuned[i].end());
    }
    const auto runs = measured(all, size_.rounds);
    for (const Measured& m : runs) table_.remark(line(m));
    const auto group = [&](std::size_t from, std::size_t to) {
      return std::span(runs).subspan(from, to - from);
    };
    against_uncut(best_of(group(cut, pairs)), std::nullopt);
    for (const Measured& m : group(pairs, ours)) against_uncut(m, std::nullopt);
    std::size_t at = ours;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const std::size_t end = at + 3 + tuned[i].size();
      on_threads(group(at, end), target(threads[i]));
      if (threads[i] == threads.back()) against_classic(runs[at], curve(group(cut, pairs)));
      at = end;
    }
  }

  /// Rows for one number of threads: default, default with rk, default with automatic parts, tuned by hand.
  void on_threads(std::span<const Measured> runs, std::optional<double> wanted) {
    against_uncut(runs[0], wanted);
    for (const Measured& m : runs.subspan(1, 2)) against_uncut(m, std::nullopt);
    if (runs.size() == 3) return;
    const Measured& best = best_of(runs.subspan(3));
    against_uncut(best, std::nullopt);
    against_tuned(runs[0], best, true);
    against_tuned(runs[1], best, false);
  }

  const Measured& best_of(std::span<const Measured> runs) const {
    return *std::max_element(runs.begin(), runs.end(),
                             [&](const Measured& a, const Measured& b) { return gain(a) < gain(b); });
  }

  /// The published pairs in the prototype, times only: it has its own initial state and no reference.
  void prototype(int threads) {
    const auto time = [&](const char* H, int layers, int parts, int t) {
      return yardstick(
          "COSIMO_OVERLAP_YARDSTICK",
          fmt::format("{} {} {} 0 {} {} {} 1e-6 -", size_.masses, size_.end, H, layers, parts, t), "t=");
    };
    const double whole = time("5e-5", 0, 1, 1);
    if (!std::isfinite(whole)) {
      table_.remark("no yardstick given: the prototype is not compared (see bench/run --overlap-yardstick)");
      return;
    }
    double best = INFINITY;
    std::string name;
    for (const int parts : size_.parts)
      for (const Pair pair : published)
        if (const double s = time(pair.H, pair.layers, parts, threads); s < best) {
          best = s;
          name = fmt::format("H {}, {} layers, {} parts", pair.H, pair.layers, parts);
        }
    table_.add({"overlap", fmt::format("{} masses, prototype: {}, {}", size_.masses, name, on(threads)),
                "prototype uncut", whole, best, "s", whole / best, Goal::none, 0,
                "rtol 1e-6, errors not measured"});
  }

  static std::vector<Candidate> uncut_runs() {
    std::vector<Candidate> all;
    for (const char* rtol : tolerances) all.push_back(uncut(rtol));
    return all;
  }

  /// Measures all in turns; the uncut ones, which come first, become the curve to compare with.
  std::vector<Measured> measured(const std::vector<Candidate>& all, int rounds) {
    std::vector<Setting> settings;
    for (const Candidate& c : all) settings.push_back(c.setting);
    auto runs = measure(text_, settings, scratch_ / "reference", {}, rounds, scratch_);
    uncut_ = curve(std::span(runs).first(std::size(tolerances)));
    return runs;
  }

  static Curve curve(std::span<const Measured> runs) {
    Curve points;
    for (const Measured& m : runs)
      points.push_back({0, m.seconds, m.compared.position_rms, m.report.micro_steps_max});
    return points;
  }

  /// Where a curve reaches the error of a run; its most accurate point where it does not.
  static Point equally_good(const Curve& points, const Measured& m) {
    const Point p = at_error(points, m.compared.position_rms);
    if (std::isfinite(p.seconds)) return p;
    return *std::min_element(points.begin(), points.end(),
                             [](const Point& a, const Point& b) { return a.error < b.error; });
  }

  /// 0 for a run that is worse than every uncut one: too few layers.
  double gain(const Measured& m) const {
    const auto worst = std::max_element(uncut_.begin(), uncut_.end(),
                                        [](const Point& a, const Point& b) { return a.error < b.error; });
    if (!(m.compared.position_rms <= worst->error)) return 0;
    return equally_good(uncut_, m).seconds / m.seconds;
  }

  std::string line(const Measured& m) const {
    return fmt::format(
        "{:<58} {:.4f} s, error of x {:.2e}, {} macro steps of {:.3g} ({} rejected), {} layers, "
        "{} micro steps at most, gain {:.2f}",
        m.setting.name, m.seconds, m.compared.position_rms, m.report.macro_steps, m.report.mean_H,
        m.report.rejected_steps, m.report.layers, m.report.micro_steps_max, gain(m));
  }

  std::optional<double> target(int threads) const {
    for (const auto& [t, wanted] : size_.targets)
      if (t == threads && !options_.quick) return wanted;
    return std::nullopt;
  }

  void against_uncut(const Measured& m, std::optional<double> wanted) {
    const Point p = equally_good(uncut_, m);
    row(m, "uncut rk, equal error", p, p.seconds / m.seconds, wanted ? Goal::at_least : Goal::none,
        wanted.value_or(0));
  }

  void against_classic(const Measured& m, const Curve& points) {
    const Point p = equally_good(points, m);
    row(m, fmt::format("classic, equal error, {}", on(m.setting.threads)), p, p.seconds / m.seconds,
        Goal::none, 0);
  }

  void against_tuned(const Measured& m, const Measured& best, bool judged) {
    const Point p{0, best.seconds, best.compared.position_rms, 0};
    row(m, fmt::format("{}; ratio of gains", best.setting.name), p, gain(best) / gain(m),
        judged && !options_.quick ? Goal::at_most : Goal::none, 1.15);
  }

  void row(const Measured& m, const std::string& reference, const Point& theirs, double ratio, Goal goal,
           double wanted) {
    table_.add({"overlap", fmt::format("{} masses, {}", size_.masses, m.setting.name), reference,
                theirs.seconds, m.seconds, "s", ratio, goal, wanted,
                fmt::format("errors of x {:.1e}, {:.1e}", theirs.error, m.compared.position_rms)});
  }

  Size size_;
  const Options& options_;
  Table& table_;
  std::string text_;
  Scratch scratch_;
  Curve uncut_;
};

/// 1, 2 and 16 as far as there are cores; with --threads N, 1 and N.
std::vector<int> thread_counts(const Options& options) {
  if (options.threads > 0) return options.threads > 1 ? std::vector{1, options.threads} : std::vector{1};
  std::vector<int> counts{1};
  for (const int t : {2, 16})
    if (options.thread_count() >= t) counts.push_back(t);
  return counts;
}

}  // namespace

void overlap(const Options& options, Table& table) {
  const auto threads = thread_counts(options);
  const bool many = threads.back() >= 16;
  const Size small{.masses = 10'000,
                   .end = options.quick ? 5e-4 : 5e-3,
                   .parts = {2, 4, 10, 20},
                   .published_parts = 10,
                   .watched = 20,
                   .sweep_rounds = options.quick ? 1 : 2,
                   .rounds = options.quick ? 1 : 4,
                   .targets = {{2, 1.7}}};
  Study(small, options, table).run(threads);
  if (options.quick) return;
  Size large{.masses = 100'000,
             .end = many ? 2e-3 : 1e-3,
             .parts = {10, 20, 100},
             .published_parts = 100,
             .watched = 20,
             .sweep_rounds = 1,
             .rounds = 3,
             .targets = {{2, 2.2}, {16, 20}}};
  if (options.full) large.end = small.end;
  if (many) {
    large.parts = {16, 32, 96};
    large.published_parts = 96;
    large.watched = 32;
  }
  Study(large, options, table).run(threads);
}

}  // namespace cosimo::bench
