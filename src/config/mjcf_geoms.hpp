// Geoms of MJCF: what they weigh, and what they look like. Private to config/.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "config/mesh.hpp"
#include "config/mjcf_source.hpp"

namespace cosimo::config::robot {

class MjcfGeoms : public MjcfValues {
 public:
  MjcfGeoms(const XmlElement& root, const std::filesystem::path& file, Faults& faults);

 protected:
  /// Adds to the looks of the link. Nothing: it has no mass. `weigh`: its mass counts.
  std::optional<Mass> geom(const XmlElement& completed, const std::string& path, bool weigh, Link& link);

  const std::filesystem::path& file_;
  std::vector<std::string> unseen_;  ///< what pictures do not show

 private:
  struct MeshAsset {
    std::string file;
    Vec3 scale = Vec3::Ones();
    XmlElement element;
    std::optional<Solid> solid;
  };

  void read_meshes(const XmlElement& assets);
  std::optional<Solid> mesh(const XmlElement& geom, const std::string& path, bool weigh, Link& link,
                            const Pose& pose);
  const Solid* solid_of(MeshAsset& asset, const XmlElement& geom, const std::string& path);
  /// Sizes as the type has them; `fromto` gives place, direction and length.
  std::optional<std::vector<double>> sizes(const XmlElement& geom, const std::string& type,
                                           const std::string& path, Pose& pose);

  std::unordered_map<std::string, MeshAsset> meshes_;
};

}  // namespace cosimo::config::robot
