// The motion as files that ParaView animates: motion.pvd, which lists times and files, and one
// motion_0001.vtp (XML PolyData) per frame. Open motion.pvd.
//
// Points are the centres of mass of the bodies, then both ends of every link, then the corners of the bodies'
// boxes. Their data:
//   role              0 centre of a body, 1 end of a link, 2 corner of a box
//   body, part, mass  label of the body (-1: ground), number of its subsystem from 1 (0: ground), its mass
//                     (0 at roles 1 and 2, so that glyphs scaled by mass stand at the bodies alone)
//   orientation       unit quaternion w, x, y, z: the array for ParaView's "3D Glyphs" in quaternion mode
//   axis_x, axis_y    the first two axes of the body, for arrow glyphs
//   velocity, angular_velocity    along the global axes; of the point itself
// Cells are a vertex per body, a line per link, six faces per box. Their data:
//   kind    0 body, 1 element, 2 joint, 3 box
//   id      label of the body, element or joint
//   force   magnitude for links, 0 for all else
//
// Numbers are stored in binary (base64), coordinates of points in double, all else in single precision.
//
// A file is written under a temporary name and renamed: a name without ".part" is always a whole file, and
// motion.pvd names only such. A failing write (disk full) throws IoError naming the file.
//
//   VtkWriter writer(folder, scene);          // removes an older animation
//   for (...) writer.frame(t, poses, forces); // one file each
//   writer.close();                           // motion.pvd
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/archive.hpp"
#include "results/body_columns.hpp"

namespace cosimo {

struct VtkBody {
  std::int64_t label = 0;
  std::int32_t part = 0;  ///< subsystem, from 0
  double mass = 0;
  std::array<double, 3> half_extent{0, 0, 0};  ///< of a box about the centre of mass; all zero: none
};

/// A point of a body in its own axes from the centre of mass, or of the ground.
struct VtkMarker {
  std::int32_t body = -1;  ///< place in VtkScene::bodies, -1: ground
  std::array<double, 3> point{0, 0, 0};
};

enum class VtkLinkKind : std::uint8_t { element = 1, joint = 2 };

struct VtkLink {
  VtkLinkKind kind = VtkLinkKind::element;
  std::int64_t id = 0;
  VtkMarker from{}, to{};
};

struct VtkScene {
  std::vector<VtkBody> bodies{};
  std::vector<VtkLink> links{};
};

/// Removes an animation that a VtkWriter left, and the folder if nothing else is in it. Files that only look
/// alike by name stay.
void remove_motion(const std::filesystem::path& folder);

class VtkWriter {
 public:
  /// An older animation in the folder is removed, unless it is to be kept and gone on with.
  VtkWriter(const std::filesystem::path& folder, VtkScene scene, bool keep = false);
  ~VtkWriter();
  VtkWriter(const VtkWriter&) = delete;
  VtkWriter& operator=(const VtkWriter&) = delete;

  /// One pose per body; `forces` one magnitude per link, or none. Throws Error naming the body when a number
  /// is not finite: nothing is written then.
  void frame(double t, std::span<const BodyPose> poses, std::span<const double> forces = {});
  std::size_t frames() const;
  /// What has been written so far, for checkpoints, and to go on after that.
  struct Frames {
    std::size_t count = 0;
    std::string list{};  ///< of motion.pvd
    void archive(Archive& a) { a(count, list); }
  };
  Frames written() const;
  void resume(const Frames& frames);
  void flush();  ///< motion.pvd lists all frames so far
  void close();  ///< flush(); also done by the destructor, which swallows errors

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
