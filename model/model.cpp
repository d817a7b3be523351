#include "model/model.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/check.hpp"
#include "mechanics/minimal_pendulum.hpp"

namespace cosimo {

namespace {

/// FNV-1a over words of 64 bits, closed by a bit mixer: a single changed word always changes the digest.
class Digest {
 public:
  void add(std::uint64_t word) { state_ = (state_ ^ word) * 0x100000001b3ULL; }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value + 0.0)); }  // -0.0 counts as 0.0
  void add(BodyId body) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(body.value))); }
  /// By value: a single number and an array of equal ones are the same model.
  void add(const Field& field, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(field[i]);
  }
  std::uint64_t value() const {
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

void add(Digest& digest, const Bodies& bodies) {
  digest.add(static_cast<std::uint64_t>(bodies.count));
  digest.add(bodies.mass, bodies.count);
  for (const double x : bodies.x) digest.add(x);
  for (const double v : bodies.v) digest.add(v);
}

void add(Digest& digest, const SpringDampers& elements) {
  const std::size_t n = elements.count();
  digest.add(static_cast<std::uint64_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    digest.add(elements.from[i]);
    digest.add(elements.to[i]);
  }
  for (const Field* field : {&elements.c, &elements.d, &elements.C, &elements.D}) digest.add(*field, n);
  digest.add(elements.ex);
  digest.add(elements.ev);
}

void add(Digest& digest, const Loads& loads) {
  digest.add(static_cast<std::uint64_t>(loads.harmonic.size()));
  for (const Harmonic& load : loads.harmonic) {
    digest.add(load.body);
    for (const double value : {load.amplitude, load.omega, load.phase}) digest.add(value);
  }
  digest.add(static_cast<std::uint64_t>(loads.contact.size()));
  for (const Contact& load : loads.contact) {
    digest.add(load.body);
    for (const double value : {load.A, load.B}) digest.add(value);
  }
  digest.add(static_cast<std::uint64_t>(loads.impulse.size()));
  for (const Impulse& load : loads.impulse) {
    digest.add(load.body);
    for (const double value : {load.amplitude, load.start, load.duration, load.steepness}) digest.add(value);
  }
  digest.add(static_cast<std::uint64_t>(loads.powersine.size()));
  for (const PowerSine& load : loads.powersine) {
    digest.add(load.body);
    for (const double value : {load.amplitude, load.omega, load.phase, load.exponent}) digest.add(value);
  }
}

/// Parameters of elements and constraints are theirs; what they do at two made-up states tells them apart.
void add(Digest& digest, const Mechanism& mechanism) {
  const auto add_numbers = [&](const auto& matrix) {
    for (Eigen::Index i = 0; i < matrix.size(); ++i) digest.add(matrix.data()[i]);
  };
  const auto add_text = [&](std::string_view text) {
    for (const char c : text) digest.add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  };
  for (const Body& body : mechanism.bodies) {
    add_text(body.name);
    digest.add(static_cast<std::uint64_t>(body.kind));
    digest.add(body.mass);
    add_numbers(body.inertia);
    add_numbers(body.reference);
  }
  add_numbers(mechanism.gravity);
  const auto made_up = [](double seed) {
    Frame frame;
    frame.r = {0.31 * seed, -0.17 * seed, 0.23 + 0.1 * seed};
    frame.R = Eigen::AngleAxisd(0.7 * seed, Vec3(1, -2, 3).normalized()).toRotationMatrix();
    frame.v = {-0.4, 0.3 * seed, 0.9};
    frame.w = {0.2 * seed, 0.6, -0.5};
    return frame;
  };
  for (const auto& element : mechanism.elements) {
    add_text(element->name);
    add_text(element->kind());
    for (const Marker* marker : {&element->at_from, &element->at_to}) {
      digest.add(marker->body);
      add_numbers(marker->point);
      add_numbers(marker->axes);
    }
    for (const double seed : {1.0, 1.7}) {
      Effort effort;
      digest.add(
          static_cast<std::uint64_t>(element->effort(0.37 * seed, made_up(seed), made_up(2 - seed), effort)));
      add_numbers(effort.force);
      add_numbers(effort.torque_from);
      add_numbers(effort.torque_to);
    }
  }
  for (const auto& constraint : mechanism.constraints) {
    add_text(constraint->name);
    add_text(constraint->kind());
    std::vector<Frame> frames;
    for (const BodyId body : constraint->bodies()) {
      digest.add(body);
      frames.push_back(made_up(0.6 + static_cast<double>(frames.size())));
    }
    RowVector g;
    for (const double t : {0.0, 0.37}) {
      constraint->residual(t, frames, g);
      add_numbers(g);
    }
  }
}

}  // namespace

std::size_t element_count(const Model& model) {
  return model.mechanism ? model.mechanism->elements.size() : model.elements.count();
}

ElementEnds ends_of(const Model& model, ElementId element) {
  if (!model.mechanism) return {model.elements.from[element.index()], model.elements.to[element.index()]};
  const ForceElement& e = *model.mechanism->elements[element.index()];
  return {e.at_from.body, e.at_to.body};
}

std::string body_name(const Model& model, BodyId body) {
  if (body == ground) return "ground";
  if (model.mechanism) return model.mechanism->bodies[body.index()].name;
  return "body " + std::to_string(body.label());
}

std::string element_name(const Model& model, ElementId element) {
  if (model.mechanism) return model.mechanism->elements[element.index()]->name;
  return "element " + std::to_string(element.label());
}

std::string cut_name(const Model& model, ElementId element) {
  const auto [from, to] = ends_of(model, element);
  const std::string name = element_name(model, element) + " between ";
  if (model.mechanism) return name + body_name(model, from) + " and " + body_name(model, to);
  return name + "bodies " + std::to_string(from.label()) + " and " + std::to_string(to.label());
}

std::vector<std::int32_t> joined_groups(const Model& model) {
  std::vector<std::int32_t> group(model.bodies.count);
  if (model.pendulum) return group;
  std::iota(group.begin(), group.end(), 0);
  if (!model.mechanism) return group;
  const auto root = [&](std::int32_t body) {
    while (group[static_cast<std::size_t>(body)] != body) {
      std::int32_t& up = group[static_cast<std::size_t>(body)];
      up = group[static_cast<std::size_t>(up)];
      body = up;
    }
    return body;
  };
  for (const auto& constraint : model.mechanism->constraints) {
    const auto bodies = constraint->bodies();
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      const std::int32_t a = root(bodies[0].value), b = root(bodies[i].value);
      group[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = root(static_cast<std::int32_t>(i));
  // Roots are the smallest bodies of their groups: number them in that order.
  std::vector<std::int32_t> number(group.size(), -1);
  std::int32_t next = 0;
  for (std::int32_t& g : group) {
    std::int32_t& n = number[static_cast<std::size_t>(g)];
    if (n < 0) n = next++;
    g = n;
  }
  return group;
}

EffortMask coupling_components(const Model& model, ElementId element) {
  if (!model.mechanism) return EffortMask{1};
  const ForceElement& e = *model.mechanism->elements[element.index()];
  const auto& bodies = model.mechanism->bodies;
  const BodyId from = e.at_from.body == ground ? e.at_to.body : e.at_from.body;
  const BodyId to = e.at_to.body == ground ? e.at_from.body : e.at_to.body;
  return e.components() & felt_by(bodies[from.index()].kind, bodies[to.index()].kind);
}

Model make_model(std::shared_ptr<const Mechanism> mechanism, std::vector<double> x, std::vector<double> v) {
  Model model;
  model.bodies.count = mechanism->bodies.size();
  model.bodies.first = mechanism->coordinate_offsets();
  COSIMO_CHECK(x.size() == model.bodies.first.back() && v.size() == x.size(), "initial state of a mechanism");
  std::vector<double> mass;
  for (const Body& body : mechanism->bodies) mass.push_back(body.mass);
  model.bodies.mass = Field(std::move(mass));
  model.bodies.x = std::move(x);
  model.bodies.v = std::move(v);
  model.mechanism = std::move(mechanism);
  return model;
}

std::uint64_t hash(const Model& model) {
  Digest digest;
  add(digest, model.bodies);
  add(digest, model.elements);
  add(digest, model.loads);
  if (model.mechanism) add(digest, *model.mechanism);
  if (model.pendulum) {
    const MinimalPendulum::Parameters& p = model.pendulum->parameters();
    for (const double value : {p.gravity, p.length, p.mass}) digest.add(value);
  }
  return digest.value();
}

}  // namespace cosimo
