#include "config/apply_units.hpp"

#include <utility>

#include "config/definition.hpp"
#include "config/number.hpp"
#include "config/quantity.hpp"
#include "config/tree_walk.hpp"
#include "config/unit_converter.hpp"

namespace cosimo::config {

namespace {

void mark_quantities(const Node* parameters, FileUnits& file) {
  if (parameters == nullptr || parameters->kind != Node::Kind::map) return;
  for (std::size_t i = 0; i < parameters->keys.size(); ++i) {
    const Node& item = parameters->items[i];
    const auto quantity = item.kind == Node::Kind::scalar ? split_quantity(item.text) : std::nullopt;
    if (!quantity) continue;
    const auto unit = parse_unit(quantity->unit);
    if (const Unit* known = std::get_if<Unit>(&unit))
      file.quantities.emplace(parameters->keys[i].text, known->dimension);
  }
}

}  // namespace

FileUnits Units::apply(Node& root) {
  FileUnits file;
  if (root.kind != Node::Kind::map) return file;
  if (const Node* units = find_key(root, "units")) {
    file.plain = read_unit_system(*units, faults_);
    stated_ = true;
  }
  inside_ = file.plain.coherent();
  Node* const model = find_key(root, "model");
  const bool map = model != nullptr && model->kind == Node::Kind::map;
  if (map) mark_quantities(find_key(*model, "parameters"), file);
  UnitConverter converter({file.plain, file.plain, inside_}, map ? find_key(*model, "joints") : nullptr,
                          faults_);
  converter.convert(root, scenario_definition().keys);
  stated_ = stated_ || converter.met_quantity();
  return file;
}

FileUnits Units::apply_part(Node& part, const FileUnits& user, bool shares_parameters) {
  FileUnits file;
  file.plain = user.plain;
  UnitConverter::Systems systems{user.plain, user.plain, inside_};
  if (const Node* units = find_key(part, "units")) {
    file.plain = systems.file = systems.parameters = read_unit_system(*units, faults_);
    if (shares_parameters) systems.parameters = user.plain;
    stated_ = true;
    systems.own = true;
    remove_key(part, "units");
  }
  mark_quantities(find_key(part, "parameters"), file);
  UnitConverter converter(systems, find_key(part, "joints"), faults_);
  if (const Node* own = find_key(part, "parameters"); own != nullptr && !shares_parameters)
    for (const Node& key : own->keys) converter.know(key.text);
  if (const Node* own = find_key(part, "curves"))
    for (const Node& curve : own->items)
      if (const Node* name = curve.kind == Node::Kind::map ? curve.find("name") : nullptr)
        converter.know(name->text);
  converter.convert(part, scenario_definition().find("model")->forms[0].keys);
  stated_ = stated_ || converter.met_quantity();
  return file;
}

void Units::write(Node& root) const {
  if (!stated_ || root.kind != Node::Kind::map || !faults_.empty()) return;
  const Node* given = find_key(root, "units");
  if (given != nullptr && given->kind == Node::Kind::map)
    for (const Node& key : given->keys)
      if (scenario_definition().find("units")->forms[1].find(key.text) == nullptr) return;
  put_key(root, "units", unit_system_node(inside_, given != nullptr ? given->position : root.position));
}

double Units::handed_down(double number, const std::string& parameter, const FileUnits& from,
                          const FileUnits& to) const {
  const auto found = to.quantities.find(parameter);
  if (found == to.quantities.end()) return number;
  return convert(number, from.plain.of(found->second), to.plain.of(found->second));
}

bool Units::to_number(Node& node, const std::string& field, const FileUnits& file) {
  const auto quantity = node.kind == Node::Kind::scalar ? split_quantity(node.text) : std::nullopt;
  if (!quantity) return false;
  stated_ = true;
  if (const auto unit = checked_unit(quantity->unit, node, field, faults_))
    write_converted(node, *quantity, *unit, file.plain.of(unit->dimension), field, faults_);
  return true;
}

}  // namespace cosimo::config
