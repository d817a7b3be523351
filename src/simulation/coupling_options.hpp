// From `couple:` and `control:` to the options of the classic schemes. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/scenario.hpp"
#include "control/controller.hpp"
#include "core/settings.hpp"
#include "model/model.hpp"
#include "scheme/classic.hpp"
#include "scheme/corrector.hpp"
#include "scheme/interface_jacobian.hpp"

namespace cosimo {

SchemeKind scheme_kind(const config::Scenario& scenario);
/// Solves the coupling conditions with an interface Jacobian.
inline bool is_newton(SchemeKind kind) {
  return kind == SchemeKind::implicit || kind == SchemeKind::semi_implicit;
}

/// What else distinguishes the coupling, in words: sequence, update, predictor, Jacobian, relaxation. Empty
/// for the plainest.
std::string coupling_details(const config::Scenario& scenario, const Model& model);

/// What judges a run with classic cuts; none with a fixed step, unless one is given.
Estimator estimator(const config::Scenario& scenario);
std::string_view estimator_name(Estimator estimator);  ///< "fixed step" without one
ClassicOptions classic_options(const config::Scenario& scenario, const MotionScale& scale);
/// `go_on`: steps of fixed size do not wait for a corrector that does not converge.
CorrectorOptions corrector_options(const config::Scenario& scenario, bool go_on, const MotionScale& scale);
/// How the interface Jacobian is found. Mechanisms know fd and sap only: fd takes the place of the usual
/// `sensitivity`, other methods are refused (Error).
JacobianMethod jacobian_used(const config::Scenario& scenario, const Model& model);
JacobianOptions jacobian_options(const config::Scenario& scenario, const Model& model);
/// `first_step` is the automatic choice, used when the file gives none.
ControlOptions control_options(const config::Scenario& scenario, double first_step);

/// The order of parts that the file gives for Gauss-Seidel, from 0; empty: automatic. Throws Error when it
/// does not name every part once.
std::vector<std::int32_t> part_order(const config::Scenario& scenario, std::int64_t parts);

}  // namespace cosimo
