// The walk; numbers and formulas are in unit_converter_values.cpp.
#include "config/unit_converter.hpp"

#include <algorithm>
#include <initializer_list>

#include "config/number.hpp"
#include "config/tree_walk.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

const Form* of_kind(std::span<const Form> forms, std::initializer_list<Kind> kinds) {
  for (const Form& form : forms)
    if (std::ranges::find(kinds, form.kind) != kinds.end()) return &form;
  return nullptr;
}

const Key* find(std::span<const Key> keys, std::string_view name) {
  const auto found = std::ranges::find(keys, name, &Key::name);
  return found != keys.end() ? &*found : nullptr;
}

bool equal(const UnitSystem& a, const UnitSystem& b) {
  for (const auto part :
       {&UnitSystem::length, &UnitSystem::mass, &UnitSystem::time, &UnitSystem::angle, &UnitSystem::force})
    if (ratio(a.*part, b.*part) != 1) return false;
  return true;
}

}  // namespace

UnitConverter::UnitConverter(const Systems& systems, const Node* joints, Faults& faults)
    : systems_(systems),
      faults_(faults),
      same_(equal(systems.file, systems.inside)),
      standard_(equal(UnitSystem{}, systems.inside)) {
  if (joints == nullptr || joints->kind != Node::Kind::list) return;
  for (const Node& joint : joints->items) {
    if (joint.kind != Node::Kind::map) continue;
    const Node *name = joint.find("name"), *kind = joint.find("kind");
    if (name != nullptr && kind != nullptr) joints_.emplace(name->text, kind->text);
  }
}

void UnitConverter::walk(Node& node, std::span<const Form> forms, std::string_view dimension) {
  switch (node.kind) {
    case Node::Kind::null:
      break;
    case Node::Kind::scalar:
      scalar(node, forms, dimension);
      break;
    case Node::Kind::list:
      list(node, forms, dimension);
      break;
    case Node::Kind::map:
      map(node, forms, dimension);
      break;
  }
}

void UnitConverter::scalar(Node& node, std::span<const Form> forms, std::string_view dimension) {
  const Form* words = of_kind(forms, {Kind::word});
  if (words != nullptr && std::ranges::find(words->words, node.text) != words->words.end()) return;
  if (of_kind(forms, {Kind::text}) != nullptr) return;  // an FMU has units of its own
  if (const Form* law = of_kind(forms, {Kind::formula})) return formula(node, *law, {dimension});
  if (of_kind(forms, {Kind::number}) != nullptr) number(node, {dimension});
}

void UnitConverter::list(Node& node, std::span<const Form> forms, std::string_view dimension) {
  const Form* entries = of_kind(forms, {Kind::list});
  const bool numbers = entries == nullptr && of_kind(forms, {Kind::numbers}) != nullptr &&
                       of_kind(forms, {Kind::text}) == nullptr;
  if (entries == nullptr && !numbers) return;
  path_.push_back({});
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    path_.back().entry = i + 1;
    Node& item = node.items[i];
    if (entries != nullptr) {
      walk(item, entries->entry, dimension);
    } else if (item.kind == Node::Kind::scalar) {
      number(item, {dimension, i, node.items.size()});
    }
  }
  path_.pop_back();
}

void UnitConverter::map(Node& node, std::span<const Form> forms, std::string_view dimension) {
  if (const Form* law = of_kind(forms, {Kind::formula})) {
    Node* inner = node.keys.size() == 1 ? find_key(node, "table") : nullptr;
    if (inner != nullptr && inner->kind == Node::Kind::map) table(*inner, *law, {dimension});
    return;
  }
  const Form* form =
      of_kind(forms, {Kind::section, Kind::choice, Kind::variants, Kind::settings, Kind::dictionary});
  if (form == nullptr) return;
  if (form->kind == Kind::dictionary) {
    if (path_.back().key == "parameters") parameters(node);  // those of `set` belong to another file
    return;
  }
  if (form->kind == Kind::settings) {
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      path_.push_back({node.keys[i].text, 0});
      walk(node.items[i], form->entry, dimension);
      path_.pop_back();
    }
    return;
  }
  if (form->kind == Kind::variants) {
    const Node* kind = node.find("kind");
    form = kind != nullptr ? form->variant(kind->text) : nullptr;
    if (form == nullptr) return;
  }
  members(node, form->keys, dimension, form->kind == Kind::section);
}

void UnitConverter::members(Node& node, std::span<const Key> keys, std::string_view dimension, bool section) {
  levels_.push_back({&node, keys});
  path_.push_back({});
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const Key* key = find(keys, node.keys[i].text);
    if (key == nullptr) continue;
    path_.back().key = key->name;
    walk(node.items[i], key->forms, key->dimension.empty() ? dimension : std::string_view(key->dimension));
  }
  if (find(keys, "time_unit") != nullptr) curve_units(node);
  if (section && (!standard_ || !same_))
    for (const Key& key : keys) fill_default(node, key);
  path_.pop_back();
  levels_.pop_back();
}

/// Defaults are in SI, and would be something else in other units.
void UnitConverter::fill_default(Node& node, const Key& key) {
  if (!key.available || key.fallback.empty() || node.find(key.name) != nullptr) return;
  if (key.name == "slip" && node.find("sticking") != nullptr) return;  // one excludes the other
  path_.back().key = key.name;
  auto found = defaults_.find(&key);
  if (found == defaults_.end()) found = defaults_.emplace(&key, converted_default(key)).first;
  if (!found->second) return;
  Node value = *found->second;
  value.position = node.position;
  for (Node& item : value.items) item.position = node.position;
  put_key(node, key.name, std::move(value));
}

/// Nothing where it stays as it is.
std::optional<Node> UnitConverter::converted_default(const Key& key) {
  Faults own("default of " + key.name);
  Node value = parse_yaml(key.fallback, 0, own);
  const std::string before = to_text(value);
  if (value.kind == Node::Kind::map) {
    walk(value, key.forms, {});
  } else if (!key.dimension.empty()) {
    Systems systems = systems_;
    if (!key.own_unit) systems.file = UnitSystem{};
    UnitConverter other(systems, nullptr, own);
    other.walk(value, key.forms, key.dimension);
  }
  return to_text(value) == before ? std::nullopt : std::optional(std::move(value));
}

void UnitConverter::parameters(Node& section) {
  path_.push_back({});
  for (std::size_t i = 0; i < section.keys.size(); ++i) {
    Node& item = section.items[i];
    const auto quantity = item.kind == Node::Kind::scalar ? split_quantity(item.text) : std::nullopt;
    if (!quantity) continue;
    met_quantity_ = true;
    path_.back().key = section.keys[i].text;
    if (const auto unit = checked_unit(quantity->unit, item, path(), faults_))
      write_converted(item, *quantity, *unit, systems_.parameters.of(unit->dimension), path(), faults_);
    else
      write_converted(item, {"1", ""}, {}, {}, path(), faults_);
  }
  path_.pop_back();
}

std::vector<std::string_view> UnitConverter::alternatives(const Place& place) const {
  if (place.dimension.empty() || place.dimension == "1") return {};
  const auto columns = split_dimension(place.dimension);
  return columns[std::min(place.entry * columns.size() / std::max<std::size_t>(place.entries, 1),
                          columns.size() - 1)];
}

std::optional<double> UnitConverter::exponent(std::string_view key) const {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    const Key* known = find(level->keys, key);
    if (known == nullptr) continue;
    const Node* given = level->map->find(key);
    const auto value = parse_number(given != nullptr ? given->text : known->fallback);
    const double* number = std::get_if<double>(&value);
    return number != nullptr ? std::optional(*number) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::size_t> UnitConverter::turning() const {
  const auto of_joint = [](std::string_view kind) -> std::optional<std::size_t> {
    if (kind == "revolute" || kind == "cylindrical") return 1;
    if (kind == "prismatic") return 0;
    return std::nullopt;
  };
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    if (const Node* measure = level->map->find("measure")) return measure->text == "angle" ? 1 : 0;
    if (const Node* joint = level->map->find("joint")) {
      const auto found = joints_.find(joint->text);
      return found != joints_.end() ? of_joint(found->second) : std::nullopt;
    }
    const Node* kind = level->map->find("kind");
    if (kind != nullptr && kind->text == "cylindrical")
      return 0;  // `start.speed` is that of its displacement
    if (const auto own = kind != nullptr ? of_joint(kind->text) : std::nullopt) return own;
    if (find(level->keys, "measure") != nullptr) return 0;  // its default is a length
  }
  return 0;
}

void UnitConverter::complain(const Node& node, std::string problem, std::string remedy) {
  faults_.add(node.position, path(), to_text(node), {std::move(problem), std::move(remedy)});
}

std::string UnitConverter::path() const {
  std::string out;
  for (const Step& step : path_) {
    if (!out.empty()) out += '.';
    out += step.key.empty() ? std::to_string(step.entry) : std::string(step.key);
  }
  return out;
}

}  // namespace cosimo::config
