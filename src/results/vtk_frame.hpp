// One frame of the animation as XML PolyData (see results/vtk.hpp for what is in it): private to results/.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/vtk.hpp"

namespace cosimo {

class VtkFrame {
 public:
  explicit VtkFrame(const VtkScene& scene);
  /// The whole file: one pose per body, one force per link or none.
  std::string text(std::span<const BodyPose> poses, std::span<const double> forces);

 private:
  enum class Role : std::uint8_t { centre = 0, end = 1, corner = 2 };

  /// Where a point is fixed.
  struct Anchor {
    Role role;
    std::int32_t body;            ///< -1: ground
    std::array<double, 3> point;  ///< in the body's axes
  };

  void place_points(const VtkScene& scene);
  void write_still(const VtkScene& scene);
  std::string cell_kinds(const VtkScene& scene, std::span<const std::int64_t> label) const;
  void move_point(std::size_t point, const BodyPose& pose);

  std::size_t bodies_, links_, boxes_ = 0;
  std::vector<Anchor> anchors_;  ///< one per point: centres, ends of links, corners of boxes
  std::string head_, still_points_, cells_, kinds_;  ///< the same text in every frame
  std::vector<double> place_;
  std::vector<float> orientation_, axis_x_, axis_y_, velocity_, angular_velocity_, force_;
};

}  // namespace cosimo
