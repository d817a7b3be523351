// The rules of generated models, of how a model starts, and what other sections may name of it.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "config/definition.hpp"
#include "config/rules.hpp"
#include "config/rules_parameter.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

Length length_of(std::int64_t n, const std::string& what) {
  if (n == 0) return {};
  return {n, "but there are " + std::to_string(n) + " " + what};
}

std::int64_t integer_at(const Value& value, std::string_view path) {
  const Value* found = value.find(path);
  return found != nullptr ? found->integer : 0;
}

/// How many springs there are follows from the shape: nobody counts them for a list.
void no_row(const Value* value, Faults& faults) {
  if (value == nullptr || !is_row(*value)) return;
  complain(faults, *value, "lists are not possible for springs of this model",
           "write one number or `{uniform: [a, b]}`");
}

void check_pendulum(const Value& pendulum, Faults& faults) {
  const Length links = length_of(integer_at(pendulum, "links"), "links");
  for (const char* name : {"length", "mass"}) check_parameter(faults, pendulum.find(name), links, true);
  for (const char* name : {"angle", "angular_velocity"}) check_parameter(faults, pendulum.find(name), links);
  const Value* dimensions = pendulum.find("dimensions");
  const bool spherical = has_word(pendulum.find("joint"), LinkJoint::spherical);
  if (dimensions != nullptr && dimensions->integer == 2 && spherical) {
    complain(faults, *dimensions, "spherical joints are for space", "write 3, or `joint: revolute`");
  }
  const Value* formulation = pendulum.find("formulation");
  if (!has_word(formulation, Formulation::minimal)) return;
  if (spherical || (dimensions != nullptr && dimensions->integer == 3)) {
    complain(faults, *formulation, "one angle per link describes only planar pendulums",
             "write `absolute`, or `joint: revolute` and `dimensions: 2`");
  }
  if (const Value* compliant = pendulum.find("compliant")) {
    complain(faults, *compliant, "minimal coordinates have no joints that could give way",
             "write `formulation: absolute`, or leave it out");
  }
}

/// 0: not known, or too many.
std::int64_t lattice_bodies(const Value& lattice) {
  const Value* size = lattice.find("size");
  if (size == nullptr) return 0;
  std::int64_t n = 1;
  for (const Value& along : size->items) {
    if (!along.ok() || n > max_masses) return 0;
    n *= along.integer;  // both at most 1e8
  }
  return n <= max_masses ? n : 0;
}

void check_lattice(const Value& root, const Value& lattice, Faults& faults) {
  const std::int64_t n = lattice_bodies(lattice);
  const Value* size = lattice.find("size");
  const bool known = size != nullptr && std::all_of(size->items.begin(), size->items.end(),
                                                    [](const Value& along) { return along.ok(); });
  if (known && n == 0) {
    complain(faults, *size, "makes more than " + std::to_string(max_masses) + " masses",
             "write smaller numbers");
  }
  const bool space = has_word(lattice.find("coordinates"), Coordinates::space);
  const auto dimensions = space && known ? static_cast<std::int64_t>(size->items.size()) : 1;
  check_parameter(faults, lattice.find("mass"), length_of(n, "masses"), true);
  for (const char* name : {"spring.c", "spring.d", "spring.C", "spring.D"}) {
    no_row(lattice.find(name), faults);
    check_parameter(faults, lattice.find(name), {});
  }
  for (const char* name : {"initial.x", "initial.v"})
    check_parameter(faults, lattice.find(name), length_of(n * dimensions, "coordinates"));
  if (const Value* diagonals = lattice.find("diagonals");
      diagonals != nullptr && diagonals->boolean && !space) {
    complain(faults, *diagonals, "springs along diagonals are for points in space",
             "write `coordinates: space`, or leave it out");
  }
  check_loads(faults, lattice.find("loads"), n, root);
}

void check_network(const Value& network, Faults& faults) {
  const std::int64_t masses = integer_at(network, "masses");
  check_parameter(faults, network.find("mass"), length_of(masses, "masses"), true);
  for (const char* name : {"spring.c", "spring.d"}) {
    no_row(network.find(name), faults);
    check_parameter(faults, network.find(name), {});
  }
  const std::int64_t dimensions = integer_at(network, "dimensions");
  check_parameter(faults, network.find("velocity"), length_of(masses * dimensions, "coordinates"));
  const Value* neighbours = network.find("neighbours");
  if (neighbours != nullptr && masses > 0 && neighbours->number > static_cast<double>(masses - 1)) {
    complain(faults, *neighbours, "a mass has only " + std::to_string(masses - 1) + " others",
             "write a smaller number, or more masses");
  }
  const Value* fixed = network.find("fixed");
  if (fixed != nullptr && masses > 0 && fixed->integer > masses)
    complain(faults, *fixed, "there are only " + std::to_string(masses) + " masses",
             "write a smaller number");
}

void check_vehicle(const Value& vehicle, Faults& faults) {
  for (const char* name : {"chassis.inertia", "wheel.inertia"}) {
    const Value* inertia = vehicle.find(name);
    if (inertia == nullptr) continue;
    const std::vector<double>& moments = inertia->numbers;
    const double largest = *std::max_element(moments.begin(), moments.end());
    if (*std::min_element(moments.begin(), moments.end()) <= 0) {
      complain(faults, *inertia, "moments of inertia must be > 0", "write numbers > 0");
    } else if (2 * largest > (moments[0] + moments[1] + moments[2]) * (1 + 1e-12)) {
      complain(faults, *inertia, "violates the triangle inequality: one moment exceeds the sum of the others",
               "no distribution of mass has such an inertia");
    }
  }
}

void check_start(const Value& root, Faults& faults) {
  const Value* start = root.find("model.start");
  if (start == nullptr) return;
  const bool plain = model_source(root) == ModelKind::chain ||
                     has_word(root.find("model.lattice.coordinates"), Coordinates::scalar) ||
                     has_word(root.find("model.pendulum.formulation"), Formulation::minimal);
  if (plain)
    complain(faults, *start, "this model has no joints to assemble and begins as it is given",
             "leave it out");
}

}  // namespace

void check_generator_rules(const Value& root, Faults& faults) {
  if (const Value* pendulum = root.find("model.pendulum")) check_pendulum(*pendulum, faults);
  if (const Value* lattice = root.find("model.lattice")) check_lattice(root, *lattice, faults);
  if (const Value* network = root.find("model.network")) check_network(*network, faults);
  if (const Value* vehicle = root.find("model.vehicle")) check_vehicle(*vehicle, faults);
  check_start(root, faults);
}

ModelLabels model_labels(const Value& root) {
  ModelLabels labels;
  const std::optional<ModelKind> source = model_source(root);
  const Value* model = root.find("model");
  const Value* given = any_member(root, "model");
  labels.none = any_member(root, "subsystems") != nullptr &&
                (given == nullptr || (model != nullptr && !describes(*model)));
  if (!source || model->find(word_of(*source)) == nullptr) return labels;
  const Value& described = *model->find(word_of(*source));
  labels.chain = source == ModelKind::chain;
  if (labels.chain || source == ModelKind::network) labels.bodies = integer_at(described, "masses");
  if (labels.chain && labels.bodies > 0) labels.elements = labels.bodies + 1;
  if (source == ModelKind::pendulum) labels.bodies = integer_at(described, "links");
  if (source == ModelKind::lattice) labels.bodies = lattice_bodies(described);
  if (source == ModelKind::four_bars) labels.bodies = 2 * integer_at(described, "loops") + 1;
  if (source != ModelKind::bodies) return labels;

  labels.named = true;
  labels.bodies = static_cast<std::int64_t>(described.items.size());
  for (const Value& entry : described.items) {
    if (const Value* name = entry.find("name")) labels.body_names.push_back(name->word);
  }
  std::size_t compliant = 0;
  if (const Value* joints = model->find("joints")) {
    for (const Value& entry : joints->items) {
      const bool element = entry.find("compliant") != nullptr;
      compliant += element ? 1 : 0;
      const Value* name = entry.find("name");
      if (name != nullptr) (element ? labels.element_names : labels.constraint_names).push_back(name->word);
    }
  }
  const Value* elements = model->find("elements");
  if (elements != nullptr) {
    for (const Value& entry : elements->items) {
      if (const Value* name = entry.find("name")) labels.element_names.push_back(name->word);
    }
  }
  labels.elements = static_cast<std::int64_t>((elements != nullptr ? elements->items.size() : 0) + compliant);
  return labels;
}

}  // namespace cosimo::config
