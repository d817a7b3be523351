#include "config/yaml_tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "config/text_check.hpp"

namespace cosimo::config {

namespace {

std::size_t count_values(const Node& node) {
  std::size_t n = 1;
  for (const Node& key : node.keys) n += count_values(key);
  for (const Node& item : node.items) n += count_values(item);
  return n;
}

bool is_merge(const Node& key) {
  return key.text == "<<" && !key.quoted;
}

/// The maps that the value of a merge key names, the strongest first.
std::vector<Node> merged_maps(Node&& value, const Node& key, Faults& faults) {
  std::vector<Node> maps;
  if (value.kind == Node::Kind::list)
    maps = std::move(value.items);
  else
    maps.push_back(std::move(value));
  for (const Node& map : maps)
    if (map.kind != Node::Kind::map)
      faults.fatal(map.kind == Node::Kind::null ? key.position : map.position, "<<", to_text(map),
                   {"is not a section",
                    "write `<<: *name` or `<<: [*name, *other]` with names of sections, marked by `&name`"});
  return maps;
}

/// Carries out the merge key of a map. Merged keys take its place; a key of the map itself that overrides one
/// of them comes there as well, so that parameters follow those they are computed from.
void merge_keys(Node& map, Faults& faults) {
  const auto merge = std::find_if(map.keys.begin(), map.keys.end(), is_merge);
  if (merge == map.keys.end()) return;
  if (const auto second = std::find_if(merge + 1, map.keys.end(), is_merge); second != map.keys.end())
    faults.fatal(second->position, "<<", "",
                 {"the key is given a second time", "write one list: `<<: [*name, *other]`"});
  const auto place = static_cast<std::size_t>(merge - map.keys.begin());
  std::vector<Node> maps = merged_maps(std::move(map.items[place]), *merge, faults);

  std::vector<Node> keys, items;
  std::unordered_set<std::string> known;
  std::vector<bool> taken(map.keys.size(), false);
  const auto take = [&](Node& from, std::size_t i) {
    keys.push_back(std::move(from.keys[i]));
    items.push_back(std::move(from.items[i]));
  };
  std::unordered_map<std::string, std::size_t> later;  // keys of the map itself that override
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    if (i < place) known.insert(map.keys[i].text);
    if (i > place) later.emplace(map.keys[i].text, i);
  }
  for (std::size_t i = 0; i < place; ++i) take(map, i);
  for (Node& from : maps) {
    for (std::size_t i = 0; i < from.keys.size(); ++i) {
      if (!known.insert(from.keys[i].text).second) continue;
      const auto own = later.find(from.keys[i].text);
      if (own == later.end()) {
        take(from, i);
      } else {
        taken[own->second] = true;
        take(map, own->second);
      }
    }
  }
  for (std::size_t i = place + 1; i < map.keys.size(); ++i)
    if (!taken[i]) take(map, i);
  map.keys = std::move(keys);
  map.items = std::move(items);
}

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(int source, Faults& faults) : source_(source), faults_(faults) {}

  Node take() { return std::move(root_); }

  /// The innermost list or map that was begun and not ended: where a truncated file broke off.
  Position innermost_open() const { return open_.empty() ? Position{source_, 0, 0} : open_.back().position; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) return;
    faults_.fatal(
        at(mark), "", "",
        {"a second document begins here",
         "one file holds one scenario: check for a stray `---`, `...` or text at the wrong indentation"});
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node = made(Node::Kind::null, mark);
    // yaml-cpp points to the token after the gap; people look at the key before it.
    if (!open_.empty() && awaits_value(open_.back())) node.position = open_.back().keys.back().position;
    place(std::move(node), anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    Node node = made(Node::Kind::scalar, mark);
    node.text = value;
    node.quoted = tag == "!";
    place(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      faults_.fatal(at(mark), "", "", {"an alias is inside the value it names", "write the value itself"});
    }
    const std::size_t n = count_values(found->second);
    aliased_ += n;
    if (aliased_ > max_aliased) {
      faults_.fatal(at(mark), "", "",
                    {"aliases repeat more than " + std::to_string(max_aliased) + " values",
                     "describe long rows of numbers by {ramp: ...}, {blocks: ...} or {uniform: ...}"});
    }
    count(mark, n);
    place(Node(found->second), 0);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(Node::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(Node::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { end(); }

 private:
  Position at(const YAML::Mark& mark) const { return {source_, mark.line + 1, mark.column + 1}; }

  static bool awaits_value(const Node& node) {
    return node.kind == Node::Kind::map && node.keys.size() > node.items.size();
  }

  void count(const YAML::Mark& mark, std::size_t n) {
    values_ += n;
    if (values_ <= max_values) return;
    faults_.fatal(at(mark), "", "",
                  {"the file holds more than " + std::to_string(max_values) + " values",
                   "describe long rows of numbers by {ramp: ...}, {blocks: ...} or {uniform: ...}"});
  }

  Node made(Node::Kind kind, const YAML::Mark& mark) {
    count(mark, 1);
    Node node;
    node.kind = kind;
    node.position = at(mark);
    return node;
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    faults_.fatal(at(mark), "", tag, {"tags have no meaning here", "write the value without the tag"});
  }

  void begin(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_tag(mark, tag);
    if (open_.size() == max_depth) {
      faults_.fatal(at(mark), "", "",
                    {"lists and sections are nested deeper than " + std::to_string(max_depth) + " levels",
                     "no key of a scenario lies that deep: check the brackets and the indentation"});
    }
    open_.push_back(made(kind, mark));
    open_anchors_.push_back(anchor);
  }

  void end() {
    Node node = std::move(open_.back());
    const YAML::anchor_t anchor = open_anchors_.back();
    open_.pop_back();
    open_anchors_.pop_back();
    if (node.kind == Node::Kind::map) merge_keys(node, faults_);
    place(std::move(node), anchor);
  }

  void place(Node&& node, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (Node& parent = open_.back(); parent.kind == Node::Kind::list || awaits_value(parent)) {
      parent.items.push_back(std::move(node));
    } else {
      if (node.kind != Node::Kind::scalar) {
        faults_.fatal(node.position, "", to_text(node), {"is where a key is needed", "write `key: value`"});
      }
      parent.keys.push_back(std::move(node));
    }
  }

  int source_;
  Faults& faults_;
  Node root_;
  std::vector<Node> open_;
  std::vector<YAML::anchor_t> open_anchors_;
  std::map<YAML::anchor_t, Node> anchors_;
  std::size_t values_ = 0;
  std::size_t aliased_ = 0;
  int documents_ = 0;
};

/// yaml-cpp's own words for what it stumbled over, with advice in ours.
Complaint syntax_complaint(const std::string& message) {
  const auto says = [&](std::string_view part) { return message.find(part) != std::string::npos; };
  if (says("end of map flow") || says("end of sequence flow") || says("EOF")) {
    return {"the file ends before what begins here is closed (" + message + ")",
            "close the bracket or the quotation mark; the file may be truncated"};
  }
  if (says("illegal map value") || says("end of map not found") || says("end of sequence not found")) {
    return {"not valid YAML (" + message + ")",
            "check the indentation of this line and the one before, and write `key: value` with one colon"};
  }
  if (says("anchor"))
    return {"not valid YAML (" + message + ")", "write the value itself instead of an alias"};
  return {"not valid YAML (" + message + ")", "check quotation marks, brackets and indentation here"};
}

void append_text(const Node& node, std::string& out) {
  constexpr std::size_t enough = 80;
  if (node.kind == Node::Kind::scalar) {
    out += node.quoted ? '"' + node.text + '"' : node.text;
  }
  if (node.kind == Node::Kind::list || node.kind == Node::Kind::map) {
    const bool is_map = node.kind == Node::Kind::map;
    out += is_map ? '{' : '[';
    for (std::size_t i = 0; i < node.items.size() && out.size() < enough; ++i) {
      if (i > 0) out += ", ";
      if (is_map) out += node.keys[i].text + ": ";
      append_text(node.items[i], out);
    }
    out += is_map ? '}' : ']';
  }
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

Node parse_yaml(std::string_view text, int source, Faults& faults) {
  std::istringstream stream{std::string(checked_text(text, source, faults))};
  TreeBuilder builder(source, faults);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    Complaint complaint = syntax_complaint(error.msg);
    Position position{source, error.mark.line + 1, error.mark.column + 1};
    if (complaint.problem.starts_with("the file ends") && builder.innermost_open().line > 0) {
      position = builder.innermost_open();
    }
    faults.fatal(position, "", "", std::move(complaint));
  }
  return builder.take();
}

std::string to_text(const Node& node) {
  std::string out;
  append_text(node, out);
  return out;
}

}  // namespace cosimo::config
