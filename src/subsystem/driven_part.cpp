#include "subsystem/driven_part.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/check.hpp"

namespace cosimo {

namespace {

constexpr double never = std::numeric_limits<double>::quiet_NaN();  // differs from every time

bool contains(Range dofs, std::size_t i) {
  return dofs.first <= i && i < dofs.last;
}

}  // namespace

DrivenPart::DrivenPart(const Equations& equations, std::span<const CutPort> ports)
    : equations_(equations), forces_(ports.size()), cached_t_(never) {
  for (std::size_t p = 0; p < ports.size(); ++p) {
    const CutPort& port = ports[p];
    COSIMO_CHECK(port.input == targets_.size(), "the inputs of ports follow each other");
    forces_[p].dof = port.dof;
    if (port.drive == Drive::none) continue;
    if (port.drive != Drive::motion) {
      // The coupling force pulls the `from` body forward and the `to` body back (2.16). A signal pushes.
      const bool back = port.drive == Drive::force && port.side == CutSide::to;
      targets_.push_back({port.dof, true, force_ports_.size()});
      force_ports_.push_back({p, port.input, back ? -1.0 : 1.0});
    } else {
      targets_.insert(targets_.end(), 2, {port.dof, false, motion_ports_.size()});
      motion_ports_.push_back({p, port.input, static_cast<std::size_t>(port.dof), port.law});
    }
    driven_.push_back(port.dof);
  }
  inputs_.resize(targets_.size());
  far_.resize(motion_ports_.size());
  std::sort(driven_.begin(), driven_.end());
  driven_.erase(std::unique(driven_.begin(), driven_.end()), driven_.end());
  switch_laws_.resize(equations.contacts().size());
  std::iota(switch_laws_.begin(), switch_laws_.end(), 0);
}

void DrivenPart::switches(double /*t*/, const double* q, const double* v, Switch* out) const {
  for (const std::int32_t dof : equations_.contacts())
    *out++ = {.value = q[dof], .rate = v[dof], .bound = std::fabs(v[dof])};
}

void DrivenPart::drive(std::span<const Polynomial> inputs) {
  std::copy(inputs.begin(), inputs.end(), inputs_.begin());
  cached_t_ = never;
  held_ = std::all_of(inputs_.begin(), inputs_.end(), [](const Polynomial& p) { return p.degree == 0; }) &&
          std::none_of(force_ports_.begin(), force_ports_.end(),
                       [](const ForcePort& port) { return port.record != nullptr; });
}

void DrivenPart::drive_by_record(std::size_t port, const RecordedForce& force) {
  const auto found = std::find_if(force_ports_.begin(), force_ports_.end(),
                                  [&](const ForcePort& candidate) { return candidate.port == port; });
  COSIMO_CHECK(found != force_ports_.end(), "only a port driven by a force can follow a record");
  found->record = &force;
}

std::span<const InputForce> DrivenPart::forces(double t) const {
  if (inputs_.empty()) return {};
  if (t != cached_t_ && !(held_ && cached_t_ == cached_t_)) {
    for (const ForcePort& port : force_ports_) {
      const Polynomial& u = inputs_[port.input];
      forces_[port.port].value = port.sign * (port.record ? port.record->value(t) : u(t));
    }
    for (std::size_t i = 0; i < motion_ports_.size(); ++i) {
      const std::size_t input = motion_ports_[i].input;
      far_[i] = {inputs_[input](t), inputs_[input + 1](t)};
    }
    cached_t_ = t;
  }
  return forces_;
}

/// The forces of elements whose far bodies move as prescribed, on the bodies in `dofs`.
void DrivenPart::take_motion(const double* q, const double* v, Range dofs) const {
  for (std::size_t i = 0; i < motion_ports_.size(); ++i) {
    const MotionPort& port = motion_ports_[i];
    if (!contains(dofs, port.dof)) continue;
    forces_[port.port].value = port.law.force(far_[i].x - q[port.dof], far_[i].v - v[port.dof]);
  }
}

bool DrivenPart::acceleration(double t, const double* q, const double* v, double* a, Range dofs) const {
  const auto inputs = forces(t);
  if (!motion_ports_.empty()) take_motion(q, v, dofs);
  return equations_.acceleration(t, q, v, a, dofs, inputs);
}

Range DrivenPart::tangent_rows(double t, const double* q, const double* v, Tangent& out, Range dofs) const {
  if (!pattern().is_path()) dofs = {0, size()};
  equations_.tangent(t, q, v, out, dofs);
  if (motion_ports_.empty()) return dofs;
  forces(t);
  for (std::size_t i = 0; i < motion_ports_.size(); ++i) {
    const MotionPort& port = motion_ports_[i];
    if (!contains(dofs, port.dof)) continue;
    out.k_diag[port.dof] += port.law.stiffness(far_[i].x - q[port.dof]);
    out.c_diag[port.dof] += port.law.damping(far_[i].v - v[port.dof]);
  }
  return dofs;
}

void DrivenPart::time_derivative(double t, const double* q, const double* v, double* a_t) const {
  const auto inputs = forces(t);
  for (const ForcePort& port : force_ports_)
    forces_[port.port].rate = port.sign * (port.record ? port.record->rate(t) : inputs_[port.input].rate(t));
  for (std::size_t i = 0; i < motion_ports_.size(); ++i) {
    const MotionPort& port = motion_ports_[i];
    const double x_rate = inputs_[port.input].rate(t), v_rate = inputs_[port.input + 1].rate(t);
    forces_[port.port].rate = port.law.stiffness(far_[i].x - q[port.dof]) * x_rate +
                              port.law.damping(far_[i].v - v[port.dof]) * v_rate;
  }
  equations_.time_derivative(t, q, v, a_t, inputs);
}

InputEffect DrivenPart::input_effect(std::size_t input, double t, const double* q, const double* v) const {
  const Target& target = targets_[input];
  if (target.force) {
    const ForcePort& port = force_ports_[target.number];
    return {target.dof, port.record ? 0.0 : port.sign};
  }
  forces(t);
  const MotionPort& port = motion_ports_[target.number];
  const Motion& far = far_[target.number];
  const bool position = input == port.input;
  return {target.dof,
          position ? port.law.stiffness(far.x - q[port.dof]) : port.law.damping(far.v - v[port.dof])};
}

bool DrivenPart::accelerations(double t, const double* q, const double* v, std::span<const double> values,
                               std::span<const std::int32_t> dofs, std::span<double> a) const {
  for (const ForcePort& port : force_ports_) forces_[port.port].value = port.sign * values[port.input];
  for (std::size_t i = 0; i < motion_ports_.size(); ++i) {
    far_[i].x = values[motion_ports_[i].input];
    far_[i].v = values[motion_ports_[i].input + 1];
  }
  cached_t_ = never;  // the polynomials count again from the next call on
  if (scratch_.size() != size()) scratch_.resize(size());
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    const auto dof = static_cast<std::size_t>(dofs[k]);
    const Range one{dof, dof + 1};
    take_motion(q, v, one);
    if (!equations_.acceleration(t, q, v, scratch_.data(), one, forces_)) return false;
    a[k] = scratch_[dof];
  }
  return true;
}

}  // namespace cosimo
