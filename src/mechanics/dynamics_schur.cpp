// The Schur complement of the constraints: assembly, factor, and the products with J and M^-1 around it.
#include <algorithm>
#include <utility>

#include "mechanics/constant_size.hpp"
#include "mechanics/dynamics_data.hpp"

namespace cosimo {

namespace {

constexpr double noise = 1e-13;  ///< pivots below this part of their diagonal are rounding errors
/// The same in closed loops (SchurState::dependent, by geometry) where they are nearly closed: squares of
/// gaps.
constexpr double per_gap = 1e2;

/// Calls f with the number of freedoms of a body as a constant.
template <class Function>
void with_freedoms(std::size_t freedoms, Function&& f) {
  with_constant<1, 2, 3, 6>(freedoms, f);
}

/// Both: the size of a block of J.
template <class Function>
void with_block(std::size_t freedoms, std::size_t rows, Function&& f) {
  with_freedoms(freedoms, [&]<std::size_t F>() {
    with_rows(rows, [&]<std::size_t R>() { f.template operator()<F, R>(); });
  });
}

/// J has 6 columns per body; the block takes those of the freedoms.
void take_block(const ConstraintRows& J, std::size_t end, const BodyData& body, std::size_t rows,
                double* block) {
  const auto stride = static_cast<std::size_t>(J.cols());
  const double* from = J.data() + 6 * end;
  if (body.kind == BodyKind::planar) {
    for (std::size_t i = 0; i < rows; ++i, from += stride, block += 3) {
      block[0] = from[0];
      block[1] = from[1];
      block[2] = from[5];
    }
    return;
  }
  with_freedoms(body.freedoms, [&]<std::size_t F>() {
    for (std::size_t i = 0; i < rows; ++i, from += stride, block += F) std::copy_n(from, F, block);
  });
}

/// Y = J M^-1.
void divide_block(const double* J, const BodyData& body, const Mat3& inverse_inertia, std::size_t rows,
                  double* Y) {
  if (body.kind == BodyKind::rigid) {
    for (std::size_t i = 0; i < rows; ++i, J += 6, Y += 6) {
      for (std::size_t k = 0; k < 3; ++k) Y[k] = J[k] * body.inverse_mass;
      Eigen::Map<Vec3>(Y + 3).noalias() = inverse_inertia * Eigen::Map<const Vec3>(J + 3);
    }
  } else if (body.kind == BodyKind::planar) {
    for (std::size_t i = 0; i < rows; ++i, J += 3, Y += 3) {
      Y[0] = J[0] * body.inverse_mass;
      Y[1] = J[1] * body.inverse_mass;
      Y[2] = J[2] * body.inverse_turning;
    }
  } else {
    for (std::size_t i = 0; i < rows * body.freedoms; ++i) Y[i] = J[i] * body.inverse_mass;
  }
}

template <std::size_t F, std::size_t C>
void add_product(const double* Y, const double* J, std::size_t rows, double* target) {
  for (std::size_t i = 0; i < rows; ++i, Y += F, target += C) {
    for (std::size_t j = 0; j < C; ++j) {
      double s = 0;
      for (std::size_t k = 0; k < F; ++k) s += Y[k] * J[j * F + k];
      target[j] += s;
    }
  }
}

void add_overlap(const Overlap& overlap, const std::vector<double>& all_J, const std::vector<double>& all_Y,
                 double* S) {
  const double* const J = all_J.data() + overlap.j;
  const double* const Y = all_Y.data() + overlap.y;
  with_block(overlap.freedoms, overlap.columns, [&]<std::size_t F, std::size_t C>() {
    add_product<F, C>(Y, J, overlap.rows, S + overlap.target);
  });
}

/// out += J x.
template <std::size_t F, std::size_t R>
void add_rows_of(const double* J, const double* x, double* out) {
  for (std::size_t i = 0; i < R; ++i, J += F) {
    double s = 0;
    for (std::size_t k = 0; k < F; ++k) s += J[k] * x[k];
    out[i] += s;
  }
}

/// x -= Y^T lambda.
template <std::size_t F, std::size_t R>
void subtract_response_of(const double* Y, const double* lambda, double* x) {
  std::array<double, F> sum;
  std::copy_n(x, F, sum.begin());
  for (std::size_t i = 0; i < R; ++i, Y += F)
    for (std::size_t k = 0; k < F; ++k) sum[k] -= Y[k] * lambda[i];
  std::copy_n(sum.begin(), F, x);
}

/// Squared lengths of the translational and the rotational part of a row of a block.
struct RowSquares {
  double along = 0, about = 0;
};
std::size_t translations_of(const BodyData& body) {
  return body.kind == BodyKind::planar ? 2 : std::min<std::size_t>(3, body.freedoms);
}
RowSquares squares(const double* row, const BodyData& body) {
  const std::size_t translations = translations_of(body);
  RowSquares out;
  for (std::size_t k = 0; k < body.freedoms; ++k)
    (k < translations ? out.along : out.about) += row[k] * row[k];
  return out;
}

}  // namespace

void Dynamics::Impl::factorise(double t, SchurState& state, Workspace& work) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].kind != BodyKind::rigid) continue;
    const Mat3& R = state.frames[b].R;
    const Mat3 half = R * bodies[b].inverse_inertia;
    state.inverse_inertia[b].noalias() = half * R.transpose();
  }
  std::array<Frame, most_ends> store;
  for (const ConstraintData& data : constraints) {
    data.constraint->jacobian(t, frames_of(data, state.frames, store), work.rows);
    for (std::size_t e = 0; e < data.ends; ++e) {
      const auto [body, block] = data.end[e];
      take_block(work.rows, e, bodies[body], data.rows, state.J.data() + block);
      divide_block(state.J.data() + block, bodies[body], state.inverse_inertia[body], data.rows,
                   state.Y.data() + block);
    }
  }
  std::fill(state.S.begin(), state.S.end(), 0.0);
  for (const Overlap& overlap : overlaps) add_overlap(overlap, state.J, state.Y, state.S.data());
  for (std::size_t row = 0; row < rows; ++row) state.threshold[row] = noise * state.S[pattern.diagonal(row)];
  if (loops) {
    find_arms(state);
    if (state.closed) find_gaps(t, state, work);
  }
  if (uneven) {
    factorise_even(state);
    return pattern.factorise(state.S, {state.threshold, state.share});
  }
  if (loops) raise_thresholds(state, state.threshold);
  pattern.factorise(state.S, {.tau = state.threshold, .found = state.share});
}

void Dynamics::Impl::factorise_even(SchurState& state) const {
  for (const ConstraintData& data : constraints) {
    const ConstraintGroup& group = groups[data.group];
    const double arm = state.arm[data.group];
    const double along = 1.0 / group.largest_mass, about = arm > 0 ? along / arm : along;
    for (std::size_t e = 0; e < data.ends; ++e) {
      const BodyData& body = bodies[data.end[e].body];
      const std::size_t first = data.end[e].block, count = data.rows * body.freedoms;
      for (std::size_t i = 0; i < count; ++i)
        state.even_Y[first + i] =
            state.J[first + i] * (i % body.freedoms < translations_of(body) ? along : about);
    }
  }
  std::fill(state.even_S.begin(), state.even_S.end(), 0.0);
  for (const Overlap& overlap : overlaps) add_overlap(overlap, state.J, state.even_Y, state.even_S.data());
  for (std::size_t row = 0; row < rows; ++row)
    state.even_threshold[row] = noise * state.even_S[pattern.diagonal(row)];
  raise_thresholds(state, state.even_threshold);
  pattern.factorise(state.even_S, {.tau = state.even_threshold, .found = state.share});
}

void Dynamics::Impl::find_curvature(double t, const SchurState& state, Workspace& work) const {
  std::array<Frame, most_ends> store;
  for (const ConstraintData& data : constraints) {
    data.constraint->curvature(t, frames_of(data, state.frames, store), work.row);
    for (std::size_t i = 0; i < data.rows; ++i)
      work.curvature[data.row + i] = work.row[static_cast<Eigen::Index>(i)];
  }
}

void Dynamics::Impl::find_arms(SchurState& state) const {
  for (std::size_t g = 0; g < groups.size(); ++g)
    state.arm[g] = groups[g].largest_inertia / groups[g].largest_mass;
  for (const ConstraintData& data : constraints) {
    if (!groups[data.group].loops) continue;
    for (std::size_t e = 0; e < data.ends; ++e) {
      const BodyData& body = bodies[data.end[e].body];
      for (std::size_t i = 0; i < data.rows; ++i) {
        const RowSquares row = squares(state.J.data() + data.end[e].block + i * body.freedoms, body);
        if (row.about > state.arm[data.group] * row.along && row.along > 0)
          state.arm[data.group] = row.about / row.along;
      }
    }
  }
}

void Dynamics::Impl::find_gaps(double t, SchurState& state, Workspace& work) const {
  std::fill(state.gap.begin(), state.gap.end(), 0.0);
  std::array<Frame, most_ends> store;
  for (const ConstraintData& data : constraints) {
    if (!groups[data.group].loops) continue;
    data.constraint->residual(t, frames_of(data, state.frames, store), work.row);
    double& gap = state.gap[data.group];
    for (std::size_t i = 0; i < data.rows; ++i) {
      const double g = work.row[static_cast<Eigen::Index>(i)], arm = state.arm[data.group];
      gap = std::max(gap, data.constraint->is_length(i) && arm > 0 ? g * g / arm : g * g);
    }
  }
}

void Dynamics::Impl::raise_thresholds(SchurState& state, std::vector<double>& thresholds) const {
  for (const ConstraintData& data : constraints) {
    const ConstraintGroup& group = groups[data.group];
    if (!group.loops) continue;
    const double arm = state.arm[data.group];
    const double share =
        state.closed ? std::clamp(per_gap * state.gap[data.group], noise, state.dependent) : state.dependent;
    for (std::size_t i = 0; i < data.rows; ++i) {
      double diagonal = 0;
      for (std::size_t e = 0; e < data.ends; ++e) {
        const BodyData& body = bodies[data.end[e].body];
        const RowSquares row = squares(state.J.data() + data.end[e].block + i * body.freedoms, body);
        diagonal += row.along + (arm > 0 ? row.about / arm : 0.0);
      }
      double& threshold = thresholds[data.row + i];
      threshold = std::max(threshold, share * diagonal / group.largest_mass);
    }
  }
}

void Dynamics::Impl::add_rows(const SchurState& state, const double* x, double* out) const {
  for (const ConstraintData& data : constraints) {
    for (std::size_t e = 0; e < data.ends; ++e) {
      const BodyData& body = bodies[data.end[e].body];
      const double* const J = state.J.data() + data.end[e].block;
      with_block(body.freedoms, data.rows,
                 [&]<std::size_t F, std::size_t R>() { add_rows_of<F, R>(J, x + body.w, out + data.row); });
    }
  }
}

void Dynamics::Impl::subtract_response(const SchurState& state, const double* lambda, double* x) const {
  for (const ConstraintData& data : constraints) {
    for (std::size_t e = 0; e < data.ends; ++e) {
      const BodyData& body = bodies[data.end[e].body];
      const double* const Y = state.Y.data() + data.end[e].block;
      with_block(body.freedoms, data.rows, [&]<std::size_t F, std::size_t R>() {
        subtract_response_of<F, R>(Y, lambda + data.row, x + body.w);
      });
    }
  }
}

void Dynamics::Impl::divide_by_mass(const SchurState& state, const double* force, double* x) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyData& body = bodies[b];
    divide_block(force + body.w, body, state.inverse_inertia[b], 1, x + body.w);
  }
}

}  // namespace cosimo
