#include "config/mjcf_geoms.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "config/robot_look.hpp"
#include "config/rules.hpp"
#include "config/solids.hpp"
#include "config/source_file.hpp"

namespace cosimo::config::robot {

namespace {

constexpr double water = 1000;  // kg/m^3, of geoms without mass and density

/// How many sizes a type has, with and without `fromto`; sizes are halves of lengths.
struct Type {
  std::string_view name;
  std::size_t sizes, between;
};
constexpr std::array<Type, 5> types{
    {{"sphere", 1, 0}, {"capsule", 2, 1}, {"cylinder", 2, 1}, {"box", 3, 2}, {"ellipsoid", 3, 2}}};

Solid solid_of(const std::string& type, const std::vector<double>& s) {
  if (type == "sphere") return solids::sphere(s[0]);
  if (type == "capsule") return solids::capsule(s[0], 2 * s[1]);
  if (type == "cylinder") return solids::tube(s[0], 0, 2 * s[1]);
  if (type == "box") return solids::box({2 * s[0], 2 * s[1], 2 * s[2]});
  return solids::ellipsoid(s[0], s[1], s[2]);
}

Mass mass_of(const Solid& solid, double density) {
  const auto& [xx, yy, zz, xy, xz, yz] = solid.inertia;
  Mass out;
  out.mass = density * solid.volume;
  out.center = {solid.center[0], solid.center[1], solid.center[2]};
  out.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  out.inertia *= density;
  return out;
}

Look look_of(const std::string& type, const std::vector<double>& s) {
  Look look;
  if (type == "box") look.size = {2 * s[0], 2 * s[1], 2 * s[2]};
  if (type == "sphere") look.kind = Look::Kind::sphere, look.size = {s[0], 0, 0};
  if (type == "capsule") look.kind = Look::Kind::capsule, look.size = {s[0], 2 * s[1], 0};
  if (type == "cylinder") look.kind = Look::Kind::cylinder, look.size = {s[0], 2 * s[1], 0};
  return look;
}

}  // namespace

MjcfGeoms::MjcfGeoms(const XmlElement& root, const std::filesystem::path& file, Faults& faults)
    : MjcfValues(root, faults), file_(file) {
  for (const XmlElement& child : root.children)
    if (child.name == "asset") read_meshes(child);
}

void MjcfGeoms::read_meshes(const XmlElement& assets) {
  for (const XmlElement& child : assets.children) {
    if (child.name != "mesh") continue;
    const XmlElement mesh = completed(child, "main");
    MeshAsset asset;
    const std::string* file = mesh.find("file");
    const std::string* name = mesh.find("name");
    const std::string own = name != nullptr   ? *name
                            : file != nullptr ? std::filesystem::path(*file).stem().string()
                                              : std::string();
    for (const char* other : {"vertex", "builtin", "refpos", "refquat", "inertia"})
      if (mesh.find(other) != nullptr)
        complain(mesh, "mesh." + own + "." + other, *mesh.find(other), "is not possible here",
                 "export the mesh as an STL or OBJ file as it is to be");
    if (file != nullptr) {
      const auto found = find_mesh((std::filesystem::path(compiler_.meshdir) / *file).string(), file_);
      if (!found)
        complain(mesh, "mesh." + own + ".file", *file, "there is no such file",
                 "names are relative to `meshdir` of the compiler, and that to the first file");
      else
        asset.file = *found;
    }
    asset.scale = vector(mesh, "mesh." + own, "scale", Vec3::Ones());
    asset.element = mesh;
    meshes_.emplace(own, std::move(asset));
  }
}

const Solid* MjcfGeoms::solid_of(MeshAsset& asset, const XmlElement& geom, const std::string& path) {
  if (asset.solid) return &*asset.solid;
  const auto refuse = [&](const MeshFault& fault) {
    complain(geom, path + ".mesh", asset.file, fault.complaint.problem,
             fault.complaint.remedy + ", or give the body an `inertial`");
    return nullptr;
  };
  if (!is_readable_mesh(asset.file))
    return refuse({0, "", {"is neither an STL nor an OBJ file", "export the mesh as one"}});
  const int source = faults_.add_source(asset.file);
  auto read = read_mesh(read_source(asset.file, source, faults_));
  if (const auto* fault = std::get_if<MeshFault>(&read)) return refuse(*fault);
  Mesh& surface = std::get<Mesh>(read);
  for (Point& p : surface.points)
    for (std::size_t i = 0; i < 3; ++i) p[i] *= asset.scale[static_cast<Eigen::Index>(i)];
  auto inside = solid_inside(surface);
  if (const auto* fault = std::get_if<MeshFault>(&inside)) return refuse(*fault);
  asset.solid = std::get<Solid>(inside);
  return &*asset.solid;
}

std::optional<Solid> MjcfGeoms::mesh(const XmlElement& geom, const std::string& path, bool weigh, Link& link,
                                     const Pose& pose) {
  const std::string name = required(geom, path, "mesh");
  const auto found = meshes_.find(name);
  if (found == meshes_.end()) {
    std::vector<std::string_view> known;
    for (const auto& [each, asset] : meshes_) known.push_back(each);
    if (!name.empty())
      complain(geom, path + ".mesh", name, "there is no mesh of this name",
               name_remedy(name, known, "write `<asset><mesh .../></asset>`"));
    return std::nullopt;
  }
  MeshAsset& asset = found->second;
  if (asset.file.empty()) return std::nullopt;
  Look look;
  look.kind = Look::Kind::mesh;
  look.file = asset.file;
  look.scale = asset.scale[0];
  look.pose = pose;
  look.position = geom.position;
  if (is_readable_mesh(asset.file) && asset.scale[0] > 0 && asset.scale.isConstant(asset.scale[0], 0))
    link.looks.push_back(std::move(look));
  else
    unseen_.push_back(name);
  if (!weigh) return std::nullopt;
  const Solid* solid = solid_of(asset, geom, path);
  return solid != nullptr ? std::optional(*solid) : std::nullopt;
}

std::optional<std::vector<double>> MjcfGeoms::sizes(const XmlElement& geom, const std::string& type,
                                                    const std::string& path, Pose& pose) {
  const Type& known = *std::ranges::find(types, type, &Type::name);
  const bool between = geom.find("fromto") != nullptr && known.between > 0;
  const std::size_t needed = between ? known.between : known.sizes;
  if (required(geom, path, "size").empty()) return std::nullopt;
  auto size = numbers(geom, path, "size", between && needed == 2 ? 1 : needed, 3);
  if (!size) return std::nullopt;
  if (between && needed == 2 && size->size() == 1) size->push_back(size->front());
  size->resize(needed);
  if (std::ranges::any_of(*size, [](double x) { return !(x > 0); })) {
    complain(geom, path + ".size", *geom.find("size"), "must be > 0", "write numbers > 0");
    return std::nullopt;
  }
  if (!between) return size;
  const auto ends = numbers(geom, path, "fromto", 6, 6);
  if (!ends) return std::nullopt;
  const Vec3 a((*ends)[0], (*ends)[1], (*ends)[2]), b((*ends)[3], (*ends)[4], (*ends)[5]);
  if (a == b) {
    complain(geom, path + ".fromto", *geom.find("fromto"), "has no length", "write two points");
    return std::nullopt;
  }
  pose.r = 0.5 * (a + b);
  pose.R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), b - a).toRotationMatrix();
  size->push_back(0.5 * (b - a).norm());
  return size;
}

std::optional<Mass> MjcfGeoms::geom(const XmlElement& given, const std::string& path, bool weigh,
                                    Link& link) {
  const std::string* word = given.find("type");
  const std::string type = word != nullptr ? *word : "sphere";
  Pose pose = this->pose(given, path);
  const auto mass = number(given, path, "mass");
  const double density = number(given, path, "density", water);
  if (mass.value_or(density) < 0)
    complain(given, path + (mass ? ".mass" : ".density"), *given.find(mass ? "mass" : "density"),
             "is negative", "write a number >= 0");
  const bool heavy = weigh && mass.value_or(density) > 0;
  if (const std::string* shell = given.find("shellinertia"); shell != nullptr && *shell == "true" && heavy)
    complain(given, path + ".shellinertia", *shell, "shells are not possible here",
             "give the body an `inertial`");
  std::optional<Solid> solid;
  if (type == "mesh") {
    solid = mesh(given, path, heavy, link, pose);
  } else if (std::ranges::find(types, type, &Type::name) != types.end()) {
    if (given.find("mesh") != nullptr)
      complain(given, path + ".mesh", *given.find("mesh"), "shapes are not fitted to meshes here",
               "write `type=\"mesh\"`, or the sizes");
    const auto size = sizes(given, type, path, pose);
    if (!size) return std::nullopt;
    solid = robot::solid_of(type, *size);
    Look look = look_of(type, *size);
    look.pose = pose;
    look.position = given.position;
    if (type == "ellipsoid")
      unseen_.push_back(path);
    else
      link.looks.push_back(std::move(look));
  } else if (type == "plane" || type == "hfield") {
    if (heavy)
      complain(given, path + ".type", type, "is possible on the ground alone", "write another shape");
  } else {
    complain(given, path + ".type", type, "the shape is not known",
             "known: sphere, capsule, cylinder, box, ellipsoid, mesh");
  }
  if (!heavy || !solid) return std::nullopt;
  return moved(mass_of(*solid, mass ? *mass / solid->volume : density), pose);
}

}  // namespace cosimo::config::robot
