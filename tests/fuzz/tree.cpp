#include "tree.hpp"

#include <yaml-cpp/yaml.h>

namespace cosimo::fuzz {
namespace {

Tree from(const YAML::Node& node) {
  Tree tree;
  if (node.IsMap()) {
    tree.kind = Tree::Kind::map;
    for (const auto& pair : node) tree.branches.push_back({pair.first.Scalar(), from(pair.second)});
  } else if (node.IsSequence()) {
    tree.kind = Tree::Kind::list;
    for (const auto& item : node) tree.branches.push_back({"", from(item)});
  } else if (node.IsScalar()) {
    // Quotation marks matter: a formula with a comma, a number that is meant as a word.
    tree.text = node.Tag() == "!" ? '"' + node.Scalar() + '"' : node.Scalar();
  }
  return tree;
}

void write_flow(const Tree& tree, std::string& out) {
  if (tree.kind == Tree::Kind::scalar) {
    out += tree.text;
    return;
  }
  const bool map = tree.kind == Tree::Kind::map;
  out += map ? '{' : '[';
  for (std::size_t i = 0; i < tree.branches.size(); ++i) {
    if (i > 0) out += ", ";
    if (map) out += tree.branches[i].key + ": ";
    write_flow(tree.branches[i].value, out);
  }
  out += map ? '}' : ']';
}

/// Sections and their keys have lines of their own, the rest is short enough for one.
void write_block(const Tree& tree, int depth, std::string& out) {
  const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
  for (const Branch& branch : tree.branches) {
    out += indent + branch.key + ":";
    if (branch.value.kind == Tree::Kind::map && !branch.value.branches.empty() && depth < 2) {
      out += '\n';
      write_block(branch.value, depth + 1, out);
    } else {
      out += ' ';
      write_flow(branch.value, out);
      out += '\n';
    }
  }
}

void collect(Tree& tree, std::vector<Place>& found) {
  for (std::size_t i = 0; i < tree.branches.size(); ++i) {
    found.push_back({&tree, i});
    collect(tree.branches[i].value, found);
  }
}

}  // namespace

Tree parse(const std::string& text) {
  return from(YAML::Load(text));
}

std::string to_text(const Tree& tree) {
  std::string out;
  if (tree.kind == Tree::Kind::map)
    write_block(tree, 0, out);
  else
    write_flow(tree, out);
  return out;
}

std::vector<Place> places(Tree& tree) {
  std::vector<Place> found;
  collect(tree, found);
  return found;
}

}  // namespace cosimo::fuzz
