// The equations of motion and the constraints as residuals, for implicit methods. Nothing here needs a
// workspace: frames are found where they are used.
#include <algorithm>
#include <cmath>

#include "mechanics/dynamics_data.hpp"
#include "mechanics/dynamics_forces.hpp"

namespace cosimo {

namespace {

double largest(const RowVector& row) {
  double out = 0;
  for (const double x : row) out = std::max(out, std::abs(x));
  return out;
}

}  // namespace

BodyFrames Dynamics::Impl::frames_at(const ConstraintData& data, const double* q, const double* v,
                                     std::array<Frame, most_ends>& store) const {
  for (std::size_t e = 0; e < data.ends; ++e) store[e] = frame_at(data.end[e].body, q, v);
  return {store.data(), data.ends};
}

Frame Dynamics::Impl::still_frame_at(std::size_t body, const double* q) const {
  constexpr std::array<double, 7> rest{};
  return frame_of(bodies[body].kind, q + bodies[body].q, rest.data());
}

void Dynamics::position_residual(double t, const double* q, double* g) const {
  std::array<Frame, most_ends> frames;
  RowVector row;
  for (const ConstraintData& data : impl_->constraints) {
    for (std::size_t e = 0; e < data.ends; ++e) frames[e] = impl_->still_frame_at(data.end[e].body, q);
    data.constraint->residual(t, {frames.data(), data.ends}, row);
    std::copy_n(row.data(), data.rows, g + data.row);
  }
}

void Dynamics::velocity_residual(double t, const double* q, const double* v, double* g) const {
  std::array<Frame, most_ends> store;
  ConstraintRows J;
  RowVector row;
  for (const ConstraintData& data : impl_->constraints) {
    const BodyFrames frames = impl_->frames_at(data, q, v, store);
    data.constraint->jacobian(t, frames, J);
    data.constraint->drift(t, frames, row);
    add_rates(J, frames, row);
    std::copy_n(row.data(), data.rows, g + data.row);
  }
}

Dynamics::Residuals Dynamics::residuals(double t, const double* q, const double* v) const {
  std::array<Frame, most_ends> store;
  ConstraintRows J;
  RowVector row;
  Residuals out;
  for (const ConstraintData& data : impl_->constraints) {
    const BodyFrames frames = impl_->frames_at(data, q, v, store);
    data.constraint->residual(t, frames, row);
    out.position = std::max(out.position, largest(row));
    data.constraint->jacobian(t, frames, J);
    data.constraint->drift(t, frames, row);
    add_rates(J, frames, row);
    out.velocity = std::max(out.velocity, largest(row));
  }
  return out;
}

bool Dynamics::residual(double t, const double* q, const double* v, const double* alpha, const double* lambda,
                        std::span<const ExternalWrench> external, double* r, const Remembered& y,
                        double* z_rate) const {
  const Impl& impl = *impl_;
  const auto frame = [&](std::size_t b) { return impl.frame_at(b, q, v); };
  if (impl.only_points() ? !impl.forces_on_points(t, q, v, external, r, y, z_rate)
                         : !impl.forces(t, frame, external, r, y, z_rate))
    return false;
  for (std::size_t b = 0; b < impl.bodies.size(); ++b) {
    const BodyData& body = impl.bodies[b];
    const double* const a = alpha + body.w;
    double* const part = r + body.w;
    for (std::size_t k = 0; k < std::min<std::size_t>(3, body.freedoms); ++k)
      part[k] = (body.kind == BodyKind::planar && k == 2 ? body.turning : body.mass) * a[k] - part[k];
    if (body.kind == BodyKind::rigid) {
      const Vec3 moment = inertia_times(body, frame(b), Eigen::Map<const Vec3>(a + 3));
      for (std::size_t k = 0; k < 3; ++k) part[3 + k] = moment[static_cast<Eigen::Index>(k)] - part[3 + k];
    }
  }
  std::array<Frame, most_ends> store;
  ConstraintRows J;
  for (const ConstraintData& data : impl.constraints) {
    data.constraint->jacobian(t, impl.frames_at(data, q, v, store), J);
    for (std::size_t e = 0; e < data.ends; ++e) {
      Vec6 pull = Vec6::Zero();
      for (std::size_t i = 0; i < data.rows; ++i)
        pull += lambda[data.row + i] *
                J.block<1, 6>(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(6 * e)).transpose();
      add_wrench(impl.bodies[data.end[e].body], {pull.head<3>(), pull.tail<3>()}, r);
    }
  }
  double sum = 0;
  for (std::size_t k = 0; k < impl.freedoms; ++k) sum += r[k] - r[k];
  return sum == 0;
}

void Dynamics::time_derivative(double t, const double* q, const double* v, double* f_t,
                               double* rate_t) const {
  const Impl& impl = *impl_;
  if (f_t != nullptr) {
    std::fill_n(f_t, impl.freedoms, 0.0);
    for (const ElementData& data : impl.elements) {
      const bool has_from = data.from != no_body, has_to = data.to != no_body;
      const auto from_body = static_cast<std::size_t>(data.from), to_body = static_cast<std::size_t>(data.to);
      const ForceElement& element = *data.element;
      const Frame from = has_from ? impl.frame_at(from_body, q, v) : Frame{};
      const Frame to = has_to ? impl.frame_at(to_body, q, v) : Frame{};
      const Effort rate =
          element.time_derivative(t, marker_frame(from, element.at_from), marker_frame(to, element.at_to));
      if (has_from) add_wrench(impl.bodies[from_body], wrench_on_from(rate, from, element.at_from), f_t);
      if (has_to) add_wrench(impl.bodies[to_body], wrench_on_to(rate, to, element.at_to), f_t);
    }
    std::vector<GroupRoom> rooms = impl.make_rooms();
    const auto frame = [&](std::size_t b) { return impl.frame_at(b, q, v); };
    for (std::size_t g = 0; g < rooms.size(); ++g) {
      const GroupData& data = impl.laws[g];
      data.group->time_derivative(Impl::look(data, t, frame, {}, rooms[g]), rooms[g].wrenches);
      for (std::size_t k = 0; k < data.bodies.size(); ++k)
        add_wrench(impl.bodies[data.bodies[k]], rooms[g].wrenches[k], f_t);
    }
  }
  if (rate_t == nullptr) return;
  // The curvature is the whole derivative of J w + g_t at constant w: with the part of the motion taken
  // away, that of time alone stays.
  std::array<Frame, most_ends> store;
  ConstraintRows gradient;
  RowVector row;
  for (const ConstraintData& data : impl.constraints) {
    const BodyFrames frames = impl.frames_at(data, q, v, store);
    data.constraint->curvature(t, frames, row);
    data.constraint->rate_gradient(t, frames, gradient);
    gradient *= -1.0;
    add_rates(gradient, frames, row);
    std::copy_n(row.data(), data.rows, rate_t + data.row);
  }
}

}  // namespace cosimo
