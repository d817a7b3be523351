#include "config/looks.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "config/read.hpp"
#include "config/read_values.hpp"

namespace cosimo::config {

namespace {

using Vec3 = Eigen::Vector3d;
using std::numbers::pi;

constexpr int sides = 32, rings = 8;  // of what is round; from pole to equator

Vec3 vec(const Value& list) {
  return {list.numbers[0], list.numbers[1], list.numbers[2]};
}

/// Puts shapes into one surface.
class Painter {
 public:
  Painter(SolidShape& out, const Eigen::Affine3d& pose) : out_(out), pose_(pose) {}

  void box(const Vec3& edges) {
    const std::size_t first = out_.points.size();
    for (int i = 0; i < 8; ++i)
      point(0.5 * Vec3((i & 1) != 0 ? edges.x() : -edges.x(), (i & 2) != 0 ? edges.y() : -edges.y(),
                       (i & 4) != 0 ? edges.z() : -edges.z()));
    for (const auto& f : {std::array<std::size_t, 4>{0, 2, 3, 1},
                          {4, 5, 7, 6},
                          {0, 1, 5, 4},
                          {2, 6, 7, 3},
                          {0, 4, 6, 2},
                          {1, 3, 7, 5}}) {
      out_.triangles.push_back({first + f[0], first + f[1], first + f[2]});
      out_.triangles.push_back({first + f[0], first + f[2], first + f[3]});
    }
  }

  /// The surface that a line (radius, height), from below to above on its outside, makes about z.
  void turned(const std::vector<std::array<double, 2>>& line) {
    const std::size_t first = out_.points.size(), n = sides;
    for (const auto& [radius, height] : line)
      for (std::size_t i = 0; i < n; ++i) {
        const double angle = 2 * pi * static_cast<double>(i) / sides;
        point({radius * std::cos(angle), radius * std::sin(angle), height});
      }
    for (std::size_t k = 0; k + 1 < line.size(); ++k)
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t a = first + k * n + i, b = first + k * n + (i + 1) % n;
        if (line[k][0] > 0) out_.triangles.push_back({a, b, b + n});
        if (line[k + 1][0] > 0) out_.triangles.push_back({a, b + n, a + n});
      }
  }

  void surface(const Mesh& mesh) {
    const std::size_t first = out_.points.size();
    for (const Point& p : mesh.points) point({p[0], p[1], p[2]});
    for (const auto& t : mesh.triangles) out_.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }

 private:
  void point(const Vec3& p) {
    const Vec3 q = pose_ * p;
    out_.points.push_back({q.x(), q.y(), q.z()});
  }

  SolidShape& out_;
  const Eigen::Affine3d& pose_;
};

/// A quarter of a circle about (0, height), from below to the equator or on from there to above.
void add_quarter(std::vector<std::array<double, 2>>& line, double radius, double height, bool lower) {
  for (int i = 0; i <= rings; ++i) {
    const double angle = 0.5 * pi * (static_cast<double>(i) / rings - (lower ? 1 : 0));
    const bool pole = lower ? i == 0 : i == rings;
    line.push_back({pole ? 0 : radius * std::cos(angle), height + radius * std::sin(angle)});
  }
}

Eigen::Affine3d pose_of(const Value& look) {
  Eigen::Affine3d pose = Eigen::Affine3d::Identity();
  if (const Value* at = look.find("at")) pose.translation() = vec(*at);
  if (const Value* given = look.find("orientation")) {
    const std::array<double, 4> p = read_orientation(*given);
    pose.linear() = Eigen::Quaterniond(p[0], p[1], p[2], p[3]).toRotationMatrix();
  }
  if (const Value& shape = at(look, "shape"); !shape.items.empty())
    if (const Value* axis = shape.items[0].is(Form::Kind::section) ? shape.items[0].find("axis") : nullptr)
      pose.linear() =
          pose.linear() * Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), vec(*axis)).toRotationMatrix();
  return pose;
}

void paint(const Value& look, SolidShape& out, Faults& faults) {
  const Value& shape = at(look, "shape");
  const std::string_view kind = choice_name(&shape);
  const Value& given = shape.items[0];
  const Eigen::Affine3d pose = pose_of(look);
  Painter painter(out, pose);
  if (kind == "box") return painter.box(vec(given));
  if (kind == "mesh") {
    if (const auto surface = read_surface(given, faults)) painter.surface(*surface);
    return;
  }
  std::vector<std::array<double, 2>> line;
  if (kind == "sphere" || kind == "capsule") {
    const double radius = kind == "sphere" ? given.number : number(given, "radius");
    const double half = kind == "sphere" ? 0 : 0.5 * number(given, "length");
    add_quarter(line, radius, -half, true);
    add_quarter(line, radius, half, false);
    return painter.turned(line);
  }
  const double radius = number(given, "radius"), half = 0.5 * number(given, "length");
  const double inner = kind == "tube" ? number(given, "inner") : 0;
  // Each edge twice: its sides are not to be shaded as if it were round.
  painter.turned({{inner, -half}, {radius, -half}});
  painter.turned({{radius, -half}, {radius, half}});
  painter.turned({{radius, half}, {inner, half}});
  if (inner > 0) painter.turned({{inner, half}, {inner, -half}});
}

}  // namespace

void read_looks(const Value& bodies, ShapeMasses& out, Faults& faults) {
  for (const Value& body : bodies.items) {
    const Value *looks = body.ok() ? body.find("look") : nullptr, *name = body.find("name");
    if (looks == nullptr || name == nullptr) continue;
    auto made = std::make_shared<SolidShape>();
    made->kind = SolidShape::Kind::mesh;
    bool complete = true;
    for (const Value& look : looks->items) {
      const Value* shape = look.ok() ? look.find("shape") : nullptr;
      for (const Value& item : look.items) complete = complete && item.ok();
      complete = complete && shape != nullptr && is_complete(*shape);
      if (complete && faults.empty()) paint(look, *made, faults);
    }
    if (complete) out[name->word].look = std::move(made);
  }
}

}  // namespace cosimo::config
