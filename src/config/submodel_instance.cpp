#include "config/submodel_instance.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "config/choices.hpp"
#include "config/contacts.hpp"
#include "config/sensors.hpp"
#include "config/tree_walk.hpp"

namespace cosimo::config {

namespace {

bool is_scalar(const Node* node) {
  return node != nullptr && node->kind == Node::Kind::scalar;
}

template <class Each>
void each(Node& part, const char* list, Each visit) {
  Node* entries = find_key(part, list);
  if (entries == nullptr || entries->kind != Node::Kind::list) return;
  for (Node& entry : entries->items)
    if (entry.kind == Node::Kind::map) visit(entry);
}

/// A point with the offset added, entry by entry.
void add(Node& point, const Node& offset) {
  const auto one = [](Node& number, const Node& more) {
    if (number.kind != Node::Kind::scalar) return;
    number.text = "(" + more.text + ")+(" + number.text + ")";
    number.quoted = true;
  };
  if (point.kind == Node::Kind::scalar) return one(point, offset.items[0]);
  for (std::size_t i = 0; i < std::min(point.items.size(), offset.items.size()); ++i)
    one(point.items[i], offset.items[i]);
}

Node padded(const Node& offset, std::size_t entries) {
  Node position = offset;
  Node zero = offset.items[0];
  zero.text = "0";
  position.items.resize(entries, zero);
  return position;
}

void shift_body(Node& body, const Node& offset) {
  if (Node* position = find_key(body, "position")) return add(*position, offset);
  const Node *kind = body.find("kind"), *dimensions = body.find("dimensions");
  std::size_t entries = is_scalar(kind) && kind->text == word_of(BodyKind::planar) ? 2 : 3;
  if (is_scalar(dimensions) && (dimensions->text == "1" || dimensions->text == "2"))
    entries = dimensions->text == "1" ? 1 : 2;
  put_key(body, "position", padded(offset, entries));
}

void shift_ground(Node& shape, const Node& offset) {
  if (Node* position = find_key(shape, "position")) return add(*position, offset);
  put_key(shape, "position", padded(offset, 3));
}

/// Points in space, those of the ground among them. Without any, the point of an element, or of a distance,
/// is the origin. What acts in a joint has none.
void shift_connection(Node& entry, const Node& offset, bool element) {
  if (entry.find("joint") != nullptr || entry.find("joints") != nullptr) return;
  if (Node* at = find_key(entry, "at")) return add(*at, offset);
  const Node* kind = entry.find("kind");
  const bool distance = is_scalar(kind) && kind->text == word_of(JointKind::distance);
  for (const auto& [end, point] : {std::pair{"from", "at_from"}, {"to", "at_to"}}) {
    const Node* body = entry.find(end);
    if (body != nullptr && body->text != "ground") continue;
    if (Node* at = find_key(entry, point)) {
      if (at->kind == Node::Kind::list) add(*at, offset);
    } else if ((element || distance) && entry.find("body") == nullptr) {
      put_key(entry, point, offset);
    }
  }
}

/// The stations of a rope are points as those of elements.
void shift_rope(Node& rope, const Node& offset) {
  each(rope, "path", [&](Node& station) {
    if (Node* at = find_key(station, "at")) return add(*at, offset);
    const Node* body = station.find("body");
    if (body != nullptr && body->text != "ground") return;
    if (Node* at = find_key(station, "at_body")) {
      if (at->kind == Node::Kind::list) add(*at, offset);
    } else {
      put_key(station, "at", offset);
    }
  });
}

}  // namespace

SubmodelInstance::SubmodelInstance(Node& part, std::string name, const Parameters& parameters,
                                   std::unordered_map<std::string, std::string> joined)
    : part_(part), name_(std::move(name)), parameters_(parameters), joined_(std::move(joined)) {
  for (const char* list : {"bodies", "ground", "joints", "elements", "ropes"})
    each(part_, list, [&](Node& entry) {
      if (const Node* own = entry.find("name"); is_scalar(own)) own_.insert(own->text);
    });
  for (const char* list : {"bodies", "ground"})
    each(part_, list, [&](Node& entry) {
      if (const Node* own = entry.find("name"); is_scalar(own)) touching_.push_back(own->text);
    });
  each(part_, "curves", [&](Node& entry) {
    if (Node* own = find_key(entry, "name"); is_scalar(own)) curves_.insert(own->text);
  });
}

void SubmodelInstance::rename() {
  TreeVisitor visitor;
  visitor.number = [&](Node& node, std::span<const std::string> variables) {
    node.text = with_values(node.text, variables);
  };
  visitor.name = [&](Node& node, std::string_view key) {
    node.text = key == "name" ? name_ + "." + node.text : renamed(node.text);
  };
  for (const char* list : {"bodies", "joints", "elements", "ropes", "ground"})
    if (Node* entries = find_key(part_, list)) walk(*entries, forms_of_model_key(list), list, visitor);
  each_coordinate(part_, [&](std::string& owner) { owner = renamed(owner); });
  visitor.name = [&](Node& node, std::string_view key) {
    node.text = key == "name" ? name_ + "." + node.text : pattern(node.text);
  };
  if (Node* entries = find_key(part_, "contacts"))
    walk(*entries, forms_of_model_key("contacts"), "contacts", visitor);
  visitor.name = [&](Node& node, std::string_view) { node.text = curve_name(node.text); };
  if (Node* entries = find_key(part_, "curves"))
    walk(*entries, forms_of_model_key("curves"), "curves", visitor);
}

void SubmodelInstance::shift(const Node& offset) {
  each(part_, "bodies", [&](Node& body) { shift_body(body, offset); });
  each(part_, "ground", [&](Node& shape) { shift_ground(shape, offset); });
  each(part_, "ropes", [&](Node& rope) { shift_rope(rope, offset); });
  for (const char* list : {"joints", "elements"})
    each(part_, list,
         [&](Node& entry) { shift_connection(entry, offset, list == std::string_view("elements")); });
}

std::string SubmodelInstance::with_values(const std::string& text,
                                          std::span<const std::string> variables) const {
  return with_names_replaced(text, [&](const std::string& name) -> std::optional<std::string> {
    if (std::ranges::find(variables, name) != variables.end()) return std::nullopt;
    if (curves_.contains(name)) return curve_name(name);
    return parameters_.value_text(name);
  });
}

/// The longest beginning before a dot that is a name of the file, or of `join`; else it is a name outside.
std::string SubmodelInstance::renamed(const std::string& text) {
  for (std::size_t end = text.size(); end != std::string::npos && end > 0; end = text.rfind('.', end - 1)) {
    const std::string head = text.substr(0, end);
    if (const auto other = joined_.find(head); other != joined_.end()) {
      met_.insert(head);
      return other->second + text.substr(end);
    }
    if (own_.contains(head)) return name_ + "." + text;
  }
  if (text != "ground") outer_.insert(text);
  return text;
}

/// Who touches: what fits a name of the file is of this instance alone; else it is a name as any other.
std::string SubmodelInstance::pattern(const std::string& text) {
  if (text != "ground" && !joined_.contains(text) &&
      std::ranges::any_of(touching_, [&](const std::string& own) { return matches(text, own); }))
    return name_ + "." + text;
  return renamed(text);
}

}  // namespace cosimo::config
