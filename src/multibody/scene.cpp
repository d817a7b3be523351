#include "multibody/scene.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "mechanics/builder.hpp"
#include "mechanics/elements.hpp"
#include "mechanics/joint_rows.hpp"
#include "mechanics/rope.hpp"

namespace cosimo {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_things = 20'000;    // bodies, elements or joints
constexpr std::size_t most_corners = 200'000;  // of all meshes

Json list(const Vec3& v) {
  return {v.x() + 0.0, v.y() + 0.0, v.z() + 0.0};  // no -0
}

Vec3 vec(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}

Json turn(const Mat3& axes) {
  const Eigen::Quaterniond p(axes);
  return {p.w() + 0.0, p.x() + 0.0, p.y() + 0.0, p.z() + 0.0};
}

/// Edges of the box of this mass and these principal inertias.
Vec3 box_edges(const Vec3& i, double mass) {
  const auto edge = [&](double others, double own) {
    return std::sqrt(std::max(0.0, 6 * (others - own) / mass));
  };
  return {edge(i.y() + i.z(), i.x()), edge(i.x() + i.z(), i.y()), edge(i.x() + i.y(), i.z())};
}

/// Whether a picture shows this one as well; `corners`: of all meshes so far.
bool fits(const SolidShape& shape, std::size_t& corners) {
  return shape.kind != SolidShape::Kind::mesh || (corners += shape.points.size()) <= most_corners;
}

void add_mesh(const SolidShape& shape, Json& json) {
  Json points = Json::array(), triangles = Json::array();
  for (const auto& point : shape.points)
    for (const double x : point) points.push_back(static_cast<float>(x));
  for (const auto& triangle : shape.triangles)
    for (const std::size_t corner : triangle) triangles.push_back(corner);
  json["points"] = std::move(points);
  json["triangles"] = std::move(triangles);
}

/// Kind, turn and sizes. `axes`: the reference axes of the shape.
void add_solid(const SolidShape& shape, const Mat3& axes, Json& json) {
  using Kind = SolidShape::Kind;
  static constexpr std::array<std::string_view, 6> words = {"box",  "sphere",  "cylinder",
                                                            "tube", "capsule", "mesh"};
  const bool round = shape.kind == Kind::cylinder || shape.kind == Kind::tube || shape.kind == Kind::capsule;
  json["kind"] = words[static_cast<std::size_t>(shape.kind)];
  json["turn"] = turn(round ? Mat3(axes * axes_along(vec(shape.axis))) : axes);
  if (shape.kind == Kind::box) json["edges"] = shape.edges;
  if (round || shape.kind == Kind::sphere) json["radius"] = shape.radius;
  if (round) json["length"] = shape.length;
  if (shape.kind == Kind::tube) json["inner"] = shape.inner;
  if (shape.kind == Kind::mesh) add_mesh(shape, json);
}

class SceneMaker {
 public:
  explicit SceneMaker(const Mechanism& mechanism)
      : mechanism_(mechanism),
        rolls_(mechanism.bodies.size()),
        farthest_(mechanism.bodies.size(), Vec3::Zero()) {}

  std::string text() {
    for (const auto& element : mechanism_.elements) see(*element);
    for (const auto& group : mechanism_.groups)
      for (const GroupLine& line : group->lines()) see(line);
    for (const auto& constraint : mechanism_.constraints) {
      if (const JoinedRows* joined = constraint->joined_rows()) see_ends(joined->pair.from, joined->pair.to);
    }
    Json bodies = Json::array(), elements = Json::array(), joints = Json::array();
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) bodies.push_back(body(b));
    for (const auto& each : mechanism_.elements) elements.push_back(element(*each));
    for (const auto& group : mechanism_.groups)
      for (const GroupLine& line : group->lines())
        elements.push_back(
            {{"name", group->name}, {"kind", group->kind()}, {"from", end(line.from)}, {"to", end(line.to)}});
    for (const auto& each : mechanism_.constraints)
      if (const JoinedRows* joined = each->joined_rows()) joints.push_back(joint(*each, *joined));
    const Json scene = {{"format", 1},      {"gravity", list(mechanism_.gravity)},
                        {"bodies", bodies}, {"elements", elements},
                        {"joints", joints}, {"roads", roads_}};
    return scene.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  const Body* body_of(const Marker& marker) const {
    return marker.body == ground ? nullptr : &mechanism_.bodies[marker.body.index()];
  }

  /// Points on a body of the plane tell along which line it lies.
  void see_ends(const Marker& from, const Marker& to) {
    for (const Marker* end : {&from, &to})
      if (end->body != ground &&
          end->point.squaredNorm() > farthest_[end->body.index()].squaredNorm() * (1 + 1e-9))
        farthest_[end->body.index()] = end->point;
  }

  void see(const ForceElement& element) {
    see_ends(element.at_from, element.at_to);
    const GroundContactSpec* contact = element.ground_contact();
    if (contact == nullptr || contact->radius <= 0 || element.at_to.body == ground) return;
    const double radius = contact->radius;
    if (element.at_to.point.norm() < 0.1 * radius) rolls_[element.at_to.body.index()] = radius;
  }

  /// A pulley looks like a wheel.
  void see(const GroupLine& line) {
    see_ends(line.from, line.to);
    for (const auto& [marker, radius] : {std::pair{line.from, line.radius_from}, {line.to, line.radius_to}})
      if (marker.body != ground && radius > 0 && marker.point.norm() < 0.1 * radius)
        rolls_[marker.body.index()] = radius;
  }

  /// From the point whose place is recorded.
  Json body(std::size_t b) {
    const Body& own = mechanism_.bodies[b];
    Json json = {{"body", b + 1}};
    if (own.shape == nullptr || !add_shape(own, json)) add_inertia(own, b, json);
    return json;
  }

  /// False: it is too large a mesh.
  bool add_shape(const Body& own, Json& json) {
    if (!fits(*own.shape, corners_)) return false;
    json["from"] = "shape";
    json["at"] = list(-own.reference - vec(own.shape->centroid));
    add_solid(*own.shape, Mat3::Identity(), json);
    return true;
  }

  void add_inertia(const Body& own, std::size_t b, Json& json) const {
    json["kind"] = "point";
    json["from"] = "inertia";
    json["at"] = list(-own.reference);
    json["turn"] = turn(Mat3::Identity());
    if (own.mass <= 0) return;
    if (own.kind == BodyKind::planar) add_bar(own, b, json);
    if (own.kind == BodyKind::rigid) add_box(own, b, json);
  }

  /// In the plane: a bar, or the disc that rolls.
  void add_bar(const Body& own, std::size_t b, Json& json) const {
    if (rolls_[b] > 0) return add_wheel(rolls_[b], Mat3::Identity(), json);
    const double length = std::sqrt(std::max(0.0, 12 * own.inertia(2, 2) / own.mass));
    const Vec3 along = farthest_[b].norm() > 1e-3 * length ? farthest_[b].normalized() : Vec3(Vec3::UnitX());
    json["kind"] = "box";
    json["edges"] = list({length, 0, 0});
    const double angle = std::atan2(along.y(), along.x());
    json["turn"] = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
  }

  void add_box(const Body& own, std::size_t b, Json& json) const {
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(own.inertia);
    Mat3 axes = solver.eigenvectors();
    const Vec3 i = solver.eigenvalues();
    if (i.z() <= 0) return;
    // Along the own axes where these are principal: then nothing flips.
    const bool straight = Mat3(own.inertia.diagonal().asDiagonal()).isApprox(own.inertia, 1e-9);
    const Vec3 principal = straight ? Vec3(own.inertia.diagonal()) : i;
    if (straight) axes.setIdentity();
    if (axes.determinant() < 0) axes.col(0) = -axes.col(0);
    if (rolls_[b] > 0) {
      if (i.z() - i.x() < 0.05 * i.z()) {
        json["kind"] = "sphere";
        json["radius"] = rolls_[b];
        return;
      }
      Eigen::Index axle = 0;
      principal.maxCoeff(&axle);
      return add_wheel(rolls_[b], axes_along(axes.col(axle)), json);
    }
    json["kind"] = "box";
    json["turn"] = turn(axes);
    json["edges"] = list(box_edges(principal, own.mass));
  }

  static void add_wheel(double radius, const Mat3& axes, Json& json) {
    json["kind"] = "wheel";
    json["turn"] = turn(axes);
    json["radius"] = radius;
    json["length"] = 0.6 * radius;
  }

  Json end(const Marker& marker) const {
    const Body* body = body_of(marker);
    return {{"body", marker.body.label()},
            {"at", list(body != nullptr ? Vec3(marker.point - body->reference) : marker.point)}};
  }

  Json element(const ForceElement& own) {
    Json json = {
        {"name", own.name}, {"kind", own.kind()}, {"from", end(own.at_from)}, {"to", end(own.at_to)}};
    if (own.kind() == "torsion") json["axis"] = list(own.at_from.axes.col(2));
    if (const GroundContactSpec* contact = own.ground_contact()) {
      json["radius"] = contact->radius;
      if (!lies_elsewhere(own)) json["road"] = road(*contact);
    }
    return json;
  }

  /// On a plane of its own, which is drawn as such.
  static bool lies_elsewhere(const ForceElement& contact) {
    const Marker& at = contact.at_from;
    const Vec3 up = contact.ground_contact()->planar ? Vec3::UnitY() : Vec3::UnitZ();
    return contact.kind() != "contact" && !(at.point.isZero(0) && at.axes.col(2) == up);
  }

  std::size_t road(const GroundContactSpec& contact) {
    Json waves = Json::array();
    for (const Road::Wave& wave : contact.road.waves)
      for (const double x : {wave.amplitude, wave.wavelength, wave.phase}) waves.push_back(x);
    Json json = {
        {"up", contact.planar ? 1 : 2}, {"height", contact.road.height}, {"waves", std::move(waves)}};
    const auto known = std::find(roads_.begin(), roads_.end(), json);
    if (known != roads_.end()) return static_cast<std::size_t>(known - roads_.begin());
    roads_.push_back(std::move(json));
    return roads_.size() - 1;
  }

  Json joint(const Constraint& own, const JoinedRows& joined) const {
    return {{"name", own.name},
            {"kind", own.kind()},
            {"from", end(joined.pair.from)},
            {"to", end(joined.pair.to)},
            {"axis", list(joined.pair.from.axes.col(2))}};
  }

  const Mechanism& mechanism_;
  std::vector<double> rolls_;   ///< of every body: radius with which it touches the ground, 0: it does not
  std::vector<Vec3> farthest_;  ///< of every body: the farthest point where something is fixed to it
  std::vector<Json> roads_;
  std::size_t corners_ = 0;
};

}  // namespace

std::string scene_json(const Mechanism& mechanism) {
  if (mechanism.bodies.size() > most_things || mechanism.elements.size() > most_things ||
      mechanism.constraints.size() > most_things)
    return {};
  return SceneMaker(mechanism).text();
}

std::string ground_scene_json(const config::Scenario& scenario) {
  if (!scenario.mechanism) return {};
  const std::vector<config::GroundShape>& given = scenario.mechanism->ground;
  if (given.empty() || given.size() > most_things) return {};
  Json shapes = Json::array();
  std::size_t corners = 0;
  for (const config::GroundShape& fixed : given) {
    if (fixed.shape != nullptr && !fits(*fixed.shape, corners)) continue;
    const auto& p = fixed.orientation;
    const Mat3 axes = Eigen::Quaterniond(p[0], p[1], p[2], p[3]).toRotationMatrix();
    Json json = {{"name", fixed.name}, {"kind", "plane"}, {"at", list(vec(fixed.position))}};
    if (fixed.shape != nullptr)
      add_solid(*fixed.shape, axes, json);
    else
      json["turn"] = turn(axes_along(axes * vec(fixed.normal)));
    shapes.push_back(std::move(json));
  }
  return Json{{"ground", std::move(shapes)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string joined_scenes(std::string bodies, std::string_view fixed) {
  if (bodies.empty() || fixed.empty()) return bodies;
  bodies.back() = ',';  // its last brace, and the first of the other, go
  bodies += fixed.substr(1);
  return bodies;
}

}  // namespace cosimo
