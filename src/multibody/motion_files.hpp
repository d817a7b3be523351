// The motion of a mechanism for ParaView, written while the run goes on (results/vtk.hpp): bodies with boxes
// that have their inertia, lines for elements and joints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "results/vtk.hpp"

namespace cosimo {

class MechanismOutput;

class MotionFiles {
 public:
  /// `keep`: frames that are there stay, for a run that goes on; resume() says how many are its own.
  MotionFiles(const std::filesystem::path& folder, const MechanismOutput& output,
              std::span<const std::int32_t> part_of_body, bool keep);

  /// The state that the output evaluated last. A state that is not finite gives no frame.
  void frame(double t);
  void flush() { writer_.flush(); }
  void close() { writer_.close(); }

  using Frames = VtkWriter::Frames;
  void archive(Archive& a) { a(writer_.written()); }
  void resume(const Frames& frames) { writer_.resume(frames); }

 private:
  MotionFiles(const std::filesystem::path& folder, const MechanismOutput& output, const VtkScene& scene,
              bool keep);

  const MechanismOutput& output_;
  VtkWriter writer_;
  std::vector<BodyPose> poses_;
  std::vector<double> forces_;
};

}  // namespace cosimo
