// Bodies of MJCF, with their joints. Private to config/.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "config/mjcf_geoms.hpp"

namespace cosimo::config::robot {

class MjcfBodies : public MjcfGeoms {
 public:
  MjcfBodies(const XmlElement& root, const std::filesystem::path& file, const RobotOptions& options,
             Faults& faults)
      : MjcfGeoms(root, file, faults), options_(options) {}

 protected:
  /// What a body, or the world, holds.
  void bodies(const XmlElement& parent, std::size_t link, const std::string& inherited,
              const std::string& path);
  static std::string name_of(const XmlElement& element, const std::string& otherwise);

  const RobotOptions& options_;
  Robot out_;
  std::unordered_map<std::string, std::size_t> links_;  ///< by name
  bool armature_ = false;                               ///< some joint has one

 private:
  void refuse_parts(const XmlElement& parent, const std::string& path);
  void bound(Mass& mass) const;
  std::optional<Mass> inertia(const XmlElement& element, const std::string& path);
  void body(const XmlElement& element, std::size_t parent, const std::string& outer);
  Joint freedom(const XmlElement& element, const std::string& inherited, const Joint& holder,
                std::size_t before);
  void laws(const XmlElement& given, Joint& joint);
  Joint combined(std::vector<Joint> freedoms, const Joint& weld, const XmlElement& element);

  std::set<std::string> joints_;
};

}  // namespace cosimo::config::robot
