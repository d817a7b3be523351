#include "simulation/resolve_coupling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/error.hpp"
#include "model/traits.hpp"
#include "scheme/sequence.hpp"

namespace cosimo {

namespace {

/// Accelerations are continued and integrated.
bool integrates_motion(const config::Couple& couple) {
  return couple.predictor == config::Predictor::acc || couple.predictor == config::Predictor::accrel;
}

/// What judges classic cuts; none with a fixed step, unless one is given. A model that is not cut may carry
/// the estimator of overlaps.
Estimator classic_estimator(const config::Scenario& s) {
  if (s.control.estimator && s.control.estimator != Estimator::exOV) return *s.control.estimator;
  if (s.control.step) return Estimator::none;
  switch (s.couple.scheme.value_or(SchemeKind::explicit_)) {
    case SchemeKind::implicit:
    case SchemeKind::semi_implicit:
      return Estimator::imCV;
    case SchemeKind::waveform:
      return Estimator::waCV;
    case SchemeKind::explicit_:
      break;
  }
  return Estimator::exCV;
}

ClassicOptions classic_options(const config::Scenario& s, const CouplingPlan& plan,
                               const MotionScale& scale) {
  ClassicOptions options;
  options.estimator = plan.estimator;
  options.norms = {plan.rtol, s.control.atol_pos.value_or(0), s.control.atol_vel.value_or(0),
                   s.control.atol_u.value_or(0.0), &scale};
  options.predictor.least_squares_points = static_cast<int>(s.couple.least_squares);
  if (integrates_motion(s.couple)) {
    MotionOptions motion;
    motion.degree = static_cast<int>(s.couple.predictor_degree);
    if (s.couple.predictor == config::Predictor::accrel) motion.omega = s.couple.predictor_omega;
    motion.whole_course = s.couple.predictor_whole_course;
    motion.update = s.couple.predictor_update;
    options.motion = motion;
  }
  options.consistent_update = s.couple.update == config::Update::consistent;
  return options;
}

CorrectorOptions corrector_options(const config::Scenario& s, const CouplingPlan& plan) {
  CorrectorOptions options;
  // A tolerance of its own has absolute ones of its own, unless they are given.
  options.norms = plan.classic.norms;
  options.norms.rtol =
      s.couple.corrector_rtol.value_or(plan.estimator != Estimator::none ? plan.rtol : s.solve.rtol);
  options.norms.atol_u = s.couple.corrector_atol.value_or(options.norms.atol_u);
  options.judge_states = plan.estimator == Estimator::imMD;
  options.tau = s.couple.tau;
  options.max_iterations = static_cast<int>(s.couple.max_iterations);
  options.go_on = !plan.judged;  // steps of fixed size do not wait for a corrector that does not converge
  return options;
}

/// Solvers without derivatives know fd and sap only: fd takes the place of the usual `sensitivity`, other
/// methods are refused.
JacobianMethod jacobian_method(const config::Scenario& s, const Model& model) {
  const JacobianMethod wanted = s.couple.jacobian;
  if (traits_of(model).derivatives) return wanted;
  if (wanted == JacobianMethod::sensitivity) return JacobianMethod::fd;
  const std::string word(word_of(wanted));
  if (wanted == JacobianMethod::rk || (wanted == JacobianMethod::series && s.couple.series_terms > 1))
    throw Error(
        {Fault{s.file, 0, 0, "couple.jacobian",
               wanted == JacobianMethod::rk ? word : fmt::format("{{{}: {}}}", word, s.couple.series_terms),
               "models with bodies, joints and elements of their own do not know this method",
               "write `jacobian: fd` or `jacobian: sap`"}});
  return wanted;
}

JacobianOptions jacobian_options(const config::Scenario& s, const Model& model) {
  JacobianOptions options;
  options.method = jacobian_method(s, model);
  options.terms = options.method == JacobianMethod::series ? static_cast<int>(s.couple.series_terms) : 1;
  options.always = s.couple.refresh == config::Refresh::always;
  options.perturbation_min = s.couple.perturbation_min;
  return options;
}

OverlapOptions layers_options(const config::Scenario& s, const CouplingPlan& plan, const MotionScale& scale) {
  OverlapOptions options;
  options.rtol = plan.rtol;
  const double ratio = options.rtol / s.solve.rtol;
  options.atol_pos = s.control.atol_pos.value_or(ratio * s.solve.atol_pos.value_or(0));
  options.atol_vel = s.control.atol_vel.value_or(ratio * s.solve.atol_vel.value_or(0));
  options.scale = &scale;
  options.safety = s.control.safety;
  if (s.couple.layers) options.layers = static_cast<int>(*s.couple.layers);
  return options;
}

OverlapControlOptions layers_control_options(const config::Scenario& s) {
  OverlapControlOptions options;
  options.first_step = s.control.step.value_or(s.control.first_step.value_or(0.0));
  options.min_step = s.control.min_step.value_or(0.0);
  if (s.control.max_step) options.max_step = *s.control.max_step;
  options.step_fixed = s.control.step.has_value();
  options.t_end = s.simulate.end;
  options.output = s.simulate.output.value_or(0.0);
  return options;
}

/// Lanes that subsystems need beside the actual ones.
Beside beside(const CouplingPlan& plan) {
  if (plan.estimator == Estimator::exLE || plan.estimator == Estimator::exMD) return Beside::comparison;
  return plan.newton() && plan.jacobian.method == JacobianMethod::fd ? Beside::perturbed : Beside::none;
}

/// The order of parts that the file gives for Gauss-Seidel, from 0; empty: automatic.
std::vector<std::int32_t> part_order(const config::Scenario& s, std::size_t parts) {
  std::vector<std::int32_t> order;
  std::vector<bool> seen(parts);
  const auto wrong = [&](std::int64_t part, const std::string& problem) {
    throw Error({Fault{s.file, 0, 0, "couple.sequence.gauss-seidel", std::to_string(part), problem,
                       "name every part from 1 to " + std::to_string(parts) + " exactly once"}});
  };
  for (const std::int64_t part : s.couple.order) {
    if (part < 1 || part > static_cast<std::int64_t>(parts)) wrong(part, "there is no such part");
    if (seen[static_cast<std::size_t>(part - 1)]) wrong(part, "the part is named twice");
    seen[static_cast<std::size_t>(part - 1)] = true;
    order.push_back(static_cast<std::int32_t>(part - 1));
  }
  if (!order.empty() && order.size() < seen.size())
    wrong(1 + (std::find(seen.begin(), seen.end(), false) - seen.begin()), "the part is missing");
  return order;
}

/// Sequence, update, predictor, Jacobian, relaxation.
std::string details(const config::Couple& couple, const CouplingPlan& plan) {
  std::vector<std::string> words;
  if (couple.sequence == config::Sweep::gauss_seidel)
    words.push_back(couple.order.empty() ? "gauss-seidel"
                                         : fmt::format("gauss-seidel {}", fmt::join(couple.order, "-")));
  if (!plan.classic.consistent_update) words.emplace_back("no update");
  if (couple.predictor == config::Predictor::least_squares)
    words.push_back(fmt::format("least squares over {}", couple.least_squares));
  if (integrates_motion(couple)) {
    std::string text = fmt::format("{} {}", word_of(couple.predictor), couple.predictor_degree);
    if (couple.predictor == config::Predictor::accrel)
      text += fmt::format(" omega {:.4g}", couple.predictor_omega);
    if (couple.predictor_whole_course) text += " whole course";
    if (!couple.predictor_update) text += " without update";
    words.push_back(std::move(text));
  }
  if (plan.newton()) {
    words.emplace_back(word_of(plan.jacobian.method));
    if (plan.jacobian.method == JacobianMethod::series)
      words.back() += fmt::format(" {}", plan.jacobian.terms);
  }
  if (plan.scheme == SchemeKind::waveform) words.push_back(fmt::format("relaxation {:.4g}", plan.relaxation));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

ControlOptions control_options(const config::Scenario& s) {
  const config::Control& c = s.control;
  ControlOptions options;
  options.safety = c.safety;
  options.r_min = c.r_min;
  options.r_max = c.r_max;
  options.dead_zone = c.dead_zone;
  options.first_step = c.step.value_or(c.first_step.value_or(0.0));
  options.min_step = c.min_step.value_or(0.0);
  if (c.max_step) options.max_step = *c.max_step;
  options.order_max = static_cast<int>(c.order.value_or(c.order_max));
  options.order_fixed = c.order.has_value();
  if (s.couple.predictor == config::Predictor::acc) {  // its order is its degree
    options.order_max = static_cast<int>(s.couple.predictor_degree);
    options.order_fixed = true;
  }
  options.strategy = c.strategy;
  options.step_fixed = c.step.has_value();
  // exLE and exMD compare with a prediction of one degree more, which needs one more point.
  const Estimator judge = classic_estimator(s);
  options.spare_points = judge == Estimator::exLE || judge == Estimator::exMD ? 1 : 0;
  options.calibrate = judge == Estimator::imMD;
  return options;
}

CouplingPlan resolve_coupling(const config::Scenario& s, const Model& model, const Interface& interface,
                              std::size_t subsystems, std::vector<CouplingPlan::Cut> cuts,
                              const MotionScale& scale) {
  CouplingPlan plan;
  plan.cuts = std::move(cuts);
  plan.signals = has_signals(interface);
  plan.overlap = !plan.cuts.empty() && plan.cuts.front().decomposition == Decomposition::overlap;
  const bool classic = plan.cut() && !plan.overlap;
  if (classic) plan.scheme = s.couple.scheme.value_or(SchemeKind::explicit_);
  if (plan.cut()) plan.estimator = plan.overlap ? Estimator::exOV : classic_estimator(s);
  plan.rtol = s.control.rtol.value_or(config::default_rtol(plan.overlap, s.solve.rtol));
  plan.step = s.control.step;
  // A fixed step cannot be mended, but the layers of its overlaps can.
  plan.judged = plan.cut() && (!plan.step || (plan.overlap && !s.couple.layers));
  if (!plan.overlap && subsystems > 1 && s.couple.sequence == config::Sweep::gauss_seidel)
    plan.stages = gauss_seidel_stages(interface, subsystems, part_order(s, subsystems));

  plan.control = control_options(s);
  plan.classic = classic_options(s, plan, scale);
  plan.corrector = corrector_options(s, plan);
  if (plan.newton()) plan.jacobian = jacobian_options(s, model);
  if (plan.newton() && plan.signals)
    plan.jacobian.method = JacobianMethod::fd;  // all that every component has
  plan.relaxation = s.couple.relaxation;
  plan.beside = beside(plan);
  plan.layers = layers_options(s, plan, scale);
  plan.layers_control = layers_control_options(s);
  if (classic) plan.details = details(s.couple, plan);
  return plan;
}

std::string decomposition_name(const CouplingPlan& plan) {
  if (!plan.cut()) return "none";
  if (plan.cuts.empty()) return "signals";
  const Decomposition first = plan.cuts.front().decomposition;
  const bool same = std::all_of(plan.cuts.begin(), plan.cuts.end(),
                                [&](const CouplingPlan::Cut& cut) { return cut.decomposition == first; });
  return same ? std::string(word_of(first)) : "mixed";
}

std::string_view estimator_name(const CouplingPlan& plan) {
  return plan.estimator == Estimator::none ? "fixed step" : word_of(plan.estimator);
}

}  // namespace cosimo
