#include "planning/plan_recommend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"
#include "planning/plan_predict.hpp"

namespace cosimo {

namespace {

/// Less than this is not worth the error that cuts add.
constexpr double least_speedup = 1.1;

/// Faster than the file's settings by this, another scheme or number of parts is recommended.
constexpr double clearly_faster = 1.15;

constexpr double most_of_target = 2;

bool acceptable(const SchemeTrial& trial, const CutPlan& plan) {
  if (!trial.ok || trial.predictions.empty() || trial.parts < 2) return false;
  if (!(plan.error_target > 0)) return true;
  return trial.error_seen < 0 ? trial.of_file : trial.error_seen <= most_of_target * plan.error_target;
}

double wall_here(const SchemeTrial& trial, const CutPlan& plan) {
  return prediction_on(trial, plan.machine_cores).wall_s.value;
}

/// The most that any number of cores gives, and where four fifths of it are reached.
struct Reach {
  double now = 0, most = 0, enough = 0;
  std::int64_t cores = 0;
};

Reach reach_of(const SchemeTrial& trial, const CutPlan& plan) {
  Reach reach;
  reach.now = prediction_on(trial, plan.machine_cores).speedup;
  for (const Prediction& p : trial.predictions) reach.most = std::max(reach.most, p.speedup);
  if (trial.of_file)
    for (const ExpectedTime& time : plan.times) reach.most = std::max(reach.most, time.speedup);
  for (const Prediction& p : trial.predictions) {
    reach.enough = p.speedup;
    reach.cores = p.cores;
    if (p.speedup >= std::max(least_speedup, 0.8 * reach.most)) break;
  }
  return reach;
}

/// Of a team on this machine against one thread, the model left whole.
double speedup_whole(const CutPlan& plan) {
  double best = 1;
  for (const SchemeTrial& trial : plan.schemes)
    if (trial.ok && trial.parts == 1 && !trial.predictions.empty())
      best = std::max(best, prediction_on(trial, plan.machine_cores).speedup);
  return best;
}

std::string verdict(const SchemeTrial& trial, CutPlan& plan) {
  const Reach reach = reach_of(trial, plan);
  const double whole = speedup_whole(plan);
  plan.worth_cutting = reach.most >= least_speedup * whole;
  if (!plan.worth_cutting && whole > least_speedup)
    return fmt::format(
        "Do not cut: left whole the model is expected to be {:.1f} times as fast on {}, and cut {:.1f} times "
        "at most.",
        whole, counted(plan.machine_cores, "core"), reach.most);
  if (!plan.worth_cutting)
    return fmt::format("Do not cut: even with unlimited cores the expected speed-up is only {:.2f}.",
                       reach.most);
  const std::string how = trial.of_file ? "Cut as proposed" : fmt::format("Cut as proposed, {}", trial.name);
  if (reach.now >= least_speedup * whole)
    return fmt::format("{}: expected {:.1f} times as fast on {}, {:.1f} times at most.", how, reach.now,
                       counted(plan.machine_cores, "core"), reach.most);
  return fmt::format(
      "{} if more cores are available: expected {:.2f} times as fast on {}{}, but {:.1f} times on {}.", how,
      reach.now, counted(plan.machine_cores, "core"),
      whole > 1 ? fmt::format(" (left whole {:.2f} times)", whole) : "", reach.enough,
      counted(reach.cores, "core"));
}

/// Why there is nothing to choose from.
std::string no_choice(const CutPlan& plan) {
  if (plan.parts.size() == 1)
    return "Do not cut: as one part the model is cheapest; --set partition.parts=N still proposes N parts.";
  if (plan.status == CutPlan::Status::interrupted)
    return "No recommendation: the pilot runs were interrupted.";
  if (plan.status == CutPlan::Status::ok)
    return "Do not cut: with scheme auto this scenario is run uncut (see the remark above).";
  return "No recommendation: a pilot run failed.";
}

std::string why(const SchemeTrial& trial, const CutPlan& plan) {
  const auto own = plan.schemes.begin();
  if (trial.of_file) return "no other scheme is expected to be clearly faster at this error";
  if (own == plan.schemes.end() || !own->ok || own->predictions.empty())
    return fmt::format("the file's own settings did not run; {}", trial.reason);
  return fmt::format("{:.1f} times as fast as {} on {}", wall_here(*own, plan) / wall_here(trial, plan),
                     own->name, counted(plan.machine_cores, "core"));
}

}  // namespace

std::size_t best_scheme(const CutPlan& plan) {
  const std::size_t none = plan.schemes.size();
  std::size_t best = none;
  for (std::size_t i = 0; i < none; ++i) {
    if (!acceptable(plan.schemes[i], plan)) continue;
    if (best == none) {
      best = i;
      continue;
    }
    const double lead = plan.schemes[best].of_file ? clearly_faster : 1;
    if (lead * wall_here(plan.schemes[i], plan) < wall_here(plan.schemes[best], plan)) best = i;
  }
  return best;
}

std::size_t better_parts(const CutPlan& plan, std::size_t best) {
  std::size_t found = plan.part_counts.size();
  double fastest = wall_here(plan.schemes[best], plan) / clearly_faster;
  for (std::size_t i = 0; i < plan.part_counts.size(); ++i) {
    const SchemeTrial& trial = plan.part_counts[i];
    if (!acceptable(trial, plan) || wall_here(trial, plan) >= fastest) continue;
    fastest = wall_here(trial, plan);
    found = i;
  }
  return found;
}

void recommend(const Proposal& proposal, const SchemeTrial* chosen, bool parts_open, CutPlan& plan) {
  Recommendation& r = plan.recommended;
  r = {"uncut", 1, "none", 0, {"partition=none"}, ""};
  if (chosen == nullptr || plan.status == CutPlan::Status::interrupted) {
    plan.recommendation = no_choice(plan);
    r.reason = plan.recommendation;
    if (plan.parts.size() > 1 && !parts_open) {  // the cuts of the file's wish, as the file couples them
      const std::string scheme = plan.schemes.empty() ? "as the file says" : plan.schemes.front().name;
      r = {scheme, static_cast<std::int64_t>(plan.parts.size()), "", 0, {proposal.setting}, r.reason};
      if (!plan.schemes.empty()) r.estimator = plan.schemes.front().estimator;
      if (!plan.schemes.empty()) r.rtol = plan.schemes.front().rtol;
    }
    return;
  }
  plan.recommendation = verdict(*chosen, plan);
  r.reason = why(*chosen, plan);
  if (!plan.worth_cutting && parts_open) return;
  r.scheme = chosen->name;
  r.parts = chosen->parts;
  r.estimator = chosen->estimator;
  r.rtol = chosen->rtol;
  r.settings = {proposal.setting};
  r.settings.insert(r.settings.end(), chosen->settings.begin(), chosen->settings.end());
}

}  // namespace cosimo
