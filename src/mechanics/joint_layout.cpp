#include "mechanics/joint_layout.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace cosimo {

namespace {

using Origin = JointVector::Origin;

constexpr JointVector d{};
constexpr JointVector global_axis(std::uint8_t k) {
  return {Origin::global, k};
}
constexpr JointVector from_axis(std::uint8_t k) {
  return {Origin::from, k};
}
constexpr JointVector to_axis(std::uint8_t k) {
  return {Origin::to, k};
}
constexpr std::uint8_t x = 0, y = 1, z = 2;

constexpr double closes = 1e-8;   // how well a joint must be satisfied where its rows are chosen
constexpr double depends = 1e-7;  // smallest share of a row that counts as depending on a freedom

bool slides(JointKind kind) {
  return kind == JointKind::prismatic || kind == JointKind::cylindrical || kind == JointKind::planar;
}

bool can_move(const Marker& marker, BodyKind kind, std::uint8_t component) {
  const std::span<const std::uint8_t> free = freedom_components(kind);
  return marker.body != ground && std::find(free.begin(), free.end(), component) != free.end();
}

Mat3 turned_about_z(double angle) {
  Mat3 R = Mat3::Identity();
  R(0, 0) = R(1, 1) = std::cos(angle);
  R(1, 0) = std::sin(angle);
  R(0, 1) = -R(1, 0);
  return R;
}

double direction(const Vec3& a) {
  return std::atan2(a.y(), a.x());
}

bool lies_in_plane(const Vec3& axis) {
  return axis.head<2>().norm() > closes;
}

/// By how much the `to` body is turned against the `from` body about the global z axis where the joint is
/// satisfied.
double closing_angle(JointKind kind, const Mat3& from, const Mat3& to) {
  if (kind == JointKind::prismatic || kind == JointKind::fixed) {
    const Mat3 M = from * to.transpose();
    return std::atan2(M(1, 0) - M(0, 1), M(0, 0) + M(1, 1));
  }
  if (kind == JointKind::spherical || !lies_in_plane(from.col(2))) return 0;
  if (kind == JointKind::universal) return direction(from.col(2)) + std::acos(0.0) - direction(to.col(0));
  return direction(from.col(2)) - direction(to.col(2));
}

/// Bodies in the plane, placed so that the joint is satisfied if it can be.
PairView closed_pair(JointKind kind, const JointSides& sides) {
  constexpr std::uint8_t wz = 5;
  Frame from, to;
  const double angle = closing_angle(kind, sides.from.axes, sides.to.axes);
  if (can_move(sides.to, sides.to_kind, wz)) {
    to.R = turned_about_z(angle);
  } else if (can_move(sides.from, sides.from_kind, wz)) {
    from.R = turned_about_z(-angle);
  }
  const Vec3 gap = view_pair(from, to, sides.from, sides.to).d;
  for (const std::uint8_t k : {x, y}) {
    if (can_move(sides.to, sides.to_kind, k)) {
      to.r[k] -= gap[k];
    } else if (can_move(sides.from, sides.from_kind, k)) {
      from.r[k] += gap[k];
    }
  }
  return view_pair(from, to, sides.from, sides.to);
}

/// The part of a gradient that belongs to freedoms of the two bodies; the rest is zero.
Vec12 felt(const Vec12& gradient, const JointSides& sides) {
  Vec12 out = Vec12::Zero();
  for (std::uint8_t k = 0; k < 6; ++k) {
    if (can_move(sides.from, sides.from_kind, k)) out[k] = gradient[k];
    if (can_move(sides.to, sides.to_kind, k)) out[6 + k] = gradient[6 + k];
  }
  return out;
}

/// The rows that are independent of each other at this placement, in their old order.
std::vector<BilinearRow> independent(const std::vector<BilinearRow>& rows, const PairView& pair,
                                     const JointSides& sides) {
  std::vector<Vec12> left;
  left.reserve(rows.size());
  for (const BilinearRow& row : rows) left.push_back(felt(gradient(row, pair), sides));
  std::vector<std::size_t> taken;
  for (std::size_t round = 0; round < rows.size(); ++round) {
    std::size_t most = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
      if (left[i].norm() > (1 + depends) * left[most].norm()) most = i;
    if (left[most].norm() < depends) break;
    taken.push_back(most);
    const Vec12 axis = left[most].normalized();
    for (Vec12& v : left) v -= axis * axis.dot(v);
  }
  std::sort(taken.begin(), taken.end());
  std::vector<BilinearRow> out;
  out.reserve(taken.size());
  for (const std::size_t i : taken) out.push_back(rows[i]);
  return out;
}

/// Leaves out what would hold the orientation of a point mass, or refuses it.
void drop_orientations(const std::string& name, JointKind kind, const JointSides& sides,
                       std::vector<BilinearRow>& rows) {
  const bool from_point = is_point_mass(sides.from, sides.from_kind);
  if (!from_point && !is_point_mass(sides.to, sides.to_kind)) return;
  if (slides(kind) && from_point)
    refuse(name, "its axis would belong to a point mass, which has no orientation",
           "name the body that guides the point mass as `from`");
  const Marker& other = from_point ? sides.to : sides.from;
  const BodyKind other_kind = from_point ? sides.to_kind : sides.from_kind;
  const bool turns = other.body != ground && !is_point_mass(other, other_kind);
  // In the plane a revolute joint holds no orientation, in space it does.
  const bool harmless = kind == JointKind::revolute && other_kind == BodyKind::planar;
  if (!slides(kind) && kind != JointKind::spherical && turns && !harmless)
    refuse(name, "a point mass has no orientation that a " + std::string(name_of(kind)) + " joint could hold",
           other_kind == BodyKind::planar ? "make it a revolute joint" : "make it a spherical joint");
  std::erase_if(rows, [](const BilinearRow& row) { return !row.is_length(); });
}

}  // namespace

void refuse(const std::string& name, std::string problem, std::string remedy) {
  throw Error(Fault{.field = name, .problem = std::move(problem), .remedy = std::move(remedy)});
}

bool is_point_mass(const Marker& marker, BodyKind kind) {
  return marker.body != ground && freedom_components(kind).back() < 3;
}

bool stays_in_plane(const Marker& marker, BodyKind kind) {
  return !can_move(marker, kind, z);
}

void check_ends(const std::string& name, const JointSides& sides) {
  if (sides.from.body != sides.to.body) return;
  refuse(name,
         sides.from.body == ground ? "joint of the ground to itself"
                                   : "joint to itself: both ends are on the same body",
         "name two different bodies, or a body and the ground");
}

std::vector<BilinearRow> rows_of(JointKind kind) {
  std::vector<BilinearRow> rows;
  const auto add = [&](JointVector u, JointVector v) { rows.push_back({u, v}); };
  if (kind == JointKind::planar) {
    add(from_axis(z), d);
  } else if (slides(kind)) {
    for (const std::uint8_t k : {x, y}) add(from_axis(k), d);
  } else {
    for (const std::uint8_t k : {x, y, z}) add(global_axis(k), d);
  }
  if (kind == JointKind::universal) add(from_axis(z), to_axis(x));
  if (kind == JointKind::spherical || kind == JointKind::universal) return rows;
  for (const std::uint8_t k : {x, y}) add(from_axis(k), to_axis(z));
  if (kind == JointKind::fixed || kind == JointKind::prismatic) add(from_axis(x), to_axis(y));
  return rows;
}

std::vector<BilinearRow> rows_between(const std::string& name, JointKind kind, const JointSides& sides) {
  check_ends(name, sides);
  std::vector<BilinearRow> rows = rows_of(kind);
  drop_orientations(name, kind, sides, rows);
  if (!stays_in_plane(sides.from, sides.from_kind) || !stays_in_plane(sides.to, sides.to_kind)) return rows;

  const PairView pair = closed_pair(kind, sides);
  const double size = 1 + sides.from.point.norm() + sides.to.point.norm();
  for (const BilinearRow& row : rows)
    if (std::abs(value(row, pair)) > closes * (row.is_length() ? size : 1))
      refuse(name, "its bodies cannot satisfy it in the plane z = 0",
             row.is_length() ? "give both points the same z"
                             : "turn its axes into the plane or perpendicular to it, alike on both bodies");
  rows = independent(rows, pair, sides);
  if (rows.empty())
    refuse(name,
           "a " + std::string(name_of(kind)) + " joint leaves nothing to constrain between these bodies",
           "leave it out, or turn its axis");
  const bool turns = sides.from_kind == BodyKind::planar || sides.to_kind == BodyKind::planar;
  if (turns && rows.size() == 3 && kind != JointKind::fixed)
    refuse(
        name,
        "a " + std::string(name_of(kind)) + " joint with this axis lets its bodies move no more in the plane",
        "turn its axis, or make it a fixed joint");
  return rows;
}

}  // namespace cosimo
