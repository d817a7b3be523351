#include "results/vtk_frame.hpp"

#include <algorithm>
#include <numeric>

#include "core/check.hpp"
#include "results/vtk_text.hpp"

namespace cosimo {

namespace {

using Vector = std::array<double, 3>;

constexpr std::uint8_t body_cell = 0, box_cell = 3;
constexpr std::size_t corners = 8;
constexpr std::array<std::array<std::size_t, 4>, 6> faces{
    {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};

bool has_box(const VtkBody& body) {
  return std::any_of(body.half_extent.begin(), body.half_extent.end(), [](double e) { return e > 0; });
}

/// Cells of `size` points each.
std::string cells_text(const std::string& tag, std::span<const std::int64_t> connectivity, std::size_t size) {
  std::vector<std::int64_t> offsets(connectivity.size() / size);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<std::int64_t>((i + 1) * size);
  return "<" + tag + ">\n" + vtk_array<std::int64_t>("connectivity", connectivity) +
         vtk_array<std::int64_t>("offsets", offsets) + "</" + tag + ">\n";
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

VtkFrame::VtkFrame(const VtkScene& scene) : bodies_(scene.bodies.size()), links_(scene.links.size()) {
  place_points(scene);
  write_still(scene);
  const std::size_t points = anchors_.size();
  place_.resize(3 * points);
  orientation_.resize(4 * points);
  for (auto* vectors : {&axis_x_, &axis_y_, &velocity_, &angular_velocity_}) vectors->resize(3 * points);
  force_.resize(bodies_ + links_ + faces.size() * boxes_);
}

void VtkFrame::place_points(const VtkScene& scene) {
  const auto count = static_cast<std::int32_t>(bodies_);
  for (std::int32_t i = 0; i < count; ++i) anchors_.push_back({Role::centre, i, {0, 0, 0}});
  for (const VtkLink& link : scene.links)
    for (const VtkMarker& marker : {link.from, link.to}) {
      COSIMO_CHECK(marker.body >= -1 && marker.body < count, "a link ends at a body of the scene");
      anchors_.push_back({Role::end, marker.body, marker.point});
    }
  for (std::int32_t i = 0; i < count; ++i) {
    const VtkBody& body = scene.bodies[static_cast<std::size_t>(i)];
    if (!has_box(body)) continue;
    ++boxes_;
    for (unsigned corner = 0; corner < corners; ++corner) {
      Vector point = body.half_extent;
      for (unsigned k = 0; k < 3; ++k)
        if ((corner >> k & 1) == 0) point[k] = -point[k];
      anchors_.push_back({Role::corner, i, point});
    }
  }
}

void VtkFrame::write_still(const VtkScene& scene) {
  head_ = vtk_head("PolyData") + "<PolyData>\n<Piece NumberOfPoints=\"" + std::to_string(anchors_.size()) +
          "\" NumberOfVerts=\"" + std::to_string(bodies_) + "\" NumberOfLines=\"" + std::to_string(links_) +
          "\" NumberOfStrips=\"0\" NumberOfPolys=\"" + std::to_string(faces.size() * boxes_) + "\">\n";
  std::vector<std::uint8_t> role;
  std::vector<std::int64_t> label;
  std::vector<std::int32_t> part;
  std::vector<float> mass;
  for (const Anchor& anchor : anchors_) {
    const VtkBody* body = anchor.body < 0 ? nullptr : &scene.bodies[static_cast<std::size_t>(anchor.body)];
    role.push_back(static_cast<std::uint8_t>(anchor.role));
    label.push_back(body != nullptr ? body->label : -1);
    part.push_back(body != nullptr ? body->part + 1 : 0);
    mass.push_back(anchor.role == Role::centre ? static_cast<float>(body->mass) : 0.0F);
  }
  still_points_ = vtk_array<std::uint8_t>("role", role) + vtk_array<std::int64_t>("body", label) +
                  vtk_array<std::int32_t>("part", part) + vtk_array<float>("mass", mass);

  std::vector<std::int64_t> ends(bodies_ + 2 * links_), box;  // consecutive: every point is one end
  std::iota(ends.begin(), ends.end(), std::int64_t{0});
  for (std::size_t b = 0; b < boxes_; ++b)
    for (const auto& face : faces)
      for (const std::size_t corner : face)
        box.push_back(static_cast<std::int64_t>(ends.size() + corners * b + corner));
  const std::span<const std::int64_t> all(ends);
  cells_ = cells_text("Verts", all.first(bodies_), 1) + cells_text("Lines", all.subspan(bodies_), 2) +
           cells_text("Polys", box, 4);
  kinds_ = cell_kinds(scene, label);
}

std::string VtkFrame::cell_kinds(const VtkScene& scene, std::span<const std::int64_t> label) const {
  std::vector<std::uint8_t> kind(bodies_, body_cell);
  std::vector<std::int64_t> id(label.begin(), label.begin() + static_cast<std::ptrdiff_t>(bodies_));
  for (const VtkLink& link : scene.links) {
    kind.push_back(static_cast<std::uint8_t>(link.kind));
    id.push_back(link.id);
  }
  for (std::size_t i = bodies_ + 2 * links_; i < anchors_.size(); i += corners) {
    kind.insert(kind.end(), faces.size(), box_cell);
    id.insert(id.end(), faces.size(), label[i]);
  }
  return vtk_array<std::uint8_t>("kind", kind) + vtk_array<std::int64_t>("id", id);
}

void VtkFrame::move_point(std::size_t point, const BodyPose& pose) {
  const Vector arm = rotated(pose.quaternion, anchors_[point].point);
  const Vector turning = cross(pose.angular_velocity, arm);
  const Vector x = rotated(pose.quaternion, {1, 0, 0}), y = rotated(pose.quaternion, {0, 1, 0});
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t at = 3 * point + k;
    place_[at] = pose.place[k] + arm[k];
    axis_x_[at] = static_cast<float>(x[k]);
    axis_y_[at] = static_cast<float>(y[k]);
    velocity_[at] = static_cast<float>(pose.velocity[k] + turning[k]);
    angular_velocity_[at] = static_cast<float>(pose.angular_velocity[k]);
  }
  for (std::size_t k = 0; k < 4; ++k) orientation_[4 * point + k] = static_cast<float>(pose.quaternion[k]);
}

std::string VtkFrame::text(std::span<const BodyPose> poses, std::span<const double> forces) {
  const BodyPose ground;
  for (std::size_t i = 0; i < anchors_.size(); ++i)
    move_point(i, anchors_[i].body < 0 ? ground : poses[static_cast<std::size_t>(anchors_[i].body)]);
  for (std::size_t i = 0; i < links_; ++i)
    force_[bodies_ + i] = forces.empty() ? 0.0F : static_cast<float>(forces[i]);
  std::string text = head_;
  text += "<Points>\n" + vtk_array<double>("points", place_, 3) + "</Points>\n<PointData>\n";
  text += still_points_ + vtk_array<float>("orientation", orientation_, 4);
  text += vtk_array<float>("axis_x", axis_x_, 3) + vtk_array<float>("axis_y", axis_y_, 3);
  text += vtk_array<float>("velocity", velocity_, 3);
  text += vtk_array<float>("angular_velocity", angular_velocity_, 3) + "</PointData>\n";
  text += cells_ + "<CellData>\n" + kinds_ + vtk_array<float>("force", force_);
  return text + "</CellData>\n</Piece>\n</PolyData>\n</VTKFile>\n";
}

}  // namespace cosimo
