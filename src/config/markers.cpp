#include "config/markers.hpp"

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config/check.hpp"
#include "config/choices.hpp"
#include "config/rules.hpp"
#include "config/tree_walk.hpp"

namespace cosimo::config {

namespace {

/// Keys that name a body, with those of the point on it.
constexpr std::array<std::pair<const char*, const char*>, 3> ends{
    {{"from", "at_from"}, {"to", "at_to"}, {"body", "at_body"}}};

class Placer {
 public:
  Placer(Node& model, Faults& faults) : faults_(faults) {
    bodies_.emplace("ground", find_key(model, "markers"));
    if (Node* bodies = find_key(model, "bodies")) {
      for (Node& body : bodies->items) {
        const Node* name = body.kind == Node::Kind::map ? body.find("name") : nullptr;
        if (name == nullptr) continue;
        bodies_.emplace(name->text, find_key(body, "markers"));
        const Node* kind = body.find("kind");
        if (kind != nullptr && kind->text == word_of(BodyKind::point)) points_.insert(name->text);
      }
    }
  }

  void place(Node& entry, const std::string& path) {
    for (const auto& [end, point] : ends) {
      Node* body = find_key(entry, end);
      if (body != nullptr && body->kind == Node::Kind::scalar) from_body(entry, *body, end, point, path);
      Node* at = find_key(entry, point);
      if (at != nullptr && at->kind == Node::Kind::scalar) from_point(entry, *at, end, path + "." + point);
    }
  }

 private:
  /// `arm.tip` behind `from`.
  void from_body(Node& entry, Node& body, const char* end, const char* point, const std::string& path) {
    if (bodies_.contains(body.text)) return;
    const std::size_t dot = body.text.rfind('.');
    if (dot == std::string::npos || !bodies_.contains(body.text.substr(0, dot))) return;
    const Position position = body.position;
    const std::string whole = body.text, marker = whole.substr(dot + 1);
    body.text = whole.substr(0, dot);
    const std::string owner = body.text;
    for (const char* given : {point, "at"}) {
      if (entry.find(given) == nullptr) continue;
      faults_.add(
          position, path + "." + end, whole,
          {std::string("the marker says where this is, and so does `") + given + "`", "keep one of them"});
      return;
    }
    Node place = find(owner, marker, position, path + "." + end, whole);
    put_key(entry, point, std::move(place));
  }

  /// `tip` behind `at_from`: a marker of the body that `from` names.
  void from_point(Node& entry, Node& at, const char* end, const std::string& path) {
    const Node* body = entry.find(end);
    const std::string owner = body != nullptr ? body->text : "ground";
    if (!bodies_.contains(owner)) return;
    Node place = find(owner, at.text, at.position, path, at.text);
    at = std::move(place);
  }

  /// A copy of the point. Where there is none, one that nobody complains about.
  Node find(const std::string& body, const std::string& marker, Position position, const std::string& path,
            const std::string& written) {
    Node* const markers = bodies_.at(body);
    const bool listed = markers != nullptr && markers->kind == Node::Kind::map;
    if (Node* point = listed ? find_key(*markers, marker) : nullptr)
      return point->kind == Node::Kind::list ? *point : origin(position);
    std::vector<std::string_view> known;
    if (listed)
      for (const Node& key : markers->keys) known.push_back(key.text);
    std::string names;
    for (const std::string_view name : known) names += (names.empty() ? "" : ", ") + std::string(name);
    faults_.add(position, path, written,
                {"`" + body + "` has no marker `" + marker + "`",
                 name_remedy(marker, known,
                             points_.contains(body) ? "a point mass has none: write `" + body + "` alone"
                             : names.empty()        ? "add `markers: {" + marker + ": [x, y, z]}` to it"
                                                    : "it has: " + names)});
    return origin(position);
  }

  static Node origin(Position position) {
    Node zero, out;
    zero.kind = Node::Kind::scalar;
    zero.text = "0";
    zero.position = out.position = position;
    out.kind = Node::Kind::list;
    out.items = {zero, zero, zero};
    return out;
  }

  Faults& faults_;
  std::unordered_set<std::string> points_;         ///< bodies that are point masses
  std::unordered_map<std::string, Node*> bodies_;  ///< with their markers; null: none
};

}  // namespace

void place_markers(Node& model, Faults& faults) {
  if (model.kind != Node::Kind::map || model.find("bodies") == nullptr) return;
  Placer placer(model, faults);
  const auto place_all = [&](Node& list, const std::string& path) {
    if (list.kind != Node::Kind::list) return;
    for (std::size_t i = 0; i < list.items.size(); ++i)
      if (list.items[i].kind == Node::Kind::map) placer.place(list.items[i], entry_path(path, i));
  };
  if (Node* ropes = find_key(model, "ropes"); ropes != nullptr && ropes->kind == Node::Kind::list) {
    for (std::size_t i = 0; i < ropes->items.size(); ++i)
      if (ropes->items[i].kind == Node::Kind::map)
        if (Node* path = find_key(ropes->items[i], "path"))
          place_all(*path, entry_path("model.ropes", i) + ".path");
  }
  for (const char* list : {"joints", "elements", "sensors"}) {
    if (Node* entries = find_key(model, list)) place_all(*entries, std::string("model.") + list);
  }
}

}  // namespace cosimo::config
