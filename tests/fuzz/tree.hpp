// A scenario file as a tree that may be anything: keys twice, words where sections belong. yaml-cpp reads it;
// what it writes is YAML again, but need not be a scenario.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cosimo::fuzz {

struct Branch;

struct Tree {
  enum class Kind { scalar, map, list };
  Kind kind = Kind::scalar;
  std::string text;  ///< of a scalar, as it is written
  std::vector<Branch> branches;
};

struct Branch {
  std::string key;  ///< empty in lists
  Tree value;
};

/// Where a tree hangs: `parent->branches[index].value`.
struct Place {
  Tree* parent;
  std::size_t index;
  Branch& branch() const { return parent->branches[index]; }
  Tree& tree() const { return branch().value; }
};

/// Throws YAML::Exception on text that is no YAML.
Tree parse(const std::string& text);
std::string to_text(const Tree& tree);
/// Everything below `tree`, in the order of the text. Valid until branches come or go.
std::vector<Place> places(Tree& tree);

}  // namespace cosimo::fuzz
