#include "config/mjcf_source.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <system_error>

#include "config/rules.hpp"
#include "config/source_file.hpp"

namespace cosimo::config::robot {

namespace {

constexpr int deepest = 16;
const char* const plain =
    "open the file in MuJoCo and save it: what it writes (mj_saveLastXML) has no such things";

}  // namespace

void include_mjcf(XmlElement& element, const std::filesystem::path& file, Faults& faults, int depth) {
  for (std::size_t i = 0; i < element.children.size(); ++i) {
    XmlElement& child = element.children[i];
    if (child.name != "include") {
      include_mjcf(child, file, faults, depth);
      continue;
    }
    const std::string* name = child.find("file");
    const std::filesystem::path other = file.parent_path() / (name != nullptr ? *name : "");
    std::error_code ignored;
    if (name == nullptr || !std::filesystem::is_regular_file(other, ignored)) {
      const std::string near = similar_file(other);
      faults.fatal(child.position, "include.file", name != nullptr ? *name : "",
                   {"there is no such file",
                    near.empty() ? "names are relative to the first file" : "did you mean `" + near + "`?"});
    }
    if (depth >= deepest)
      faults.fatal(child.position, "include.file", *name,
                   {"the file includes itself, directly or through others", "remove one of the includes"});
    XmlElement inner = read_xml(other, faults.add_source(other.string()), faults);
    include_mjcf(inner, file, faults, depth + 1);
    std::vector<XmlElement> list = std::move(inner.children);
    element.children.erase(element.children.begin() + static_cast<std::ptrdiff_t>(i));
    element.children.insert(element.children.begin() + static_cast<std::ptrdiff_t>(i),
                            std::make_move_iterator(list.begin()), std::make_move_iterator(list.end()));
    i += list.size();
    --i;
  }
}

MjcfValues::MjcfValues(const XmlElement& root, Faults& faults) : XmlValues(faults) {
  classes_["main"];
  for (const XmlElement& child : root.children)
    if (child.name == "compiler") read_compiler(child);
  for (const XmlElement& child : root.children)
    if (child.name == "default") read_defaults(child, "main", true);
}

void MjcfValues::read_compiler(const XmlElement& compiler) {
  const auto refuse = [&](const char* name, std::string problem) {
    complain(compiler, std::string("compiler.") + name, *compiler.find(name), std::move(problem), plain);
  };
  const auto word = [&](const char* name, std::string& to) {
    if (const std::string* given = compiler.find(name)) to = *given;
  };
  if (const std::string* angle = compiler.find("angle")) {
    compiler_.degrees = *angle == "degree";
    if (*angle != "degree" && *angle != "radian") refuse("angle", "is neither `degree` nor `radian`");
  }
  if (const std::string* limits = compiler.find("autolimits")) compiler_.autolimits = *limits == "true";
  word("eulerseq", compiler_.eulerseq);
  if (compiler_.eulerseq.size() != 3 || compiler_.eulerseq.find_first_not_of("xyzXYZ") != std::string::npos) {
    refuse("eulerseq", "is not three of the letters x, y, z, X, Y, Z");
    compiler_.eulerseq = "xyz";
  }
  word("inertiafromgeom", compiler_.inertiafromgeom);
  word("assetdir", compiler_.meshdir);
  word("meshdir", compiler_.meshdir);
  compiler_.boundmass = number(compiler, "compiler", "boundmass", 0);
  compiler_.boundinertia = number(compiler, "compiler", "boundinertia", 0);
  if (const std::string* given = compiler.find("coordinate"); given != nullptr && *given != "local")
    refuse("coordinate", "global coordinates are not possible");
  if (number(compiler, "compiler", "settotalmass", -1) > 0)
    refuse("settotalmass", "masses are not scaled here");
  for (const char* name : {"inertiagrouprange", "alignfree"})
    if (compiler.find(name) != nullptr) refuse(name, "is not possible here");
}

void MjcfValues::read_defaults(const XmlElement& defaults, const std::string& outer, bool outermost) {
  const std::string* given = defaults.find("class");
  const std::string name = given != nullptr ? *given : "main";
  if (given == nullptr && !outermost)
    return complain(defaults, "default.class", "", "is missing", "write `<default class=\"...\">`");
  if (!outermost && classes_.contains(name))
    return complain(defaults, "default.class", name, "another class has this name", "rename one of them");
  if (name != outer) classes_[name] = classes_[outer];
  for (const XmlElement& child : defaults.children) {
    if (child.name == "default") continue;
    Attributes& known = classes_[name][child.name];
    for (const auto& [key, value] : child.attributes) {
      bool found = false;
      for (XmlElement::Attribute& each : known)
        if (each.name == key) found = true, each.value = value;
      if (!found) known.push_back({key, value});
    }
  }
  for (const XmlElement& child : defaults.children)
    if (child.name == "default") read_defaults(child, name, false);
}

XmlElement MjcfValues::completed(const XmlElement& element, const std::string& inherited) const {
  XmlElement out;
  out.name = element.name;
  out.position = element.position;
  out.attributes = element.attributes;
  const std::string* given = element.find("class");
  const std::string& name = given != nullptr ? *given : inherited;
  const auto found = classes_.find(name);
  if (found == classes_.end()) {
    std::vector<std::string_view> known;
    for (const auto& [each, elements] : classes_) known.push_back(each);
    complain(element, element.name + ".class", name, "there is no default class of this name",
             name_remedy(name, known, "write `<default class=\"" + name + "\">`"));
    return out;
  }
  const auto defaults = found->second.find(element.name);
  if (defaults == found->second.end()) return out;
  for (const XmlElement::Attribute& each : defaults->second)
    if (element.find(each.name) == nullptr) out.attributes.push_back(each);
  return out;
}

double MjcfValues::radians(double angle) const {
  return compiler_.degrees ? angle * (std::numbers::pi / 180) : angle;
}

Mat3 MjcfValues::euler(const std::vector<double>& angles) const {
  Mat3 R = Mat3::Identity();
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = compiler_.eulerseq[i];
    const int axis = std::tolower(static_cast<unsigned char>(letter)) - 'x';
    const Mat3 turn = Eigen::AngleAxisd(radians(angles[i]), Vec3(Vec3::Unit(axis))).toRotationMatrix();
    const bool fixed = letter <= 'Z';  // about the axes of the parent
    R = fixed ? Mat3(turn * R) : Mat3(R * turn);
  }
  return R;
}

Mat3 MjcfValues::orientation(const XmlElement& element, const std::string& path) const {
  int ways = 0;
  Mat3 R = Mat3::Identity();
  const auto given = [&](const char* name, std::size_t n) {
    if (element.find(name) == nullptr) return std::optional<std::vector<double>>();
    ++ways;
    auto found = numbers(element, path, name, n, n);
    if (found && std::ranges::all_of(*found, [](double x) { return x == 0; }) &&
        name != std::string("euler")) {
      complain(element, path + "." + name, *element.find(name), "has no direction",
               "write numbers that are not all zero");
      found.reset();
    }
    return found;
  };
  if (const auto q = given("quat", 4)) {
    const Eigen::Quaterniond p((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
    if ((*q)[1] != 0 || (*q)[2] != 0 || (*q)[3] != 0) R = p.normalized().toRotationMatrix();
  }
  if (const auto a = given("axisangle", 4))
    R = Eigen::AngleAxisd(radians((*a)[3]), Vec3((*a)[0], (*a)[1], (*a)[2]).normalized()).toRotationMatrix();
  if (const auto e = given("euler", 3)) R = euler(*e);
  if (const auto a = given("xyaxes", 6)) {
    const Vec3 x = Vec3((*a)[0], (*a)[1], (*a)[2]).normalized();
    Vec3 y((*a)[3], (*a)[4], (*a)[5]);
    y = (y - y.dot(x) * x).normalized();
    R << x, y, x.cross(y);
  }
  if (const auto z = given("zaxis", 3))
    R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), Vec3((*z)[0], (*z)[1], (*z)[2])).toRotationMatrix();
  if (ways > 1) complain(element, path, "", "says several times how it is turned", "keep one of them");
  return R;
}

Vec3 MjcfValues::vector(const XmlElement& element, const std::string& path, const char* name,
                        const Vec3& otherwise) const {
  const auto given = numbers(element, path, name, 3, 3);
  return given ? Vec3((*given)[0], (*given)[1], (*given)[2]) : otherwise;
}

Pose MjcfValues::pose(const XmlElement& element, const std::string& path) const {
  return {orientation(element, path), vector(element, path, "pos", Vec3::Zero())};
}

}  // namespace cosimo::config::robot
