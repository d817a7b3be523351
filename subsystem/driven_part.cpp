#include "subsystem/driven_part.hpp"

#include <algorithm>
#include <limits>

namespace cosimo {

namespace {
constexpr double never = std::numeric_limits<double>::quiet_NaN();  // differs from every time
}

DrivenPart::DrivenPart(const Equations& equations, std::span<const Port> ports)
    : equations_(equations),
      inputs_(ports.size()),
      recorded_(ports.size()),
      forces_(ports.size()),
      cached_t_(never) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    // The coupling force pulls the `from` body forward and the `to` body back (2.16).
    signs_.push_back(ports[i].side == CutSide::from ? 1.0 : -1.0);
    forces_[i].dof = ports[i].dof;
    driven_.push_back(ports[i].dof);
  }
  std::sort(driven_.begin(), driven_.end());
  driven_.erase(std::unique(driven_.begin(), driven_.end()), driven_.end());
}

void DrivenPart::drive(std::span<const Polynomial> inputs) {
  std::copy(inputs.begin(), inputs.end(), inputs_.begin());
  cached_t_ = never;
  held_ = true;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    held_ = held_ && inputs_[i].degree == 0 && recorded_[i] == nullptr;
}

std::span<const InputForce> DrivenPart::forces(double t) const {
  if (t != cached_t_ && !(held_ && cached_t_ == cached_t_)) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const RecordedForce* const record = recorded_[i];
      forces_[i].value = signs_[i] * (record ? record->value(t) : inputs_[i](t));
      forces_[i].rate = signs_[i] * (record ? record->rate(t) : inputs_[i].rate(t));
    }
    cached_t_ = t;
  }
  return forces_;
}

bool DrivenPart::acceleration(double t, const double* q, const double* v, double* a, Range dofs) const {
  return equations_.acceleration(t, q, v, a, dofs, forces(t));
}

void DrivenPart::tangent(double t, const double* q, const double* v, Tangent& out) const {
  equations_.tangent(t, q, v, out);
}

void DrivenPart::time_derivative(double t, const double* q, const double* v, double* a_t) const {
  equations_.time_derivative(t, q, v, a_t, forces(t));
}

}  // namespace cosimo
