#include "simulation/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "config/tree.hpp"
#include "core/error.hpp"
#include "fmi/structure.hpp"

namespace cosimo {

namespace {

using config::Node;

/// Makes nodes that know where the package says what they say.
class TreeWriter {
 public:
  explicit TreeWriter(const std::filesystem::path& file) : sources_{file.string()} {}

  std::span<const std::string> sources() const { return sources_; }

  Node map(const fmi::StructurePlace& place) { return node(Node::Kind::map, place); }
  Node list(const fmi::StructurePlace& place) { return node(Node::Kind::list, place); }
  Node text(const fmi::StructurePlace& place, std::string words) {
    Node out = node(Node::Kind::scalar, place);
    out.text = std::move(words);
    out.quoted = true;
    return out;
  }
  Node number(const fmi::StructurePlace& place, double value) {
    Node out = node(Node::Kind::scalar, place);
    out.text = fmt::format("{}", value);
    return out;
  }
  void put(Node& into, const char* key, Node value) {
    Node name = value;
    name.kind = Node::Kind::scalar;
    name.text = key;
    name.quoted = false;
    name.items.clear();
    name.keys.clear();
    into.keys.push_back(std::move(name));
    into.items.push_back(std::move(value));
  }

 private:
  Node node(Node::Kind kind, const fmi::StructurePlace& place) {
    Node out;
    out.kind = kind;
    auto found = std::find(sources_.begin(), sources_.end(), place.file);
    if (found == sources_.end()) found = sources_.insert(sources_.end(), place.file);
    out.position = {static_cast<int>(found - sources_.begin()), place.line, 1};
    return out;
  }

  std::vector<std::string> sources_;
};

Node component_node(TreeWriter& write, const fmi::Structure::Component& component) {
  Node entry = write.map(component.place);
  write.put(entry, "name", write.text(component.place, component.name));
  std::error_code failed;
  const auto whole = std::filesystem::absolute(component.fmu, failed);
  write.put(entry, "fmu", write.text(component.place, failed ? component.fmu : whole.string()));
  if (component.use)
    write.put(entry, "interface",
              write.text(component.place,
                         *component.use == fmi::Use::cosimulation ? "co-simulation" : "model-exchange"));
  if (component.set.empty()) return entry;
  Node set = write.map(component.place);
  for (const FmuValue& value : component.set) {
    const fmi::StructurePlace place{value.at.file, value.at.line};
    if (const auto* words = std::get_if<std::string>(&value.value)) {
      write.put(set, value.name.c_str(), write.text(place, *words));
      continue;
    }
    const auto& numbers = std::get<std::vector<double>>(value.value);
    Node all = write.list(place);
    for (const double each : numbers) all.items.push_back(write.number(place, each));
    write.put(set, value.name.c_str(), numbers.size() == 1 ? std::move(all.items.front()) : std::move(all));
  }
  write.put(entry, "set", std::move(set));
  return entry;
}

Node connection_node(TreeWriter& write, const fmi::Structure::Connection& connection) {
  Node entry = write.map(connection.place);
  write.put(entry, "from", write.text(connection.place, connection.from));
  write.put(entry, "to", write.text(connection.place, connection.to));
  if (connection.factor != 1) write.put(entry, "factor", write.number(connection.place, connection.factor));
  if (connection.offset != 0) write.put(entry, "offset", write.number(connection.place, connection.offset));
  return entry;
}

/// Runs begin at zero. Where the package says no end, or begins elsewhere, the user has to.
Node simulate_node(TreeWriter& write, const fmi::Structure& structure,
                   std::span<const std::string> overrides) {
  Node simulate = write.map(structure.place);
  const bool from_zero = structure.start.value_or(0) == 0;
  if (structure.stop && from_zero) {
    write.put(simulate, "end", write.number(structure.place, *structure.stop));
    return simulate;
  }
  const bool given = std::any_of(overrides.begin(), overrides.end(), [](std::string_view setting) {
    return setting.starts_with("simulate.end") || setting.starts_with("simulate=");
  });
  if (!given)
    throw Error(Fault{.file = structure.place.file,
                      .line = structure.place.line,
                      .field = "DefaultExperiment",
                      .problem = from_zero ? "the package does not say when the simulation ends (stopTime)"
                                           : "the simulation is to begin at another time than 0 (startTime)",
                      .remedy = "add `--set simulate.end=...` for a run from 0 to that time"});
  return simulate;
}

config::Scenario load_structure(const std::filesystem::path& file, std::span<const std::string> overrides) {
  const fmi::Structure structure = fmi::read_structure(file);
  TreeWriter write(file);
  Node root = write.map(structure.place);
  write.put(root, "cosimo", write.number(structure.place, 1));
  Node subsystems = write.list(structure.place), connections = write.list(structure.place);
  for (const auto& each : structure.components) subsystems.items.push_back(component_node(write, each));
  for (const auto& each : structure.connections) connections.items.push_back(connection_node(write, each));
  write.put(root, "subsystems", std::move(subsystems));
  if (!connections.items.empty()) write.put(root, "connections", std::move(connections));
  write.put(root, "simulate", simulate_node(write, structure, overrides));
  return config::read_tree(std::move(root), write.sources(), overrides);
}

}  // namespace

config::Scenario load(const std::filesystem::path& file, std::span<const std::string> overrides) {
  return fmi::is_structure(file) ? load_structure(file, overrides) : config::load_scenario(file, overrides);
}

}  // namespace cosimo
