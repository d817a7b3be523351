#include "simulation/coupling_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace cosimo {

namespace {

/// Accelerations are continued and integrated.
bool integrates_motion(const config::Couple& couple) {
  return couple.predictor == config::Predictor::acc || couple.predictor == config::Predictor::accrel;
}

}  // namespace

SchemeKind scheme_kind(const config::Scenario& s) {
  return s.couple.scheme.value_or(SchemeKind::explicit_);
}

std::string coupling_details(const config::Scenario& s, const Model& model) {
  const config::Couple& couple = s.couple;
  std::vector<std::string> words;
  if (couple.sequence == config::Sweep::gauss_seidel)
    words.push_back(couple.order.empty() ? "gauss-seidel"
                                         : fmt::format("gauss-seidel {}", fmt::join(couple.order, "-")));
  if (couple.update == config::Update::none) words.emplace_back("no update");
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
  const SchemeKind kind = scheme_kind(s);
  if (is_newton(kind)) {
    const JacobianMethod jacobian = jacobian_used(s, model);
    words.emplace_back(word_of(jacobian));
    if (jacobian == JacobianMethod::series) words.back() += fmt::format(" {}", couple.series_terms);
  }
  if (kind == SchemeKind::waveform) words.push_back(fmt::format("relaxation {:.4g}", couple.relaxation));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string_view estimator_name(Estimator e) {
  return e == Estimator::none ? "fixed step" : word_of(e);
}

Estimator estimator(const config::Scenario& s) {
  // exOV judges overlaps; a model that is not cut may carry it.
  if (s.control.estimator && s.control.estimator != Estimator::exOV) return *s.control.estimator;
  if (s.control.step) return Estimator::none;
  switch (scheme_kind(s)) {
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

namespace {

NormOptions norm_options(const config::Control& c, double rtol, double atol_u, const MotionScale& scale) {
  return {rtol, c.atol_pos.value_or(0), c.atol_vel.value_or(0), atol_u, &scale};
}

}  // namespace

ClassicOptions classic_options(const config::Scenario& s, const MotionScale& scale) {
  ClassicOptions options;
  options.estimator = estimator(s);
  options.norms =
      norm_options(s.control, s.control.rtol.value_or(1e-4), s.control.atol_u.value_or(0.0), scale);
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

CorrectorOptions corrector_options(const config::Scenario& s, bool go_on, const MotionScale& scale) {
  CorrectorOptions options;
  const bool estimated = estimator(s) != Estimator::none;
  const double rtol =
      s.couple.corrector_rtol.value_or(estimated ? s.control.rtol.value_or(1e-4) : s.solve.rtol);
  // A tolerance of its own has absolute ones of its own, unless they are given.
  options.norms =
      norm_options(s.control, rtol, s.couple.corrector_atol.value_or(s.control.atol_u.value_or(0.0)), scale);
  options.judge_states = estimator(s) == Estimator::imMD;
  options.tau = s.couple.tau;
  options.max_iterations = static_cast<int>(s.couple.max_iterations);
  options.go_on = go_on;
  return options;
}

JacobianMethod jacobian_used(const config::Scenario& s, const Model& model) {
  const JacobianMethod wanted = s.couple.jacobian;
  if (!model.mechanism) return wanted;
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
  options.method = jacobian_used(s, model);
  options.terms = options.method == JacobianMethod::series ? static_cast<int>(s.couple.series_terms) : 1;
  options.always = s.couple.refresh == config::Refresh::always;
  options.perturbation_min = s.couple.perturbation_min;
  return options;
}

std::vector<std::int32_t> part_order(const config::Scenario& s, std::int64_t parts) {
  std::vector<std::int32_t> order;
  std::vector<bool> seen(static_cast<std::size_t>(parts));
  const auto wrong = [&](std::int64_t part, const std::string& problem) {
    throw Error({Fault{s.file, 0, 0, "couple.sequence.gauss-seidel", std::to_string(part), problem,
                       "name every part from 1 to " + std::to_string(parts) + " exactly once"}});
  };
  for (const std::int64_t part : s.couple.order) {
    if (part < 1 || part > parts) wrong(part, "there is no such part");
    if (seen[static_cast<std::size_t>(part - 1)]) wrong(part, "the part is named twice");
    seen[static_cast<std::size_t>(part - 1)] = true;
    order.push_back(static_cast<std::int32_t>(part - 1));
  }
  if (!order.empty() && order.size() < seen.size())
    wrong(1 + (std::find(seen.begin(), seen.end(), false) - seen.begin()), "the part is missing");
  return order;
}

ControlOptions control_options(const config::Scenario& s, double first_step) {
  const config::Control& c = s.control;
  ControlOptions options;
  options.safety = c.safety;
  options.r_min = c.r_min;
  options.r_max = c.r_max;
  options.dead_zone = c.dead_zone;
  options.first_step = c.step.value_or(c.first_step.value_or(first_step));
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
  const Estimator kind = estimator(s);
  options.spare_points = kind == Estimator::exLE || kind == Estimator::exMD ? 1 : 0;
  options.calibrate = kind == Estimator::imMD;
  return options;
}

}  // namespace cosimo
