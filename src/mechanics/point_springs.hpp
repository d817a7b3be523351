// Springs and dampers between point masses, and from them to the ground, as the bodies see them: eight side
// by side.
//
// The force of a spring on one of its ends follows from where the other end is, seen from there, and from how
// it moves (mechanics/spring_element.cpp has the law): whichever end asks, the law is the same. So each of
// the two bodies evaluates it for itself, no body waits for another, and every one adds up its own springs in
// an order that the table fixes. Neither the width of the machine's vectors nor the division of bodies among
// threads changes a bit.
//
// A *run* is bodies of one kind behind each other, a *slice* eight bodies of a run; the last slice of a run
// may have fewer. Springs are sorted by *form*, so that plain ones cost no more than they must. A body's sum
// takes its weight first, then springs to other bodies by form and number, then springs to the ground.
//
//   whole    linear spring; the damper acts on the whole relative velocity, or there is none
//   line     linear spring and damper along the line
//   general  every other law (2.9)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/ids.hpp"
#include "mechanics/elements.hpp"

namespace cosimo {

struct PointBody {
  std::size_t dimensions = 3;
  double mass = 1;
};

inline constexpr std::int32_t on_ground = -1;

struct PointSpring {
  std::int32_t from = on_ground, to = on_ground;  ///< at least one is a body
  Vec3 place = Vec3::Zero();                      ///< of the end on the ground
  SpringSpec spec;
};

/// Springs of one form, by slices: eight entries for the first of each body, eight for the second, ...
struct SpringRows {
  enum class Form : std::uint8_t { whole, line, general };
  enum class Power : std::uint8_t { none, cubic, any };
  Form form = Form::whole;
  bool grounded = false;
  std::vector<std::size_t> first;      ///< of every slice, one more
  std::vector<std::int32_t> other;     ///< first coordinate of the other end
  std::array<AlignedVector, 3> place;  ///< or where it is on the ground
  AlignedVector c, d, length;          ///< an entry that only fills up has zeros
  Power spring = Power::none, damper = Power::none;
  AlignedVector C, D, ex, ev, all;  ///< general: `all` damps the whole relative velocity
};

/// Read by the kernels (mechanics/point_spring_kernels.hpp). Slices are numbered through all runs.
struct PointTable {
  std::vector<SpringRows> springs;  ///< in the order in which they are added up
  AlignedVector mass, inverse;      ///< eight for each slice
  Vec3 gravity = Vec3::Zero();
};

class PointSprings {
 public:
  enum class Result : std::uint8_t { force, acceleration };

  PointSprings() = default;
  /// `bodies` in the order of their coordinates. The ends of a spring have equal dimensions, and so has its
  /// place on the ground.
  PointSprings(std::span<const PointBody> bodies, std::span<const PointSpring> springs, const Vec3& gravity);

  /// out[i] = weight and springs, or the acceleration that they cause, for the coordinates i in `range`;
  /// other entries are not touched. False when one is not finite.
  [[nodiscard]] bool evaluate(const double* q, const double* v, Result result, Range range,
                              double* out) const;

  std::size_t bodies() const { return bodies_; }
  std::size_t springs() const { return springs_; }
  const PointTable& table() const { return table_; }

 private:
  struct Run {
    std::size_t dimensions = 0, bodies = 0;
    std::size_t first = 0;  ///< coordinate
    std::size_t slice = 0;  ///< its first
    std::size_t size() const { return dimensions * bodies; }
  };
  static std::size_t slices(const Run& run);
  std::vector<std::size_t> add_runs(std::span<const PointBody> bodies);
  [[nodiscard]] bool evaluate_run(const Run& run, const double* q, const double* v, Result result,
                                  Range range, double* out) const;

  std::vector<Run> runs_;
  PointTable table_;
  std::size_t bodies_ = 0, springs_ = 0;
};

}  // namespace cosimo
