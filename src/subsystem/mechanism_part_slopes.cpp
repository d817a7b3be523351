// How the accelerations of a mechanism's part change with its state and with what drives its ports.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "core/check.hpp"
#include "subsystem/mechanism_part.hpp"
#include "subsystem/series_response.hpp"

namespace cosimo {

MechanismPart::OwnSlopes MechanismPart::own_slopes(const Driver& driver, double t, const Frame& own) const {
  const CutSide side = driver.port.side;
  OwnSlopes out;
  if (!driver.law) {
    const Vec3 arm = own.R * model_.mechanism->bodies[driver.port.body.index()].reference;
    out.displacement.bottomRightCorner<3, 3>() = arm_turning(arm, push(driver, own).force);
    return out;
  }
  const Vec3 arm = own.R * driver.law->marker(side).point;
  Effort effort;
  if (!effort_at(driver, t, own, effort)) return out;
  if (driver.port.drive == Drive::motion) {
    const Frame far = far_frame(driver);
    const bool from = side == CutSide::from;
    EffortGradient gradient;
    driver.law->gradient(t, from ? own : far, from ? far : own, gradient);
    const Eigen::Matrix<double, 6, 12> slopes = wrench_slopes(side, arm, from ? gradient.from : gradient.to);
    out.displacement = slopes.leftCols<6>();
    out.velocity = slopes.rightCols<6>();
  }
  const Vec3 force = side == CutSide::from ? effort.force : Vec3(-effort.force);
  out.displacement.bottomRightCorner<3, 3>() += arm_turning(arm, force);
  return out;
}

void MechanismPart::add_port_terms(double t, const double* q, const double* v,
                                   ConstrainedTangent& out) const {
  for (const Driver& driver : drivers_) {
    const OwnSlopes slopes = own_slopes(driver, t, dynamics_.frame(driver.body, q, v));
    const auto first = static_cast<std::int32_t>(dynamics_.first_freedom(driver.body));
    const auto components = freedom_components(driver.kind);
    for (std::size_t i = 0; i < components.size(); ++i)
      for (std::size_t j = 0; j < components.size(); ++j) {
        const std::int32_t row = first + static_cast<std::int32_t>(i);
        const std::int32_t column = first + static_cast<std::int32_t>(j);
        out.K.push_back({row, column, -slopes.displacement(components[i], components[j])});
        if (driver.port.drive == Drive::motion)
          out.C.push_back({row, column, -slopes.velocity(components[i], components[j])});
      }
  }
}

void MechanismPart::linearise(double t, const double* q, const double* v, const double* alpha,
                              const double* lambda, ConstrainedTangent& out) const {
  dynamics_.linearise(t, q, v, alpha, lambda, out);
  finish_tangent(t, q, v, out);
}

void MechanismPart::linearise_whole(double t, const Whole& y, const double* alpha, const double* lambda,
                                    StateTangent& out) const {
  dynamics_.linearise(t, y.q, y.v, alpha, lambda, out, remembered(y), &out.z);
  finish_tangent(t, y.q, y.v, out);
}

void MechanismPart::finish_tangent(double t, const double* q, const double* v,
                                   ConstrainedTangent& out) const {
  out.dependent.resize(dynamics_.constraints());
  dynamics_.dependent_rows(t, q, *work_, out.dependent);
  for (auto* block : {&out.J, &out.rate})
    for (SparseEntry& e : *block)
      if (out.dependent[static_cast<std::size_t>(e.row)] != 0) e.value = 0;
  if (drivers_.empty()) return;
  take_inputs(t);
  add_port_terms(t, q, v, out);
}

/// Accelerations of the outputs caused by unit wrenches on the body of a port. Uses the last acceleration().
void MechanismPart::answer_unit_wrenches(const Driver& driver, const double* q) {
  for (const std::uint8_t component : freedom_components(driver.kind)) {
    ExternalWrench unit{driver.body, {}};
    (component < 3 ? unit.wrench.force : unit.wrench.torque)[component % 3] = 1;
    dynamics_.response_to(unit, alpha_.data(), *work_);
    for (const Driver& at : drivers_)
      rates_of(at.kind, q + at.port.dof, alpha_.data() + dynamics_.first_freedom(at.body),
               answers_.data() + component * output_dofs_.size() + at.port.output);
  }
}

void MechanismPart::respond_to_port(const Driver& driver, double t, const Start& start,
                                    std::span<PortState> derivative) {
  const CutPort& port = driver.port;
  const Vec3 arm =
      dynamics_.frame(driver.body, start.q.data(), start.v.data()).R * driver.law->marker(port.side).point;
  // Wrench per input: of units of the components, or by the element's slopes.
  Eigen::Matrix<double, 6, 2 * static_cast<int>(most_coordinates)> wrench;
  wrench.setZero();
  if (port.drive == Drive::force) {
    std::array<double, effort_size> unit{};
    for (std::size_t k = 0; k < port.components; ++k) {
      unit.fill(0);
      unit[k] = 1;
      const Effort effort = driver.law->effort_of(unit.data());
      Eigen::Matrix<double, 9, 1> column;
      column << effort.force, effort.torque_from, effort.torque_to;
      wrench.col(static_cast<Eigen::Index>(k)) = wrench_slopes(port.side, arm, column);
    }
  } else {
    const BodyMotion own{start.q.data() + port.dof, start.v.data() + port.dof};
    const double* const x = values_.data() + port.input;
    const BodyMotion far{x, x + port.far_coordinates};
    const bool from = port.side == CutSide::from;
    EffortSlopes by_from, by_to;
    driver.law->slopes(t, from ? own : far, from ? far : own, by_from, by_to);
    const EffortSlopes& by_far = from ? by_to : by_from;
    const auto n = static_cast<Eigen::Index>(port.far_coordinates);
    wrench.leftCols(n) = wrench_slopes(port.side, arm, by_far.x).leftCols(n);
    wrench.middleCols(n, n) = wrench_slopes(port.side, arm, by_far.v).leftCols(n);
  }
  for (std::size_t i = 0; i < port.inputs; ++i)
    for (std::size_t o = 0; o < output_dofs_.size(); ++o) {
      double w = 0;
      for (const std::uint8_t component : freedom_components(driver.kind))
        w += wrench(component, static_cast<Eigen::Index>(i)) * answers_[component * output_dofs_.size() + o];
      derivative[(port.input + i) * output_dofs_.size() + o] = {integrals_[1] * w, integrals_[0] * w};
    }
}

bool MechanismPart::respond(const Window& window, const Start& start, Response& response) {
  COSIMO_CHECK(response.method == ResponseMethod::series && response.terms == 1,
               "a mechanism answers with one term of the series");
  COSIMO_CHECK(
      measured_.empty() && std::ranges::all_of(drivers_, [](const Driver& d) { return d.law.has_value(); }),
      "what signals do is found by differences");
  shape_integrals(response.shape, window, integrals_);
  response.derivative.resize(inputs_.size() * output_dofs_.size());
  if (!evaluate(window.begin, {start.q.data(), start.v.data(), start.z.data(), start.s.data()}, a_.data(),
                z_rate_.data()))
    return false;
  for (const Driver& driver : drivers_) {
    answer_unit_wrenches(driver, start.q.data());
    respond_to_port(driver, window.begin, start, response.derivative);
  }
  return true;
}

}  // namespace cosimo
