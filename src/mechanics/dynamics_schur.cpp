// The Schur complement of the constraints: what the elimination tree is given, and its thresholds.
#include <algorithm>
#include <utility>

#include "mechanics/dynamics_data.hpp"

namespace cosimo {

namespace {

/// As pivot_noise in closed loops (SchurState::dependent, by geometry) where they are nearly closed: squares
/// of gaps.
constexpr double per_gap = 1e2;

/// J has 6 columns per body; the block takes those of the freedoms.
void take_block(const ConstraintRows& J, std::size_t end, const BodyData& body, std::size_t rows,
                const TreeSlot& slot, AlignedVector& values) {
  const std::span<const std::uint8_t> components = freedom_components(body.kind);
  const auto width = static_cast<std::size_t>(J.cols());
  const double* from = J.data() + 6 * end;
  double* to = values.data() + slot.at;
  for (std::size_t i = 0; i < rows; ++i, from += width)
    for (const std::uint8_t k : components) {
      *to = from[k];
      to += slot.stride;
    }
}

/// y = M^-1 f of a body.
void divide_by_mass_of(const BodyData& body, const Mat3& inverse_inertia, const double* f, double* y) {
  for (std::size_t k = 0; k < std::min<std::size_t>(3, body.freedoms); ++k) y[k] = f[k] * body.inverse_mass;
  if (body.kind == BodyKind::planar) y[2] = f[2] * body.inverse_turning;
  if (body.kind == BodyKind::rigid)
    Eigen::Map<Vec3>(y + 3).noalias() = inverse_inertia * Eigen::Map<const Vec3>(f + 3);
}

/// An upper triangle, row after row.
void write_upper(const Mat3& A, const TreeSlot& slot, std::size_t first, AlignedVector& values) {
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = i; j < 3; ++j) slot(values, first++) = A(i, j);
}

/// A light body that resists with 1 / along, and 1 / about where it turns.
void write_light(const BodyData& body, double along, double about, const Mat3& inverse_inertia,
                 const TreeSlot& slot, AlignedVector& values) {
  if (body.kind == BodyKind::rigid) {
    slot(values, 0) = along;
    return write_upper(inverse_inertia, slot, 1, values);
  }
  for (std::size_t k = 0; k < body.freedoms; ++k)
    slot(values, k) = body.kind == BodyKind::planar && k == 2 ? about : along;
}

/// A hub: minus its mass matrix.
void write_hub(const BodyData& body, double mass, double turning, const Mat3& inertia, const TreeSlot& slot,
               AlignedVector& values) {
  const std::size_t f = body.freedoms;
  for (std::size_t i = 0; i < f; ++i) {
    for (std::size_t j = 0; j < f; ++j) {
      double x = i == j && i < 3 ? mass : 0.0;
      if (body.kind == BodyKind::planar && i == 2 && j == 2) x = turning;
      if (i >= 3 && j >= 3) x = inertia(static_cast<Eigen::Index>(i - 3), static_cast<Eigen::Index>(j - 3));
      slot(values, i * f + j) = -x;
    }
  }
}

/// Squared lengths of the translational and the rotational part of a row of a block.
struct RowSquares {
  double along = 0, about = 0;
};
std::size_t translations_of(const BodyData& body) {
  return body.kind == BodyKind::planar ? 2 : std::min<std::size_t>(3, body.freedoms);
}
RowSquares squares(const AlignedVector& values, const TreeSlot& J, std::size_t row, const BodyData& body) {
  const std::size_t translations = translations_of(body);
  RowSquares out;
  for (std::size_t k = 0; k < body.freedoms; ++k) {
    const double x = J(values, row * body.freedoms + k);
    (k < translations ? out.along : out.about) += x * x;
  }
  return out;
}

}  // namespace

void Dynamics::Impl::write_other_jacobians(double t, SchurState& state, Workspace& work,
                                           bool curvature) const {
  std::array<Frame, most_ends> store;
  for (const std::uint32_t c : joints.others) {
    const ConstraintData& data = constraints[c];
    const BodyFrames frames = frames_of(data, state.frames, store);
    data.constraint->jacobian(t, frames, work.rows);
    for (std::size_t e = 0; e < data.ends; ++e)
      take_block(work.rows, e, bodies[data.end[e].body], data.rows, data.end[e].J, state.values);
    if (!curvature) continue;
    data.constraint->curvature(t, frames, work.row);
    const TreeSlot slot = tree.rows(c)[RowSection::curvature];
    for (std::size_t i = 0; i < data.rows; ++i)
      slot(state.values, i) = work.row[static_cast<Eigen::Index>(i)];
  }
}

void Dynamics::Impl::factorise(double t, SchurState& state, Workspace& work) const {
  write_inverse_masses(table, table.all(), state.pose.data(), state.values.data());
  write_system(t, state, work, false);
  factorise_written(t, state, work);
}

void Dynamics::Impl::write_system(double t, SchurState& state, Workspace& work, bool curvature) const {
  write_masses(state);
  write_jacobians(joints, joints.all(), state.pose.data(), curvature, state.values.data());
  write_other_jacobians(t, state, work, curvature);
}

void Dynamics::Impl::factorise_written(double t, SchurState& state, Workspace& work) const {
  tree.prepare(state.values);
  add_noise_of_hubs(state, state.values);
  if (loops) {
    find_arms(state);
    if (state.closed) find_gaps(t, state, work);
  }
  if (uneven) {
    factorise_even(state);
    return tree.factorise(state.values, Shares::known);
  }
  if (loops) raise_thresholds(state, state.values);
  tree.factorise(state.values, Shares::found);
}

void Dynamics::Impl::write_masses(SchurState& state) const {
  write_plain_masses(state);
  for (const std::uint32_t b : hubs) {
    const Mat3 R = frame_in(b, state).R;
    write_hub(bodies[b], bodies[b].mass, bodies[b].turning, R * bodies[b].inertia * R.transpose(),
              tree.mass(b), state.values);
  }
}

void Dynamics::Impl::write_plain_masses(SchurState& state) const {
  for (const std::uint32_t b : plain_bodies)
    if (!tree.is_hub(b))
      write_light(bodies[b], bodies[b].inverse_mass, bodies[b].inverse_turning, Mat3::Zero(), tree.mass(b),
                  state.values);
}

void Dynamics::Impl::write_even_masses(SchurState& state) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const double mass = groups[bodies[b].group].largest_mass, arm = state.arm[bodies[b].group];
    const double turning = arm > 0 ? mass * arm : mass, about = 1.0 / turning;
    if (tree.is_hub(b))
      write_hub(bodies[b], mass, turning, turning * Mat3::Identity(), tree.mass(b), state.even);
    else
      write_light(bodies[b], 1.0 / mass, about, about * Mat3::Identity(), tree.mass(b), state.even);
  }
}

void Dynamics::Impl::add_noise_of_hubs(const SchurState& state, AlignedVector& values) const {
  std::array<double, 6> row{}, divided{};
  for (const auto& [c, e] : felt_hubs) {
    const ConstraintData& data = constraints[c];
    const auto [b, J] = data.end[e];
    const TreeSlot threshold = tree.rows(c)[RowSection::threshold];
    for (std::size_t i = 0; i < data.rows; ++i) {
      for (std::size_t k = 0; k < bodies[b].freedoms; ++k) row[k] = J(values, i * bodies[b].freedoms + k);
      divide_by_mass_of(bodies[b], inverse_inertia_in(b, state), row.data(), divided.data());
      for (std::size_t k = 0; k < bodies[b].freedoms; ++k)
        threshold(values, i) += pivot_noise * row[k] * divided[k];
    }
  }
}

void Dynamics::Impl::factorise_even(SchurState& state) const {
  tree.copy_jacobians(state.values, state.even);
  write_even_masses(state);
  tree.prepare(state.even);
  raise_thresholds(state, state.even);
  tree.factorise(state.even, Shares::found);
  tree.copy(RowSection::share, state.even, state.values);
  raise_noise(state);
}

void Dynamics::Impl::raise_noise(SchurState& state) const {
  const auto for_rows = [&](const auto& f) {
    for (std::size_t c = 0; c < constraints.size(); ++c)
      for (std::size_t i = 0; i < constraints[c].rows; ++i)
        f(groups[constraints[c].group], state.noise[constraints[c].group],
          tree.rows(c)[RowSection::threshold](state.values, i),
          tree.rows(c)[RowSection::share](state.values, i));
  };
  std::fill(state.noise.begin(), state.noise.end(), 0.0);
  for_rows([](const ConstraintGroup&, double& noise, double threshold, double) {
    noise = std::max(noise, threshold);
  });
  for_rows([](const ConstraintGroup& group, double noise, double& threshold, double share) {
    if (group.loops && share < 1) threshold = std::max(threshold, noise);
  });
}

void Dynamics::Impl::find_arms(SchurState& state) const {
  for (std::size_t g = 0; g < groups.size(); ++g)
    state.arm[g] = groups[g].largest_inertia / groups[g].largest_mass;
  find_row_squares(joints, state.values.data(), state.squares.data());
  for (std::size_t j = 0; j < joints.groups.size(); ++j) {
    const double* const found = state.squares.data() + j * JointTable::square_numbers * pack_things;
    for (std::size_t i = 0; i < pack_things && joints.groups[j].rows; ++i) {
      double& arm = state.arm[static_cast<std::size_t>(joints.groups[j].chain[i])];
      arm = std::max(arm, found[i]);
    }
  }
  for (const std::uint32_t c : joints.others) {
    const ConstraintData& data = constraints[c];
    for (std::size_t e = 0; e < data.ends; ++e) {
      const BodyData& body = bodies[data.end[e].body];
      for (std::size_t i = 0; i < data.rows; ++i) {
        const RowSquares row = squares(state.values, data.end[e].J, i, body);
        if (row.about > state.arm[data.group] * row.along && row.along > 0)
          state.arm[data.group] = row.about / row.along;
      }
    }
  }
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (!groups[g].loops) state.arm[g] = groups[g].largest_inertia / groups[g].largest_mass;
}

void Dynamics::Impl::find_gaps(double t, SchurState& state, Workspace& work) const {
  std::fill(state.gap.begin(), state.gap.end(), 0.0);
  find_position_rest(t, state, work, work.gap);
  for (const ConstraintData& data : constraints) {
    if (!groups[data.group].loops) continue;
    double& gap = state.gap[data.group];
    for (std::size_t i = 0; i < data.rows; ++i) {
      const double g = work.gap[data.row + i], arm = state.arm[data.group];
      gap = std::max(gap, data.constraint->is_length(i) && arm > 0 ? g * g / arm : g * g);
    }
  }
}

void Dynamics::Impl::raise_thresholds(SchurState& state, AlignedVector& values) const {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double share =
        state.closed ? std::clamp(per_gap * state.gap[g], pivot_noise, state.dependent) : state.dependent;
    state.share[g] = groups[g].loops ? share / groups[g].largest_mass : 0;
    state.per_arm[g] = state.arm[g] > 0 ? 1 / state.arm[g] : 0;
  }
  raise_joint_thresholds(joints, state.squares.data(), {state.share.data(), state.per_arm.data()},
                         values.data());
  for (const std::uint32_t c : joints.others) {
    const ConstraintData& data = constraints[c];
    const TreeSlot thresholds = tree.rows(c)[RowSection::threshold];
    for (std::size_t i = 0; i < data.rows; ++i) {
      double diagonal = 0;
      for (std::size_t e = 0; e < data.ends; ++e) {
        if (!tree.feels(c, e)) continue;
        const RowSquares row = squares(state.values, data.end[e].J, i, bodies[data.end[e].body]);
        diagonal += row.along + state.per_arm[data.group] * row.about;
      }
      double& threshold = thresholds(values, i);
      threshold = std::max(threshold, state.share[data.group] * diagonal);
    }
  }
}

void Dynamics::Impl::take_away(const std::vector<double>& rest, SchurState& state,
                               std::vector<double>& x) const {
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const TreeSlot slot = tree.rows(c)[RowSection::rest];
    for (std::size_t i = 0; i < constraints[c].rows; ++i)
      slot(state.values, i) = rest[constraints[c].row + i];
  }
  put_alpha(x, state.values);
  tree.solve(state.values, state.notes);
  tree.respond(state.values);
  get_alpha(state.values, x);
}

void Dynamics::Impl::put_alpha(const std::vector<double>& x, AlignedVector& values) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const TreeSlot slot = tree.alpha(b);
    for (std::size_t k = 0; k < bodies[b].freedoms; ++k) slot(values, k) = x[bodies[b].w + k];
  }
}

void Dynamics::Impl::get_alpha(const AlignedVector& values, std::vector<double>& x) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const TreeSlot slot = tree.alpha(b);
    for (std::size_t k = 0; k < bodies[b].freedoms; ++k) x[bodies[b].w + k] = slot(values, k);
  }
}

void Dynamics::Impl::divide_by_mass(const SchurState& state, const double* force, double* x) const {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    divide_by_mass_of(bodies[b], inverse_inertia_in(b, state), force + bodies[b].w, x + bodies[b].w);
}

}  // namespace cosimo
