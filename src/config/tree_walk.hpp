// Walks over a part of the raw tree beside the forms that the definition has for it, before it is checked.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "config/form.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

struct TreeVisitor {
  /// What users call something, behind this key.
  std::function<void(Node&, std::string_view key)> name = [](Node&, std::string_view) {};
  /// Numbers and arithmetic, formulas of these variables among them.
  std::function<void(Node&, std::span<const std::string> variables)> number =
      [](Node&, std::span<const std::string>) {};
  /// Where a formula of these variables may stand, whatever stands there; before `number`. The key of a
  /// formula in a list has its number, as in `force.1`.
  std::function<void(Node&, const Form&, std::string_view key)> formula = [](Node&, const Form&,
                                                                             std::string_view) {};
};

/// Whatever fits no form is left out: the check tells what is wrong with it.
void walk(Node& node, std::span<const Form> forms, std::string_view key, const TreeVisitor& visitor);

/// The forms of `model.bodies` and the like; empty: there is no such key.
std::span<const Form> forms_of_model_key(std::string_view key);

/// The value of a key of a map; null when absent.
Node* find_key(Node& map, std::string_view name);
/// Puts it there, at this position; a key that is there keeps its place.
void put_key(Node& map, std::string_view name, Node value);
void remove_key(Node& map, std::string_view name);

}  // namespace cosimo::config
