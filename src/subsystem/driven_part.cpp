#include "subsystem/driven_part.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "core/check.hpp"

namespace cosimo {

namespace {

bool contains(Range dofs, std::size_t i) {
  return dofs.first <= i && i < dofs.last;
}

}  // namespace

DrivenPart::DrivenPart(const Equations& equations, std::span<const CutPort> ports) : equations_(equations) {
  for (std::size_t p = 0; p < ports.size(); ++p) {
    const CutPort& port = ports[p];
    COSIMO_CHECK(port.input == targets_.size(), "the inputs of ports follow each other");
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
    by_dof_.push_back(targets_.back());
  }
  inputs_.resize(targets_.size());
  rates_.resize(by_dof_.size());
  std::stable_sort(by_dof_.begin(), by_dof_.end(),
                   [](const Target& one, const Target& other) { return one.dof < other.dof; });
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
}

void DrivenPart::drive_by_record(std::size_t port, const RecordedForce& force) {
  const auto found = std::find_if(force_ports_.begin(), force_ports_.end(),
                                  [&](const ForcePort& candidate) { return candidate.port == port; });
  COSIMO_CHECK(found != force_ports_.end(), "only a port driven by a force can follow a record");
  found->record = &force;
}

/// On the body of a port.
template <class Values>
double DrivenPart::force_at(const Target& target, Values value, const double* q, const double* v) const {
  if (target.force) {
    const ForcePort& port = force_ports_[target.number];
    if constexpr (std::is_same_v<Values, Driven>)
      if (port.record != nullptr) return port.sign * value(*port.record);
    return port.sign * value(port.input);
  }
  const MotionPort& port = motion_ports_[target.number];
  return port.law.force(value(port.input) - q[port.dof], value(port.input + 1) - v[port.dof]);
}

template <class Values>
bool DrivenPart::accelerate(double t, const double* q, const double* v, double* a, Range dofs,
                            Values value) const {
  return equations_.driven_acceleration(t, q, v, a, dofs, [&](auto push) {
    auto port = std::lower_bound(
        by_dof_.begin(), by_dof_.end(), dofs.first,
        [](const Target& one, std::size_t dof) { return static_cast<std::size_t>(one.dof) < dof; });
    for (; port != by_dof_.end() && contains(dofs, static_cast<std::size_t>(port->dof)); ++port)
      push(port->dof, force_at(*port, value, q, v));
  });
}

bool DrivenPart::acceleration(double t, const double* q, const double* v, double* a, Range dofs) const {
  return accelerate(t, q, v, a, dofs, Driven{inputs_, t});
}

Range DrivenPart::tangent_rows(double t, const double* q, const double* v, Tangent& out, Range dofs) const {
  equations_.tangent(t, q, v, out, dofs);
  for (const MotionPort& port : motion_ports_) {
    if (!contains(dofs, port.dof)) continue;
    out.k_diag[port.dof] += port.law.stiffness(inputs_[port.input](t) - q[port.dof]);
    out.c_diag[port.dof] += port.law.damping(inputs_[port.input + 1](t) - v[port.dof]);
  }
  return dofs;
}

void DrivenPart::time_derivative(double t, const double* q, const double* v, double* a_t) const {
  for (std::size_t k = 0; k < by_dof_.size(); ++k) {
    const Target& target = by_dof_[k];
    rates_[k].dof = target.dof;
    if (target.force) {
      const ForcePort& port = force_ports_[target.number];
      rates_[k].rate = port.sign * (port.record ? port.record->rate(t) : inputs_[port.input].rate(t));
      continue;
    }
    const MotionPort& port = motion_ports_[target.number];
    const Polynomial &x = inputs_[port.input], &w = inputs_[port.input + 1];
    rates_[k].rate =
        port.law.stiffness(x(t) - q[port.dof]) * x.rate(t) + port.law.damping(w(t) - v[port.dof]) * w.rate(t);
  }
  equations_.time_derivative(t, q, v, a_t, rates_);
}

InputEffect DrivenPart::input_effect(std::size_t input, double t, const double* q, const double* v) const {
  const Target& target = targets_[input];
  if (target.force) {
    const ForcePort& port = force_ports_[target.number];
    return {target.dof, port.record ? 0.0 : port.sign};
  }
  const MotionPort& port = motion_ports_[target.number];
  const double far = inputs_[input](t);
  return {target.dof,
          input == port.input ? port.law.stiffness(far - q[port.dof]) : port.law.damping(far - v[port.dof])};
}

bool DrivenPart::accelerations(double t, const double* q, const double* v, std::span<const double> values,
                               std::span<const std::int32_t> dofs, std::span<double> a) const {
  if (scratch_.size() != size()) scratch_.resize(size());
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    const auto dof = static_cast<std::size_t>(dofs[k]);
    const Range one{dof, dof + 1};
    if (!accelerate(t, q, v, scratch_.data(), one, Given{values})) return false;
    a[k] = scratch_[dof];
  }
  return true;
}

}  // namespace cosimo
