// A joint, or any other holonomic condition between bodies: rows g(t, frames) = 0.
//
//   residual      g
//   jacobian      J with dg/dt = J w + g_t, w the twists (v, w) of the bodies' centres of mass
//   drift         g_t
//   curvature     c with d2g/dt2 = J dw/dt + c: everything that is not an acceleration
//
// The reaction on the bodies is -J^T lambda. Implicit methods also need how J^T lambda and J w + g_t change
// when the bodies are displaced. All of them are exact; frames are those of the bodies, ends on the ground
// are given as Frame{}.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mechanics/body.hpp"

namespace cosimo {

inline constexpr std::size_t most_ends = 4;  ///< a gear between two joints
inline constexpr std::size_t most_rows = 6;

/// Row-major storage for up to six rows and four ends.
using ConstraintRows =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, most_rows, 6 * most_ends>;
using ConstraintBlock =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6 * most_ends, 6 * most_ends>;
using RowVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_rows, 1>;
using BodyFrames = std::span<const Frame>;

/// Rows between two markers that tables evaluate side by side (mechanics/joint_rows.hpp).
struct JoinedRows;

class Constraint {
 public:
  explicit Constraint(std::string constraint_name) : name(std::move(constraint_name)) {}
  virtual ~Constraint() = default;

  /// The bodies it joins, each once, `ground` left out. Frames are given in this order.
  virtual std::span<const BodyId> bodies() const = 0;
  virtual std::size_t rows() const = 0;
  virtual void residual(double t, BodyFrames frames, RowVector& g) const = 0;
  /// rows() x 6 bodies().size(), columns (v, w) body after body.
  virtual void jacobian(double t, BodyFrames frames, ConstraintRows& J) const = 0;
  virtual void drift(double t, BodyFrames frames, RowVector& g_t) const = 0;
  virtual void curvature(double t, BodyFrames frames, RowVector& c) const = 0;
  /// d(J^T lambda)/d(dr, dtheta of all bodies), square; not symmetric in general, as rotations do not
  /// commute.
  virtual void force_gradient(double t, BodyFrames frames, const RowVector& lambda,
                              ConstraintBlock& out) const = 0;
  /// d(J w + g_t)/d(dr, dtheta of all bodies) at the frames' own velocities: rows() x 6 bodies().size().
  virtual void rate_gradient(double t, BodyFrames frames, ConstraintRows& out) const = 0;
  virtual double next_breakpoint(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  virtual std::string_view kind() const = 0;  ///< "revolute", "motor", ...
  /// Row i limits a displacement (true) or an angle: for tolerances.
  virtual bool is_length(std::size_t row) const = 0;
  /// Force and torque that the joint exerts on its last body, about its marker there, along the global axes.
  virtual void reaction(double t, BodyFrames frames, const RowVector& lambda, Vec3& force,
                        Vec3& torque) const = 0;

  /// It is nothing but these rows, always; null: it is more than that.
  virtual const JoinedRows* joined_rows() const { return nullptr; }

  const std::string name;
};

}  // namespace cosimo
