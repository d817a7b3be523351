#include "config/tree_walk.hpp"

#include <algorithm>
#include <utility>

#include "config/definition.hpp"
#include "config/number.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

const Form* of_kind(std::span<const Form> forms, std::initializer_list<Kind> kinds) {
  for (const Form& form : forms)
    if (std::ranges::find(kinds, form.kind) != kinds.end()) return &form;
  return nullptr;
}

void walk_scalar(Node& node, std::span<const Form> forms, std::string_view key, const TreeVisitor& visitor) {
  const Form* words = of_kind(forms, {Kind::word});
  if (words != nullptr && std::ranges::find(words->words, node.text) != words->words.end()) return;
  if (of_kind(forms, {Kind::text}) != nullptr) return;
  if (of_kind(forms, {Kind::name}) != nullptr) return visitor.name(node, key);
  if (const Form* formula = of_kind(forms, {Kind::formula})) return visitor.number(node, formula->words);
  if (of_kind(forms, {Kind::number, Kind::integer}) != nullptr) visitor.number(node, {});
}

void walk_list(Node& node, std::span<const Form> forms, std::string_view key, const TreeVisitor& visitor) {
  if (const Form* list = of_kind(forms, {Kind::list})) {
    const bool numbered = of_kind(list->entry, {Kind::formula}) != nullptr;
    for (std::size_t i = 0; i < node.items.size(); ++i)
      walk(node.items[i], list->entry,
           numbered ? std::string(key) + "." + std::to_string(i + 1) : std::string(key), visitor);
  } else if (of_kind(forms, {Kind::numbers, Kind::integers}) != nullptr) {
    for (Node& item : node.items)
      if (item.kind == Node::Kind::scalar) visitor.number(item, {});
  }
}

void walk_map(Node& node, std::span<const Form> forms, std::string_view key, const TreeVisitor& visitor) {
  const Form* form = of_kind(forms, {Kind::section, Kind::choice, Kind::variants, Kind::settings});
  if (form == nullptr) return;
  if (form->kind == Kind::settings) {
    for (Node& item : node.items) walk(item, form->entry, key, visitor);
    return;
  }
  if (form->kind == Kind::variants) {
    const Node* kind = node.find("kind");
    form = kind != nullptr ? form->variant(kind->text) : nullptr;
    if (form == nullptr) return;
  }
  for (std::size_t i = 0; i < node.keys.size(); ++i)
    if (const Key* known = form->find(node.keys[i].text))
      walk(node.items[i], known->forms, known->name, visitor);
}

}  // namespace

void walk(Node& node, std::span<const Form> forms, std::string_view key, const TreeVisitor& visitor) {
  if (const Form* formula = of_kind(forms, {Kind::formula})) visitor.formula(node, *formula, key);
  switch (node.kind) {
    case Node::Kind::null:
      break;
    case Node::Kind::scalar:
      walk_scalar(node, forms, key, visitor);
      break;
    case Node::Kind::list:
      walk_list(node, forms, key, visitor);
      break;
    case Node::Kind::map:
      walk_map(node, forms, key, visitor);
      break;
  }
}

std::span<const Form> forms_of_model_key(std::string_view key) {
  const Key* found = scenario_definition().find("model")->forms[0].find(key);
  return found != nullptr ? std::span<const Form>(found->forms) : std::span<const Form>();
}

Node* find_key(Node& map, std::string_view name) {
  for (std::size_t i = 0; i < map.keys.size(); ++i)
    if (map.keys[i].text == name) return &map.items[i];
  return nullptr;
}

void put_key(Node& map, std::string_view name, Node value) {
  if (Node* found = find_key(map, name)) {
    *found = std::move(value);
    return;
  }
  Node key;
  key.kind = Node::Kind::scalar;
  key.position = value.position;
  key.text = name;
  map.keys.push_back(std::move(key));
  map.items.push_back(std::move(value));
}

void remove_key(Node& map, std::string_view name) {
  for (std::size_t i = map.keys.size(); i-- > 0;) {
    if (map.keys[i].text != name) continue;
    map.keys.erase(map.keys.begin() + static_cast<std::ptrdiff_t>(i));
    map.items.erase(map.items.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace cosimo::config
