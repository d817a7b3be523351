// From the raw tree to checked values: every value in one of the forms that the
// definition allows, defaults filled in, members in the order of the definition.
//
//   Checked c = check(std::move(root), parameters, faults);   // collects faults, never throws
//   c.root.find("model.chain.masses")->integer       // null when absent or at fault
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "config/faults.hpp"
#include "config/form.hpp"
#include "config/parameters.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

struct Value {
  const Form* form = nullptr;  ///< how it is written; null: at fault, nothing else holds
  const Node* node = nullptr;  ///< where it stands (or its default)
  bool given = false;          ///< it stands in the file, it is not a default
  std::string path;            ///< dotted; entries of lists by number from 1

  double number = 0;
  std::int64_t integer = 0;
  bool boolean = false;
  std::string word;  ///< also a name, a text, a formula
  std::vector<double> numbers;
  std::vector<std::int64_t> integers;
  std::vector<std::string> words;  ///< names of `labels` (empty where a number stands) and of a dictionary
  std::vector<Value> items;        ///< entries of a list, members of a section
  std::vector<const Key*> keys;    ///< of a section: keys[i] belongs to items[i]

  bool ok() const { return form != nullptr; }
  bool is(Form::Kind kind) const { return form != nullptr && form->kind == kind; }
  /// Member or entry by dotted path; null when absent or at fault.
  const Value* find(std::string_view dotted) const;
};

/// Path of entry `i` (from 0) of the list at `path`: users count entries from 1.
std::string entry_path(const std::string& path, std::size_t i);

/// The word, or the name of the alternative, of a setting like `predictor`; empty for null.
std::string_view choice_name(const Value* value);

/// The nodes that values point to live here, too.
struct Checked {
  std::deque<Node> nodes;
  Value root;
};

/// `parameters` are what formulas may use in sections whose key has `arithmetic`.
Checked check(Node root, Parameters& parameters, Faults& faults);

}  // namespace cosimo::config
