// Links of URDF: masses, and what pictures show. Private to config/.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "config/robot.hpp"
#include "config/xml_values.hpp"

namespace cosimo::config::robot {

/// Extensions of other programs have names of their own spaces.
bool is_foreign(const XmlElement& element);

class UrdfLinks : protected XmlValues {
 public:
  UrdfLinks(const std::filesystem::path& file, Faults& faults) : XmlValues(faults), file_(file) {}

 protected:
  void link(const XmlElement& element);
  Pose origin(const XmlElement& element, const std::string& path) const;
  void leave_out(const std::string& what);

  const std::filesystem::path& file_;
  Robot out_;
  std::unordered_map<std::string, std::size_t> links_;  ///< by name
  std::vector<std::string> left_out_;                   ///< elements of the file
  std::vector<std::string> unseen_;                     ///< meshes that pictures do not show

 private:
  std::optional<Mass> mass(const XmlElement& element, const std::string& link);
  void look(const XmlElement& element, const std::string& path, Link& link);
  bool mesh(const XmlElement& shape, const std::string& path, Look& look);
};

}  // namespace cosimo::config::robot
