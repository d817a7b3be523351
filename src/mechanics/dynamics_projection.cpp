// Back onto the constraints, by the shortest way in the metric of M:
//
//   positions:  x = -M^-1 J^T S^-1 g, repeated (Newton's method, with an old factor as long as it serves);
//   velocities: w -= M^-1 J^T S^-1 (J w + g_t), linear; repeated as the factor may be that of the positions.
//
// Multipliers of dependent rows stay zero (elimination_tree.hpp), so that redundant constraints do no harm.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanics/dynamics_data.hpp"

namespace cosimo {

namespace {

constexpr double share_of_tolerance = 0.1;  ///< close enough
constexpr double tight = 1e-6;              ///< the same with closed loops, as far as rounding allows it
constexpr double good_rate = 0.1;           ///< of convergence; slower with an old factor asks for a new one
constexpr int most_iterations = 50;
constexpr double largest_turn = 0.5;  ///< of a body in one iteration, in radians: Newton's method is local

}  // namespace

Dynamics::Projection Dynamics::Impl::judge(const std::vector<double>& rest, const RowTolerances& atol) const {
  Projection out;
  out.residual = -1;
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    for (std::size_t i = 0; i < constraints[c].rows; ++i) {
      const bool length = constraints[c].constraint->is_length(i);
      const double found = std::abs(rest[constraints[c].row + i]) * (length ? 1.0 : atol.length / atol.angle);
      if (found <= out.residual) continue;
      out.worst = ids[c];
      out.residual = std::isnan(found) ? std::numeric_limits<double>::infinity() : found;
    }
  }
  out.residual = std::max(out.residual, 0.0);
  return out;
}

void Dynamics::Impl::find_position_rest(double t, const SchurState& state, Workspace& work,
                                        std::vector<double>& out) const {
  find_joint_residuals(joints, state.pose.data(), out.data());
  find_others_position_rest(t, state, work, out);
}

void Dynamics::Impl::find_others_position_rest(double t, const SchurState& state, Workspace& work,
                                               std::vector<double>& out) const {
  std::array<Frame, most_ends> store;
  for (const std::uint32_t c : joints.others) {
    const ConstraintData& data = constraints[c];
    data.constraint->residual(t, frames_of(data, state.frames, store), work.row);
    std::copy_n(work.row.data(), data.rows, out.data() + data.row);
  }
}

void Dynamics::Impl::find_velocity_rest(double t, const SchurState& state, Workspace& work,
                                        std::vector<double>& out) const {
  find_joint_rates(joints, state.pose.data(), out.data());
  find_others_velocity_rest(t, state, work, out);
}

void Dynamics::Impl::find_others_velocity_rest(double t, const SchurState& state, Workspace& work,
                                               std::vector<double>& out) const {
  std::array<Frame, most_ends> store;
  for (const std::uint32_t c : joints.others) {
    const ConstraintData& data = constraints[c];
    const BodyFrames frames = frames_of(data, state.frames, store);
    data.constraint->jacobian(t, frames, work.rows);
    data.constraint->drift(t, frames, work.row);
    add_rates(work.rows, frames, work.row);
    std::copy_n(work.row.data(), data.rows, out.data() + data.row);
  }
}

void Dynamics::Impl::displace(const std::vector<double>& x, double* q) const {
  double turn = 0;
  for (const BodyData& body : bodies) {
    if (body.kind == BodyKind::planar) turn = std::max(turn, std::abs(x[body.w + 2]));
    if (body.kind == BodyKind::rigid) turn = std::max(turn, Eigen::Map<const Vec3>(&x[body.w + 3]).norm());
  }
  const double scale = turn > largest_turn ? largest_turn / turn : 1.0;
  std::array<double, 6> part{};
  std::array<double, 7> step{}, unused{};
  for (const BodyData& body : bodies) {
    for (std::size_t k = 0; k < body.freedoms; ++k) part[k] = scale * x[body.w + k];
    rates_of(body.kind, q + body.q, part.data(), step.data());
    for (std::size_t k = 0; k < coordinates_of(body.kind); ++k) q[body.q + k] += step[k];
    normalise(body.kind, q + body.q, unused.data());
  }
}

Dynamics::Projection Dynamics::Impl::project_positions(double t, double* q, const double* v,
                                                       const RowTolerances& atol, Workspace& work) const {
  SchurState& state = work.projection;
  const double wanted = (loops ? tight : share_of_tolerance) * atol.length;
  double before = 0;
  Projection out;
  for (int i = 0; i <= most_iterations; ++i) {
    find_frames(q, v, state);
    find_position_rest(t, state, work, work.rest);
    const bool moved = out.moved;
    out = judge(work.rest, atol);
    out.moved = moved;
    const bool fine = out.residual <= share_of_tolerance * atol.length;
    if (out.residual <= wanted || (fine && i > 0 && out.residual > good_rate * before)) return out;
    if (i == most_iterations || !std::isfinite(out.residual)) break;
    if (i == 0 || out.residual > good_rate * before) factorise(t, state, work);
    before = out.residual;
    std::fill(work.shift.begin(), work.shift.end(), 0.0);
    take_away(work.rest, state, work.shift);
    displace(work.shift, q);
    out.moved = true;
  }
  out.ok = false;
  return out;
}

Dynamics::Projection Dynamics::Impl::project_velocities(double t, const RowTolerances& atol, bool factorised,
                                                        Workspace& work) const {
  SchurState& state = work.projection;
  const double wanted = (loops ? tight : share_of_tolerance) * atol.length;
  double before = std::numeric_limits<double>::infinity();
  Projection out;
  for (int i = 0; i <= most_iterations; ++i) {
    find_velocity_rest(t, state, work, work.rest);
    const bool moved = out.moved;
    out = judge(work.rest, atol);
    out.moved = moved;
    const bool fine = out.residual <= share_of_tolerance * atol.length,
               slow = out.residual > good_rate * before;
    if (out.residual <= wanted || (fine && slow)) return out;
    if (i == most_iterations || !std::isfinite(out.residual) || (slow && factorised && i > 3)) break;
    if (!factorised || slow) factorise(t, state, work);
    factorised = true;
    before = out.residual;
    take_away(work.rest, state, work.twist);
    set_velocities(work.twist, state);
    out.moved = true;
  }
  out.ok = false;
  return out;
}

void Dynamics::Impl::set_velocities(const std::vector<double>& twist, SchurState& state) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const double* const own = twist.data() + bodies[b].w;
    Vec6 all = Vec6::Zero();
    const auto components = freedom_components(bodies[b].kind);
    for (std::size_t k = 0; k < components.size(); ++k) all[components[k]] = own[k];
    if (table.place[b] != BodyTable::none) {
      double* const pose = state.pose.data() + table.pose_of(table.place[b]) + PoseNumber::v * pack_things;
      for (std::size_t k = 0; k < 6; ++k) pose[k * pack_things] = all[static_cast<Eigen::Index>(k)];
    }
    state.frames[b].v = all.head<3>();
    state.frames[b].w = all.tail<3>();
  }
}

Dynamics::Projection Dynamics::project(double t, double* q, double* v, const MotionSizes& tolerances,
                                       Workspace& work) const {
  settle(q, v, work, 0, 1);
  measure(t, tolerances, work, 0, 1);
  return finish_projection(t, q, v, tolerances, work, 1);
}

void Dynamics::settle(double* q, double* v, Workspace& work, int share, int shares) const {
  const Impl& impl = *impl_;
  SchurState& state = work.projection;
  const auto [first, last] = impl.units_of(share, shares);
  for (std::size_t k = first; k < last; ++k) {
    for (const std::uint32_t b : impl.units[k].members)
      normalise(impl.bodies[b].kind, q + impl.bodies[b].q, v + impl.bodies[b].q);
    find_poses(impl.table, impl.units[k].bodies, q, v, state.pose.data());
    for (const std::uint32_t b : impl.units[k].plain) state.frames[b] = impl.frame_at(b, q, v);
  }
}

void Dynamics::measure(double t, const MotionSizes& tolerances, Workspace& work, int share,
                       int shares) const {
  const Impl& impl = *impl_;
  const MotionSize &length = tolerances.length, &angle = tolerances.angle;
  const JointResiduals weight{length.position / angle.position, length.velocity / angle.velocity};
  JointResiduals found;
  const auto keep = [&](const JointResiduals& next) {
    found = {std::max(found.position, next.position), std::max(found.velocity, next.velocity)};
  };
  const auto [first, last] = impl.units_of(share, shares);
  for (std::size_t k = first; k < last; ++k)
    keep(largest_residuals(impl.joints, impl.units[k].joints, work.projection.pose.data(), weight));
  if (share == 0) keep(impl.largest_of_others(t, weight, work));
  work.results[static_cast<std::size_t>(share)].residuals = found;
}

/// Of constraints that are in no table.
JointResiduals Dynamics::Impl::largest_of_others(double t, const JointResiduals& weight,
                                                 Workspace& work) const {
  JointResiduals out;
  if (joints.others.empty()) return out;
  SchurState& state = work.projection;
  find_asked_frames(state, {0, framed_bodies.size()});
  find_others_position_rest(t, state, work, work.rest);
  find_others_velocity_rest(t, state, work, work.gap);
  const auto keep = [](double& most, double x) {
    if (!(std::abs(x) <= most)) most = std::isnan(x) ? std::numeric_limits<double>::infinity() : std::abs(x);
  };
  for (const std::uint32_t c : joints.others) {
    for (std::size_t i = 0; i < constraints[c].rows; ++i) {
      const bool length = constraints[c].constraint->is_length(i);
      keep(out.position, work.rest[constraints[c].row + i] * (length ? 1.0 : weight.position));
      keep(out.velocity, work.gap[constraints[c].row + i] * (length ? 1.0 : weight.velocity));
    }
  }
  return out;
}

Dynamics::Projection Dynamics::finish_projection(double t, double* q, double* v,
                                                 const MotionSizes& tolerances, Workspace& work,
                                                 int shares) const {
  const Impl& impl = *impl_;
  if (impl.rows == 0) return {};
  JointResiduals found;
  for (int k = 0; k < shares; ++k) {
    const JointResiduals& own = work.results[static_cast<std::size_t>(k)].residuals;
    found = {std::max(found.position, own.position), std::max(found.velocity, own.velocity)};
  }
  const double wanted = impl.loops ? tight : share_of_tolerance;
  if (found.position <= wanted * tolerances.length.position &&
      found.velocity <= wanted * tolerances.length.velocity) {
    Projection idle;
    idle.residual = found.velocity;
    return idle;
  }
  std::copy_n(q, impl.size, work.q.begin());
  for (const BodyData& body : impl.bodies)
    twist_of(body.kind, q + body.q, v + body.q, work.twist.data() + body.w);

  const Projection positions =
      impl.project_positions(t, q, v, {tolerances.length.position, tolerances.angle.position}, work);
  if (!positions.ok) {
    std::copy(work.q.begin(), work.q.end(), q);
    return positions;
  }
  // The twists stay while the positions move; rates of quaternions follow below.
  if (positions.moved) impl.set_velocities(work.twist, work.projection);
  Projection velocities = impl.project_velocities(t, {tolerances.length.velocity, tolerances.angle.velocity},
                                                  positions.moved, work);
  if (!velocities.ok) {
    std::copy(work.q.begin(), work.q.end(), q);
    return velocities;
  }
  velocities.moved = velocities.moved || positions.moved;
  if (velocities.moved)
    for (const BodyData& body : impl.bodies)
      rates_of(body.kind, q + body.q, work.twist.data() + body.w, v + body.q);
  return velocities;
}

}  // namespace cosimo
