// The motion of a mechanism for ParaView, written while the run goes on (results/vtk.hpp): bodies with boxes
// that have their inertia, lines for elements and joints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "mechanics/mechanism.hpp"
#include "results/vtk.hpp"
#include "simulation/mechanism_output.hpp"

namespace cosimo {

class MotionFiles {
 public:
  /// `keep`: frames that are there stay, for a run that goes on; resume() says how many are its own.
  MotionFiles(const std::filesystem::path& folder, const Mechanism& mechanism,
              std::span<const std::int32_t> part_of_body, bool keep = false);

  /// The state that `output` evaluated last. A state that is not finite gives no frame.
  void frame(double t, const MechanismOutput& output);
  void flush() { writer_.flush(); }
  void close() { writer_.close(); }

  using Frames = VtkWriter::Frames;
  void archive(Archive& a) { a(writer_.written()); }
  void resume(const Frames& frames) { writer_.resume(frames); }

 private:
  VtkWriter writer_;
  std::size_t elements_;
  std::vector<BodyPose> poses_;
  std::vector<double> forces_;
};

}  // namespace cosimo
