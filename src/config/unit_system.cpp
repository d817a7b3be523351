#include "config/unit_system.hpp"

#include <optional>
#include <utility>

#include "config/tree_walk.hpp"

namespace cosimo::config {

namespace {

/// The first of these that is as large, else the product.
std::string name_of(const Unit& unit, std::initializer_list<const char*> words, std::string product) {
  for (const char* word : words)
    if (ratio(std::get<Unit>(parse_unit(word)), unit) == 1) return word;
  return product;
}

std::string grouped(const std::string& name) {
  return name.find_first_of(" /") == std::string::npos ? name : "(" + name + ")";
}

void derive_force(UnitSystem& system) {
  system.force = system.mass * system.length / power(system.time, 2);
  const UnitNames& names = system.names;
  system.names.force =
      name_of(system.force, {"N", "kN", "mN", "MN", "uN", "dyn", "lbf", "kip", "kgf"},
              grouped(names.mass) + " " + grouped(names.length) + "/" + grouped(names.time) + "^2");
}

void derive_mass(UnitSystem& system) {
  system.mass = system.force * power(system.time, 2) / system.length;
  const UnitNames& names = system.names;
  system.names.mass =
      name_of(system.mass, {"kg", "t", "g", "slug", "lb"},
              grouped(names.force) + " " + grouped(names.time) + "^2/" + grouped(names.length));
}

class Reader {
 public:
  Reader(const Node& units, Faults& faults) : units_(units), faults_(faults) {}

  UnitSystem read() {
    if (units_.kind == Node::Kind::scalar && units_.text == "SI") return {};
    if (units_.kind != Node::Kind::map) {
      complain(units_, "units", "does not say what numbers mean",
               "write `units: SI` or `units: {length: mm, mass: t, time: s}`");
      return {};
    }
    UnitSystem out;
    const bool length = take("length", out.length, out.names.length),
               time = take("time", out.time, out.names.time), mass = take("mass", out.mass, out.names.mass);
    UnitSystem forces = out;
    const bool force = take("force", forces.force, forces.names.force);
    take("angle", out.angle, out.names.angle);
    if (!good_) return {};
    const bool any = length || time || mass || force;
    if (any && (!length || !time || (!mass && !force))) {
      complain(units_, "units", "leaves open what numbers mean",
               "give `length`, `time`, and `mass` or `force`; or none of them, which is m, s, kg and N");
      return {};
    }
    if (force && !mass) {
      out.force = forces.force;
      out.names.force = forces.names.force;
      derive_mass(out);
    } else if (force) {
      out.force = forces.force;
      out.names.force = forces.names.force;
    } else {
      derive_force(out);
    }
    return out;
  }

 private:
  void complain(const Node& node, std::string field, std::string problem, std::string remedy) {
    good_ = false;
    faults_.add(node.position, field, to_text(node), {std::move(problem), std::move(remedy)});
  }

  /// Unknown keys are left to the check against the definition.
  bool take(const std::string& key, Unit& unit, std::string& name) {
    const Node* node = units_.find(key);
    if (node == nullptr) return false;
    const std::string field = "units." + key;
    if (node->kind != Node::Kind::scalar || node->text.empty()) {
      complain(*node, field, "is no unit", "write one, such as `" + name + "`");
      return true;
    }
    const auto parsed = parse_unit(node->text);
    if (const auto* error = std::get_if<UnitError>(&parsed)) {
      complain(*node, field, error->problem, error->remedy);
    } else if (const Unit& given = std::get<Unit>(parsed); given.dimension == unit.dimension) {
      unit = given;
      name = node->text;
    } else {
      complain(*node, field, "is a unit of " + dimension_text(given.dimension) + ", not of " + key,
               "write one of " + key + ", such as `" + name + "`");
    }
    return true;
  }

  const Node& units_;
  Faults& faults_;
  bool good_ = true;
};

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t at = text.find(separator);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + separator.size());
  }
}

}  // namespace

UnitSystem UnitSystem::coherent() const {
  UnitSystem out = *this;
  out.angle = {{0, 0, 0, 1}};
  out.names.angle = "rad";
  derive_force(out);
  return out;
}

Unit UnitSystem::of(const Dimension& d) const {
  const double forces = d.mass > 0 && d.time < 0 ? d.mass : 0;
  Unit out = power(length, d.length - forces) * power(mass, d.mass - forces) *
             power(time, d.time + 2 * forces) * power(angle, d.angle) * power(force, forces);
  out.dimension = d;
  return out;
}

std::variant<Unit, UnitError> UnitSystem::of_text(std::string_view product,
                                                  const ExponentOfName& exponent) const {
  return parse_product(
      product,
      [this](std::string_view name) -> std::optional<Unit> {
        if (name == "length") return length;
        if (name == "mass") return mass;
        if (name == "time") return time;
        if (name == "angle") return angle;
        if (name == "force") return force;
        return std::nullopt;
      },
      exponent);
}

UnitSystem read_unit_system(const Node& units, Faults& faults) {
  return Reader(units, faults).read();
}

Node unit_system_node(const UnitSystem& system, Position position) {
  Node out;
  out.kind = Node::Kind::map;
  out.position = position;
  const UnitNames& names = system.names;
  for (const auto& [key, name] : {std::pair{"length", names.length},
                                  {"mass", names.mass},
                                  {"time", names.time},
                                  {"angle", names.angle}}) {
    Node value;
    value.kind = Node::Kind::scalar;
    value.position = position;
    value.text = name;
    put_key(out, key, std::move(value));
  }
  return out;
}

std::vector<std::vector<std::string_view>> split_dimension(std::string_view text) {
  std::vector<std::vector<std::string_view>> out;
  for (const std::string_view column : split(text, ", ")) out.push_back(split(column, " or "));
  return out;
}

}  // namespace cosimo::config
