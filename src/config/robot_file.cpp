#include "config/robot_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "config/robot.hpp"
#include "config/rules.hpp"
#include "config/tree_walk.hpp"

namespace cosimo::config {

namespace {

std::string ending_of(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

using Number = std::function<double(const Node&, std::string_view)>;
using Complain = std::function<void(const Node&, std::string_view, Complaint)>;

std::optional<RobotOptions::Stops> read_stops(const Node& stops, const Number& number,
                                              const Complain& complain) {
  static constexpr std::array<std::string_view, 2> known{"stiffness", "damping"};
  const Node* stiffness = stops.kind == Node::Kind::map ? stops.find("stiffness") : nullptr;
  if (stiffness == nullptr) {
    complain(stops, "import.stops", {"says no stiffness", "write `{stiffness: 1e4}`, N m/rad or N/m"});
    return std::nullopt;
  }
  RobotOptions::Stops out;
  for (std::size_t i = 0; i < stops.keys.size(); ++i) {
    const std::string& key = stops.keys[i].text;
    const std::string path = "import.stops." + key;
    if (std::ranges::find(known, key) == known.end()) {
      complain(stops.keys[i], path,
               {"the key is not known here", name_remedy(key, known, "known here: stiffness, damping")});
      continue;
    }
    const double value = number(stops.items[i], path);
    (key == "stiffness" ? out.stiffness : out.damping) = value;
    if (key == "stiffness" ? !(value > 0) : value < 0)
      complain(stops.items[i], path,
               {"is out of range", key == "stiffness" ? "write a number > 0" : "write a number >= 0"});
  }
  return out;
}

}  // namespace

bool is_robot_file(const std::filesystem::path& file) {
  static constexpr std::array<std::string_view, 4> endings{".urdf", ".xacro", ".xml", ".mjcf"};
  return std::ranges::find(endings, ending_of(file)) != endings.end();
}

RobotOptions read_robot_options(const Node& import, const Number& number, const Complain& complain) {
  static constexpr std::array<std::string_view, 3> known{"fix", "stops", "armature"};
  RobotOptions out;
  if (import.kind != Node::Kind::map) {
    complain(import, "import", {"is not a section", "write `{fix: true}`"});
    return out;
  }
  for (std::size_t i = 0; i < import.keys.size(); ++i) {
    const std::string& key = import.keys[i].text;
    const Node& item = import.items[i];
    const std::string path = "import." + key;
    if (key == "fix") {
      out.fix = item.text == "true";
      if (item.text != "true" && item.text != "false")
        complain(item, path, {"is neither `true` nor `false`", "write one of them"});
    } else if (key == "armature") {
      out.ignore_armature = item.text == "ignore";
      if (item.text != "ignore") complain(item, path, {"is not known", "write `ignore`"});
    } else if (key == "stops") {
      out.stops = read_stops(item, number, complain);
    } else {
      complain(import.keys[i], path,
               {"the key is not known here", name_remedy(key, known, "known here: fix, stops, armature")});
    }
  }
  return out;
}

Node read_robot_file(const std::filesystem::path& file, int source, const RobotOptions& options,
                     Faults& faults) {
  const XmlElement root = read_xml(file, source, faults);
  const std::size_t before = faults.size();
  robot::Robot found;
  if (root.name == "robot") {
    found = robot::read_urdf(root, file, options, faults);
  } else if (root.name == "mujoco") {
    found = robot::read_mjcf(root, file, options, faults);
  } else {
    faults.fatal(root.position, root.name, "",
                 {"is neither a URDF file (`robot`) nor an MJCF file (`mujoco`)",
                  root.name == "sdf" ? "convert the file to URDF" : "name a file of one of these kinds"});
  }
  if (faults.size() > before) faults.raise();
  return robot::tree_of(found, options, faults);
}

}  // namespace cosimo::config
