#include "config/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "config/choices.hpp"
#include "config/looks.hpp"
#include "config/number.hpp"
#include "config/read_values.hpp"
#include "config/rules.hpp"
#include "config/solids.hpp"
#include "config/source_file.hpp"

namespace cosimo::config {

namespace {

/// Turns a solid that is round about z onto another axis.
Solid turned(Solid solid, const Value& shape) {
  const Value* axis = shape.find("axis");
  if (axis == nullptr) return solid;
  const std::vector<double>& n = axis->numbers;
  const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  const double across = solid.inertia[0], more = (solid.inertia[2] - across) / square;
  solid.inertia = {across + more * n[0] * n[0], across + more * n[1] * n[1], across + more * n[2] * n[2],
                   more * n[0] * n[1],          more * n[0] * n[2],          more * n[1] * n[2]};
  return solid;
}

/// A solid of density one, and what it looks like.
struct Made {
  Solid solid;
  std::shared_ptr<const SolidShape> outline;
};

Made made_of_mesh(Mesh surface, const Solid& solid) {
  SolidShape shape;
  shape.kind = SolidShape::Kind::mesh;
  shape.points = std::move(surface.points);
  shape.triangles = std::move(surface.triangles);
  shape.centroid = solid.center;
  return {solid, std::make_shared<SolidShape>(std::move(shape))};
}

/// A fault of the whole file belongs to the line that names it.
void refuse(const Value& file, int source, const MeshFault& fault, Faults& faults) {
  const std::string written = to_text(*file.node);
  if (fault.line > 0)
    faults.add({source, fault.line, 0}, file.path, fault.value, fault.complaint);
  else
    faults.add(file.node->position, file.path, fault.value.empty() ? written : written + ": " + fault.value,
               fault.complaint);
}

std::optional<Made> mesh(const Value& shape, Faults& faults) {
  auto surface = read_surface(shape, faults);
  if (!surface) return std::nullopt;
  auto inside = solid_inside(*surface);
  if (const auto* fault = std::get_if<MeshFault>(&inside)) {
    const int source = static_cast<int>(faults.sources().size()) - 1;  // the file of the surface is the last
    refuse(at(shape, "file"), source, *fault, faults);
    return std::nullopt;
  }
  return made_of_mesh(std::move(*surface), std::get<Solid>(inside));
}

Solid round_about_axis(const SolidShape& shape, const Value& given) {
  const bool capped = shape.kind == SolidShape::Kind::capsule;
  return turned(capped ? solids::capsule(shape.radius, shape.length)
                       : solids::tube(shape.radius, shape.inner, shape.length),
                given);
}

std::optional<Made> solid_of(const Value& shape, Faults& faults) {
  using Outline = SolidShape::Kind;
  const std::string_view kind = choice_name(&shape);
  const Value& given = shape.items[0];
  if (kind == "mesh") return mesh(given, faults);
  SolidShape outline;
  Solid solid;
  if (kind == "box") {
    std::copy_n(given.numbers.begin(), 3, outline.edges.begin());
    solid = solids::box(given.numbers);
  } else if (kind == "sphere") {
    outline.kind = Outline::sphere;
    outline.radius = given.number;
    solid = solids::sphere(given.number);
  } else {
    outline.kind = kind == "capsule" ? Outline::capsule : kind == "tube" ? Outline::tube : Outline::cylinder;
    outline.radius = number(given, "radius");
    outline.length = number(given, "length");
    if (kind == "tube") outline.inner = number(given, "inner");
    if (const Value* axis = given.find("axis")) std::copy_n(axis->numbers.begin(), 3, outline.axis.begin());
    solid = round_about_axis(outline, given);
  }
  return Made{solid, std::make_shared<SolidShape>(std::move(outline))};
}

}  // namespace

bool is_complete(const Value& shape) {
  if (!shape.ok() || shape.items.empty() || !shape.items[0].ok()) return false;
  const Value& given = shape.items[0];
  for (const Value& item : given.items)
    if (!item.ok()) return false;
  if (!given.is(Form::Kind::section)) return true;
  for (const Key& key : given.form->keys)
    if (key.required && given.find(key.name) == nullptr) return false;
  return true;
}

std::optional<Mesh> read_surface(const Value& mesh, Faults& faults) {
  const Value& file = at(mesh, "file");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file.word, ignored)) {
    const std::string near = similar_file(file.word);
    complain(
        faults, file, "there is no such file",
        near.empty() ? "names are relative to the file they are written in" : "did you mean `" + near + "`?");
    return std::nullopt;
  }
  const int source = faults.add_source(file.word);
  const auto no_surface = [&](const MeshFault& fault) {
    refuse(file, source, fault, faults);
    return std::nullopt;
  };
  const std::string text = read_source(file.word, source, faults);
  if (text.size() > max_file_size)
    return no_surface(
        {0, "", {"is larger than " + std::to_string(max_file_size >> 20) + " MiB", "export a coarser mesh"}});
  auto read = read_mesh(text);
  if (const auto* fault = std::get_if<MeshFault>(&read)) return no_surface(*fault);
  Mesh& surface = std::get<Mesh>(read);
  const double scale = number(mesh, "scale");
  for (Point& p : surface.points)
    for (double& x : p) x *= scale;
  return std::move(surface);
}

namespace {

/// Its shapes but planes, by name; they have no mass.
void read_ground(const Value& root, ShapeMasses& out, Faults& faults) {
  const Value* ground = root.find("model.ground");
  for (std::size_t k = 0; ground != nullptr && k < ground->items.size(); ++k) {
    const Value& entry = ground->items[k];
    const Value *shape = entry.ok() ? entry.find("shape") : nullptr, *name = entry.find("name");
    if (shape == nullptr || name == nullptr || shape->find("plane") != nullptr || !is_complete(*shape))
      continue;
    if (const std::optional<Made> made = solid_of(*shape, faults)) out[name->word].outline = made->outline;
  }
}

}  // namespace

ShapeMasses read_shapes(const Value& root, Faults& faults) {
  ShapeMasses out;
  read_ground(root, out, faults);
  const Value* bodies = root.find("model.bodies");
  if (bodies == nullptr) return out;
  std::unordered_map<std::string, Made> known;  // meshes by file and scale: sub-models repeat them
  for (const Value& entry : bodies->items) {
    const Value* shape = entry.ok() ? entry.find("shape") : nullptr;
    if (shape == nullptr || !is_complete(*shape)) continue;
    const Value *mass = entry.find("mass"), *density = entry.find("density"), *name = entry.find("name");
    if ((mass == nullptr) == (density == nullptr) || name == nullptr) continue;
    std::optional<Made> solid;
    const Value* file = shape->find("mesh.file");
    const std::string key =
        file == nullptr ? "" : file->word + '\n' + number_text(number(*shape, "mesh.scale"));
    if (const auto found = known.find(key); file != nullptr && found != known.end()) {
      solid = found->second;
    } else if ((solid = solid_of(*shape, faults)) && file != nullptr) {
      known.emplace(key, *solid);
    }
    if (!solid) continue;
    const Solid& one = solid->solid;
    const double weight = density != nullptr ? density->number : mass->number / one.volume;
    ShapeMass& made = out[name->word];
    made = {weight * one.volume, one.center, one.inertia, solid->outline};
    for (double& x : made.inertia) x *= weight;
  }
  read_looks(*bodies, out, faults);
  return out;
}

}  // namespace cosimo::config
