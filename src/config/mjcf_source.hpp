// What an MJCF file says before its bodies: included files, settings of the compiler, default classes.
// https://mujoco.readthedocs.io/en/stable/XMLreference.html. Private to config/.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

#include "config/robot.hpp"
#include "config/xml_values.hpp"

namespace cosimo::config::robot {

struct MjcfCompiler {
  bool degrees = true, autolimits = true;
  std::string eulerseq = "xyz", meshdir, inertiafromgeom = "auto";
  double boundmass = 0, boundinertia = 0;
};

/// Puts the elements of included files where they are included.
void include_mjcf(XmlElement& element, const std::filesystem::path& file, Faults& faults, int depth = 0);

class MjcfValues : protected XmlValues {
 public:
  MjcfValues(const XmlElement& root, Faults& faults);

 protected:
  /// With the attributes of its class, where it has none of its own. `inherited`: the class of the body.
  XmlElement completed(const XmlElement& element, const std::string& inherited) const;
  Mat3 orientation(const XmlElement& element, const std::string& path) const;
  Pose pose(const XmlElement& element, const std::string& path) const;
  Vec3 vector(const XmlElement& element, const std::string& path, const char* name,
              const Vec3& otherwise) const;
  double radians(double angle) const;

  MjcfCompiler compiler_;

 private:
  void read_compiler(const XmlElement& compiler);
  void read_defaults(const XmlElement& defaults, const std::string& outer, bool outermost);
  Mat3 euler(const std::vector<double>& angles) const;

  using Attributes = std::vector<XmlElement::Attribute>;
  std::unordered_map<std::string, std::unordered_map<std::string, Attributes>> classes_;
};

}  // namespace cosimo::config::robot
