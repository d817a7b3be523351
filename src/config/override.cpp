#include "config/override.hpp"

#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/number.hpp"

namespace cosimo::config {

namespace {

/// The command line has no lines.
void set_source(Node& node, int source) {
  node.position = {source, 0, 0};
  for (Node& key : node.keys) set_source(key, source);
  for (Node& item : node.items) set_source(item, source);
}

Node make_node(Node::Kind kind, std::string_view text, int source) {
  Node node;
  node.kind = kind;
  node.text = text;
  node.position = {source, 0, 0};
  return node;
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t dot = path.find('.');
    parts.push_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    path.remove_prefix(dot + 1);
  }
}

class Setter {
 public:
  Setter(std::string_view field, int source, Faults& faults)
      : field_(field), source_(source), faults_(faults) {}

  void set(Node& root, Node value) {
    const std::vector<std::string_view> parts = split(field_);
    Node* node = &root;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) node = &child(*node, parts[i]);
    if (value.kind == Node::Kind::null) {
      remove(*node, parts.back());
    } else {
      child(*node, parts.back()) = std::move(value);
    }
  }

 private:
  /// The child of that name, made when it is missing. A single value on the way becomes a section.
  Node& child(Node& parent, std::string_view name) {
    if (name.empty()) complain("the key has an empty part", "write section.key=value");
    const bool numbered = std::holds_alternative<std::int64_t>(parse_integer(name));  // no key is a number
    if (parent.kind == Node::Kind::null && numbered) parent = make_node(Node::Kind::list, "", source_);
    if (parent.kind == Node::Kind::list) {
      const std::size_t i = index(parent, name, parent.items.size() + 1);
      if (i == parent.items.size()) parent.items.push_back(make_node(Node::Kind::null, "", source_));
      return parent.items[i];
    }
    if (parent.kind != Node::Kind::map) parent = make_node(Node::Kind::map, "", source_);
    for (std::size_t i = 0; i < parent.keys.size(); ++i) {
      if (parent.keys[i].text == name) return parent.items[i];
    }
    parent.keys.push_back(make_node(Node::Kind::scalar, name, source_));
    parent.items.push_back(make_node(Node::Kind::null, "", source_));
    return parent.items.back();
  }

  void remove(Node& parent, std::string_view name) {
    using Difference = std::vector<Node>::difference_type;
    if (parent.kind == Node::Kind::list) {
      if (parent.items.empty()) complain("the list is empty", "there is nothing to remove");
      parent.items.erase(parent.items.begin() +
                         static_cast<Difference>(index(parent, name, parent.items.size())));
      return;
    }
    for (std::size_t i = parent.keys.size(); i-- > 0;) {
      if (parent.keys[i].text != name) continue;
      parent.keys.erase(parent.keys.begin() + static_cast<Difference>(i));
      parent.items.erase(parent.items.begin() + static_cast<Difference>(i));
    }
  }

  std::size_t index(const Node& list, std::string_view name, std::size_t last) {
    const auto parsed = parse_integer(name);
    const auto* i = std::get_if<std::int64_t>(&parsed);
    if (i != nullptr && *i >= 1 && static_cast<std::size_t>(*i) <= last)
      return static_cast<std::size_t>(*i - 1);
    complain("`" + std::string(name) + "` is no entry of a list of " + std::to_string(list.items.size()),
             "entries have the numbers 1 to " + std::to_string(last) + "; or set the whole list");
  }

  [[noreturn]] void complain(std::string problem, std::string remedy) {
    faults_.fatal({source_, 0, 0}, field_, "", {std::move(problem), std::move(remedy)});
  }

  std::string_view field_;
  int source_;
  Faults& faults_;
};

}  // namespace

void apply_override(Node& root, const std::string& setting, Faults& faults) {
  const int source = faults.add_source("--set " + setting);
  const std::size_t equals = setting.find('=');
  const std::string_view field = std::string_view(setting).substr(0, equals);
  if (equals == std::string::npos || field.empty() || equals + 1 == setting.size()) {
    faults.fatal(
        {source, 0, 0}, field, "",
        {"is not of the form key=value", "write, for example, control.rtol=1e-5; key=null removes a key"});
  }
  Node value = parse_yaml(std::string_view(setting).substr(equals + 1), source, faults);
  set_source(value, source);
  Setter(field, source, faults).set(root, std::move(value));
}

}  // namespace cosimo::config
