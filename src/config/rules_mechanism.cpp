// The rules of models that are given by their bodies.
#include "config/rules_mechanism.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "config/contacts.hpp"
#include "config/rules.hpp"
#include "core/counted.hpp"
#include "core/nearest.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

std::int64_t dimensions_of(const Value& body) {
  if (kind_of<BodyKind>(body) == BodyKind::rigid) return 3;
  if (kind_of<BodyKind>(body) == BodyKind::planar) return 2;
  const Value* given = body.find("dimensions");
  return given != nullptr ? given->integer : 3;
}

/// Whether all principal minors of a symmetric matrix xx, yy, zz, xy, xz, yz are at least `least`.
bool minors_reach(const std::array<double, 6>& m, double relative) {
  const auto [xx, yy, zz, xy, xz, yz] = m;
  const double size = std::abs(xx) + std::abs(yy) + std::abs(zz);
  const double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return std::min({xx, yy, zz}) >= relative * size &&
         std::min({xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz}) >= relative * size * size &&
         determinant >= relative * size * size * size;
}

bool is_zero(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0; });
}

}  // namespace

MechanismRules::MechanismRules(const Value& model, Faults& faults) : model_(model), faults_(faults) {}

void MechanismRules::check() {
  names("bodies", bodies_, "a body");
  names("joints", connections_, "a joint or an element");
  name_springs();
  names("elements", connections_, "a joint or an element");
  names("ropes", connections_, "a joint, an element or a rope");
  names("contacts", connections_, "a joint, an element, a rope or a contact");
  std::int64_t dimensions = 0;
  if (const Value* list = model_.find("bodies")) {
    for (const Value& entry : list->items) {
      if (!entry.ok()) continue;
      body(entry);
      dimensions = std::max(dimensions, dimensions_of(entry));
    }
    vector(model_.find("gravity"), dimensions);
  }
  if (const Value* list = model_.find("joints")) {
    for (const Value& entry : list->items) {
      if (entry.ok()) check_joint(entry, *this);
    }
    check_motors(*list, *this);
  }
  if (const Value* list = model_.find("elements")) {
    for (const Value& entry : list->items) {
      if (entry.ok()) check_element(entry, *this);
    }
  }
  check_contacts(model_, faults_);
  if (const Value* list = model_.find("ropes")) {
    for (const Value& entry : list->items) {
      if (entry.ok()) check_rope(entry, *this);
    }
  }
  check_sensors(model_, *this);
}

void MechanismRules::names(const char* list, std::unordered_map<std::string_view, const Value*>& known,
                           const char* what) {
  const Value* entries = model_.find(list);
  if (entries == nullptr) return;
  for (const Value& entry : entries->items) {
    const Value* name = entry.find("name");
    if (name == nullptr) continue;
    if (const auto spring = springs_.find(name->word); spring != springs_.end()) {
      complain(faults_, *name, spring->second->path + " has this name", "choose another name");
    } else if (name->word == "ground") {
      complain(faults_, *name, "is the name of the fixed ground", "choose another name");
    } else if (const auto [found, added] = known.emplace(name->word, &entry); !added) {
      complain(faults_, *name,
               std::string(what) + " of this name is in line " +
                   std::to_string(found->second->node->position.line) + " already",
               "choose another name");
    }
  }
}

void MechanismRules::name_springs() {
  const Value* joints = model_.find("joints");
  if (joints == nullptr) return;
  for (const Value& entry : joints->items)
    for (const char* const what : {"spring", "damper"})
      if (const Value* name = entry.find("name"), *given = entry.find(what);
          name != nullptr && given != nullptr)
        springs_.emplace(name->word + "." + what, given);
}

const Value* MechanismRules::joint(std::string_view name) const {
  const auto found = connections_.find(name);
  if (found == connections_.end() || !found->second->path.starts_with("model.joints")) return nullptr;
  return found->second;
}

std::vector<std::string_view> MechanismRules::joint_names() const {
  std::vector<std::string_view> names;
  const Value* joints = model_.find("joints");
  if (joints == nullptr) return names;
  for (const Value& entry : joints->items) {
    if (const Value* name = entry.find("name")) names.push_back(name->word);
  }
  return names;
}

const Value* MechanismRules::connection(std::string_view name) const {
  const auto found = connections_.find(name);
  if (found != connections_.end()) return found->second;
  const auto spring = springs_.find(std::string(name));
  return spring == springs_.end() ? nullptr : spring->second;
}

std::vector<std::string_view> MechanismRules::connection_names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, entry] : connections_) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

const Value* MechanismRules::ground_shape(std::string_view name) const {
  const Value* shapes = model_.find("ground");
  if (shapes == nullptr) return nullptr;
  for (const Value& entry : shapes->items)
    if (const Value* own = entry.find("name"); own != nullptr && own->word == name) return &entry;
  return nullptr;
}

const Value* MechanismRules::body_of(std::string_view name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? nullptr : found->second;
}

EndBody MechanismRules::body_end(const Value& body) {
  return {true, &body, dimensions_of(body), kind_of<BodyKind>(body) != BodyKind::point};
}

bool MechanismRules::has_hinge(const Value& entry) const {
  const auto ends = [](const Value& of) {
    const auto name = [&](const char* key) {
      const Value* given = of.find(key);
      return given != nullptr ? std::string_view(given->word) : std::string_view("ground");
    };
    return std::minmax({name("from"), name("to")});
  };
  const Value* joints = model_.find("joints");
  return joints != nullptr && std::ranges::any_of(joints->items, [&](const Value& joint) {
           const bool hinge = has_word(joint.find("kind"), JointKind::revolute) ||
                              has_word(joint.find("kind"), JointKind::cylindrical);
           return joint.ok() && hinge && ends(joint) == ends(entry);
         });
}

EndBody MechanismRules::end(const Value& entry, const char* key) {
  const Value* name = any_member(entry, key);
  if (name != nullptr && !name->ok()) return {.known = false};
  if (name == nullptr || name->word == "ground") return {};
  const auto found = bodies_.find(name->word);
  if (found != bodies_.end()) {
    const bool ok = found->second->ok();
    return {ok, found->second, ok ? dimensions_of(*found->second) : 0,
            ok && kind_of<BodyKind>(*found->second) != BodyKind::point};
  }
  std::vector<std::string_view> known{"ground"};
  if (!faults_.full()) {
    if (const Value* list = model_.find("bodies")) {
      for (const Value& body : list->items) {
        if (const Value* given = body.find("name")) known.push_back(given->word);
      }
    }
  }
  // A marker of a body whose name is misspelt.
  const std::size_t dot = name->word.rfind('.');
  const std::string_view owner = dot == std::string::npos || !nearest(name->word, known).empty()
                                     ? std::string_view()
                                     : nearest(std::string_view(name->word).substr(0, dot), known);
  complain(faults_, *name, "there is no body of this name",
           owner.empty() ? name_remedy(name->word, known, "name a body, or `ground`")
                         : "did you mean `" + std::string(owner) + name->word.substr(dot) + "`?");
  return {.known = false};
}

void MechanismRules::two_bodies(const Value& entry, const EndBody& from, const EndBody& to) {
  if (!from.known || !to.known || from.body != to.body) return;
  if (from.body == nullptr) {
    complain(faults_, entry, "joins the ground to itself", "name bodies in `from` and `to`");
  } else {
    complain(faults_, *entry.find("to"), "joins the body to itself", "name another body, or `ground`");
  }
}

void MechanismRules::vector(const Value* value, std::int64_t dimensions) {
  if (value == nullptr || dimensions == 0) return;
  const auto entries = static_cast<std::int64_t>(value->numbers.size());
  if (entries < dimensions) {
    complain(faults_, *value, "has " + counted(entries, "entry"),
             "the bodies have " + std::to_string(dimensions) + " dimensions: write as many numbers");
  } else if (dimensions == 2 && entries == 3 && value->numbers[2] != 0) {
    complain(faults_, *value, 2, "lies outside the plane that the bodies move in", "write 0, or two numbers");
  }
}

bool MechanismRules::direction(const Value* value, std::int64_t dimensions) {
  if (value == nullptr) return true;
  if (is_zero(value->numbers)) {
    complain(faults_, *value, "has no direction", "write a vector that is not zero");
    return false;
  }
  vector(value, dimensions);
  return true;
}

void MechanismRules::ascending(const Value* instants) {
  if (instants == nullptr) return;
  for (std::size_t i = 1; i < instants->numbers.size(); ++i) {
    if (!(instants->numbers[i] > instants->numbers[i - 1]))
      complain(faults_, *instants, i, "does not ascend", "write instants in ascending order, each once");
  }
}

void MechanismRules::orientation(const Value* value) {
  if (value == nullptr) return;
  const Value* axis = value->find("axis");
  const Value* angle = value->find("angle");
  const Value* quaternion = value->find("quaternion");
  const Value* euler = value->find("euler");
  const int ways = (axis != nullptr || angle != nullptr ? 1 : 0) + (quaternion != nullptr ? 1 : 0) +
                   (euler != nullptr ? 1 : 0);
  if (ways != 1 || (axis == nullptr) != (angle == nullptr)) {
    complain(faults_, *value, ways > 1 ? "says several things at once" : "is not complete",
             "write `{axis: [x, y, z], angle: phi}`, `{quaternion: [w, x, y, z]}` or `{euler: [z, y, x]}`");
  }
  for (const Value* part : {axis, quaternion}) {
    if (part != nullptr && is_zero(part->numbers))
      complain(faults_, *part, "has no direction", "write numbers that are not all zero");
  }
}

void MechanismRules::body(const Value& entry) {
  const BodyKind kind = kind_of<BodyKind>(entry);
  if (kind == BodyKind::rigid) {
    weight(entry);
    if (const Value* tensor = entry.find("inertia")) inertia(*tensor);
    orientation(entry.find("orientation"));
    look(entry.find("look"));
  }
  if (kind != BodyKind::point) return;
  const std::int64_t dimensions = dimensions_of(entry);
  for (const char* name : {"position", "velocity"}) {
    const Value* value = entry.find(name);
    if (value == nullptr) continue;
    const std::size_t given = value->is(Kind::number) ? 1 : value->numbers.size();
    if (static_cast<std::int64_t>(given) == dimensions) continue;
    complain(faults_, *value,
             "a point mass of " + std::to_string(dimensions) + " dimensions needs as many numbers",
             "write " + std::to_string(dimensions) + ", or change `dimensions`");
  }
}

/// Mass and inertia are given, or follow from a shape.
void MechanismRules::weight(const Value& entry) {
  const auto given = [&](const char* key) { return any_member(entry, key) != nullptr; };
  const auto missing = [&](const char* key, std::string remedy) {
    faults_.add(entry.node->position, entry.path + "." + key, "", {"is missing", std::move(remedy)});
  };
  if (!given("shape")) {
    if (!given("mass")) missing("mass", "add `mass`: a number > 0, or `shape` and `density`");
    if (!given("inertia")) missing("inertia", "add `inertia`: a list of numbers, or `shape` and `density`");
    if (const Value* density = entry.find("density"))
      complain(faults_, *density, "there is no `shape` that has it", "add `shape`, or write `mass`");
    return;
  }
  if (!given("mass") && !given("density")) missing("density", "add `density` or `mass`: a number > 0");
  if (const Value* mass = entry.find("mass"); mass != nullptr && given("density"))
    complain(faults_, *mass, "follows from `shape` and `density`", "keep one of mass and density");
  if (const Value* tensor = entry.find("inertia"))
    complain(faults_, *tensor, "follows from `shape`", "leave it out, or leave `shape` out");
  if (const Value* solid = entry.find("shape")) {
    shape(*solid);
    const Value* center = entry.find("center");
    if (center != nullptr && solid->find("mesh") != nullptr)
      complain(faults_, *center, "follows from the mesh", "leave it out, or move the mesh in its file");
  }
}

void MechanismRules::shape(const Value& shape) {
  if (const Value* edges = shape.find("box")) {
    for (std::size_t i = 0; i < edges->numbers.size(); ++i)
      if (!(edges->numbers[i] > 0)) complain(faults_, *edges, i, "must be > 0", "write a number > 0");
  }
  const Value *outer = shape.find("tube.radius"), *inner = shape.find("tube.inner");
  if (outer != nullptr && inner != nullptr && !(inner->number < outer->number))
    complain(faults_, *inner, "is not less than `radius`",
             "write the radius of the bore, less than `radius`");
  for (const char* axis : {"cylinder.axis", "tube.axis", "capsule.axis"}) direction(shape.find(axis), 3);
}

void MechanismRules::look(const Value* list) {
  if (list == nullptr) return;
  for (const Value& item : list->items) {
    if (!item.ok()) continue;
    if (const Value* solid = item.find("shape")) shape(*solid);
    orientation(item.find("orientation"));
  }
}

/// The second moments of mass, half the trace minus the tensor, are those of a body if they are not negative
/// in any direction; for principal axes that is the triangle inequality.
void MechanismRules::inertia(const Value& value) {
  const std::vector<double>& given = value.numbers;
  if (given.size() != 3 && given.size() != 6) {
    return complain(faults_, value, "has " + counted(given.size(), "entry"),
                    "write xx, yy, zz or xx, yy, zz, xy, xz, yz");
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(given[i] > 0)) return complain(faults_, value, i, "must be > 0", "write a number > 0");
  }
  std::array<double, 6> tensor{};
  std::copy(given.begin(), given.end(), tensor.begin());
  const double half = 0.5 * (tensor[0] + tensor[1] + tensor[2]);
  const std::array<double, 6> moments{half - tensor[0], half - tensor[1], half - tensor[2],
                                      -tensor[3],       -tensor[4],       -tensor[5]};
  constexpr double rounding = 1e-12;
  if (!minors_reach(tensor, rounding * rounding)) {
    complain(faults_, value, "is not positive definite", "check the products xy, xz, yz and their signs");
  } else if (!minors_reach(moments, -rounding)) {
    complain(faults_, value,
             "violates the triangle inequality: one principal moment exceeds the sum of the others",
             "no distribution of mass has such an inertia: check the three moments");
  }
}

void check_mechanism_rules(const Value& root, Faults& faults) {
  const Value* model = root.find("model");
  if (model != nullptr && model->find("bodies") != nullptr) MechanismRules(*model, faults).check();
}

}  // namespace cosimo::config
