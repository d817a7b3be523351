// Measured data in the place of a formula: `{table: {file: quake.csv, x: t, y: ag}}`, which becomes a curve
// of the model that has no name of the user's, and a call of it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/faults.hpp"
#include "config/form.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

/// Of `node` beside its forms; `path` is its own. The curves go into `model`, each with the place of its
/// table as its text, which is the path that messages name.
void expand_tables(Node& node, std::span<const Form> forms, const std::string& path, Node& model,
                   Faults& faults);
/// Of bodies, joints and elements of a model or of a file of one.
void expand_tables(Node& model, Faults& faults);

/// What the user wrote for this key of a curve: another one where the curve was made of a table.
std::string_view key_of_table(const Node& curve, std::string_view key);

}  // namespace cosimo::config
