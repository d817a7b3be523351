#include "config/mesh_shells.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <vector>

namespace cosimo::config {

namespace {

Point between(const Point& from, const Point& to) {
  return {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
}

double dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The parts of a surface that have no point in common.
class Shells {
 public:
  explicit Shells(const Mesh& mesh) : mesh_(mesh), parent_(mesh.points.size()) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    for (const auto& corner : mesh.triangles)
      for (const std::size_t other : {corner[1], corner[2]}) parent_[shell(other)] = shell(corner[0]);
    const Point& origin = mesh.points[mesh.triangles[0][0]];
    for (const auto& corner : mesh.triangles) {
      const auto from = [&](std::size_t k) { return between(origin, mesh.points[corner[k]]); };
      volumes_[shell(corner[0])] += triple(from(0), from(1), from(2)) / 6;
    }
  }

  /// A hollow must lie in a solid: what is inside out beside it takes away mass that is not there.
  std::optional<MeshFault> stray_hollow() {
    double largest = 0;
    for (const auto& each : volumes_) largest = std::max(largest, each.second);
    for (const auto& [index, volume] : volumes_)
      if (volume < -rounding * largest && windings(index) < 0.5)
        return MeshFault{
            0,
            text_of(mesh_.points[index]),
            {"a part of the surface, at this point, is inside out and does not lie within another",
             "turn its triangles round: counterclockwise seen from outside"}};
    return std::nullopt;
  }

 private:
  static constexpr double rounding = 1e-9;

  std::size_t shell(std::size_t point) {
    while (parent_[point] != point) point = parent_[point] = parent_[parent_[point]];
    return point;
  }

  /// How often the other shells are around a point of this one, by the solid angles of their triangles.
  double windings(std::size_t index) {
    const Point& eye = mesh_.points[index];
    double sum = 0;
    for (const auto& corner : mesh_.triangles) {
      if (shell(corner[0]) == index) continue;
      const Point a = between(eye, mesh_.points[corner[0]]), b = between(eye, mesh_.points[corner[1]]),
                  c = between(eye, mesh_.points[corner[2]]);
      const double x = std::sqrt(dot(a, a)), y = std::sqrt(dot(b, b)), z = std::sqrt(dot(c, c));
      sum += 2 * std::atan2(triple(a, b, c), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
    }
    return sum / (4 * std::numbers::pi);
  }

  const Mesh& mesh_;
  std::vector<std::size_t> parent_;
  std::map<std::size_t, double> volumes_;  ///< of every shell, by one of its points
};

}  // namespace

std::string text_of(const Point& p) {
  std::string out;
  for (const double x : p) {
    std::array<char, 32> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, std::chars_format::general, 6);
    out += (out.empty() ? "(" : ", ") + std::string(buffer.data(), end.ptr);
  }
  return out + ")";
}

double triple(const Point& a, const Point& b, const Point& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

std::optional<MeshFault> stray_hollow(const Mesh& mesh) {
  return Shells(mesh).stray_hollow();
}

}  // namespace cosimo::config
