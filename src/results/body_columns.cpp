#include "results/body_columns.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace cosimo {

namespace {

constexpr std::array<std::string_view, 3> place_names{"x", "y", "z"};
constexpr std::array<std::string_view, 4> quaternion_names{"qw", "qx", "qy", "qz"};

void assign(BodyColumns& body, std::string_view coordinate, std::size_t column) {
  for (std::size_t k = 0; k < place_names.size(); ++k)
    if (coordinate == place_names[k]) body.place[k] = column;
  for (std::size_t k = 0; k < quaternion_names.size(); ++k)
    if (coordinate == quaternion_names[k]) body.quaternion[k] = column;
  if (coordinate == "phi") body.angle = column;
}

/// a b of quaternions.
std::array<double, 4> product(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

}  // namespace

std::string_view coordinate_of(std::string_view column) {
  return column.substr(column.rfind('.') + 1);  // npos + 1 = 0
}

std::vector<BodyColumns> body_columns(const Results& results) {
  std::vector<BodyColumns> bodies;
  std::unordered_map<std::int64_t, std::size_t> place_of;
  const bool named = results.columns.size() == results.bodies.size();
  for (std::size_t c = 0; c < results.bodies.size(); ++c) {
    const auto [at, first] = place_of.emplace(results.bodies[c], bodies.size());
    if (first) bodies.push_back({.label = results.bodies[c], .name = std::to_string(results.bodies[c])});
    BodyColumns& body = bodies[at->second];
    body.columns.push_back(c);
    if (named) assign(body, coordinate_of(results.columns[c]), c);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    BodyColumns& body = bodies[i];
    if (results.body_names.size() == bodies.size()) body.name = results.body_names[i];
    if (!named && body.columns.size() == 1) body.place[0] = body.columns[0];
    if (std::count(body.quaternion.begin(), body.quaternion.end(), no_column) > 0)
      body.quaternion.fill(no_column);
  }
  return bodies;
}

BodyPose pose_of(const BodyColumns& body, const double* position, const double* velocity) {
  BodyPose pose;
  for (std::size_t k = 0; k < 3; ++k) {
    if (body.place[k] == no_column) continue;
    pose.place[k] = position[body.place[k]];
    pose.velocity[k] = velocity[body.place[k]];
  }
  if (body.angle != no_column) {
    const double half = position[body.angle] / 2;
    pose.quaternion = {std::cos(half), 0, 0, std::sin(half)};
    pose.angular_velocity = {0, 0, velocity[body.angle]};
  }
  if (!body.has_quaternion()) return pose;
  std::array<double, 4> rate{}, conjugate{};
  double square = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    pose.quaternion[k] = position[body.quaternion[k]];
    rate[k] = velocity[body.quaternion[k]];
    conjugate[k] = k == 0 ? pose.quaternion[k] : -pose.quaternion[k];
    square += pose.quaternion[k] * pose.quaternion[k];
  }
  const std::array<double, 4> turning = product(rate, conjugate);
  for (double& value : pose.quaternion) value /= std::sqrt(square);
  for (std::size_t k = 0; k < 3; ++k) pose.angular_velocity[k] = 2 * turning[k + 1] / square;
  return pose;
}

std::array<double, 3> rotated(const std::array<double, 4>& p, const std::array<double, 3>& point) {
  const std::array<double, 4> turned =
      product(product(p, {0, point[0], point[1], point[2]}), {p[0], -p[1], -p[2], -p[3]});
  return {turned[1], turned[2], turned[3]};
}

}  // namespace cosimo
