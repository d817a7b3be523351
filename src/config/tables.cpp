#include "config/tables.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/check.hpp"
#include "config/rules.hpp"
#include "config/tree_walk.hpp"

namespace cosimo::config {

namespace {

/// Keys of a table with those of a curve.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> curve_keys{
    {{"file", "file"},
     {"points", "points"},
     {"x", "time"},
     {"y", "value"},
     {"x_factor", "time_factor"},
     {"factor", "factor"},
     {"interpolate", "between"}}};

class Tables {
 public:
  Tables(Node& model, Faults& faults) : model_(model), faults_(faults) {}

  /// `place`: where the formula stands.
  void expand(Node& node, const Form& formula, const std::string& place) {
    if (node.kind != Node::Kind::map || node.keys.size() != 1 || node.keys[0].text != "table") return;
    const Node& table = node.items[0];
    if (table.kind != Node::Kind::map) return;
    if (const Node* known = model_.find("curves"); known != nullptr && known->kind != Node::Kind::list)
      return;
    const bool law = std::ranges::find(formula.words, "s") != formula.words.end();
    Node curve, call;
    curve.kind = Node::Kind::map;
    curve.text = place_ = place + ".table";
    call.kind = Node::Kind::scalar;
    curve.position = call.position = node.position;
    call.quoted = true;
    std::string of = law ? "s" : "t";
    Node name = call;
    name.quoted = false;
    name.text = free_name();
    put_key(curve, "name", name);
    for (std::size_t i = 0; i < table.keys.size(); ++i)
      if (!take(table.keys[i], table.items[i], curve, of)) {
        call.text = "0";  // so that nobody else complains
        node = std::move(call);
        return;
      }
    call.text = name.text + "(" + of + ")";
    Node* curves = find_key(model_, "curves");
    if (curves == nullptr) {
      Node list;
      list.kind = Node::Kind::list;
      list.position = node.position;
      put_key(model_, "curves", std::move(list));
      curves = find_key(model_, "curves");
    }
    curves->items.push_back(std::move(curve));
    node = std::move(call);
  }

 private:
  bool take(const Node& key, const Node& value, Node& curve, std::string& of) {
    const auto known =
        std::ranges::find(curve_keys, key.text, &std::pair<std::string_view, std::string_view>::first);
    if (known != curve_keys.end()) {
      put_key(curve, known->second, value);
    } else if (key.text == "outside") {
      put_key(curve, "before", value);
      put_key(curve, "after", value);
    } else if (key.text == "of" && value.kind == Node::Kind::scalar && is_closed(value.text)) {
      of = value.text;
    } else {
      std::vector<std::string_view> names{"of", "outside", "unit", "x_unit"};
      for (const auto& each : curve_keys) names.push_back(each.first);
      faults_.add(key.position, place_ + "." + key.text, to_text(value),
                  {key.text == "of" ? "is no formula" : "the key is not known here",
                   key.text == "of" ? "write a formula, such as `t - 1`"
                                    : name_remedy(key.text, names,
                                                  "known here: file, points, x, y, x_factor, x_unit, factor, "
                                                  "unit, interpolate, outside, of")});
      return false;
    }
    return true;
  }

  /// Not empty, and all parentheses are its own: it goes into those of the call.
  static bool is_closed(const std::string& formula) {
    int depth = 0;
    for (const char c : formula) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth < 0) return false;
    }
    return depth == 0 && formula.find_first_not_of(" \t") != std::string::npos;
  }

  /// None that the model gives to something else.
  std::string free_name() {
    const Node* parameters = model_.find("parameters");
    const Node* curves = model_.find("curves");
    const auto taken = [&](const std::string& name) {
      if (parameters != nullptr && parameters->find(name) != nullptr) return true;
      return curves != nullptr && std::ranges::any_of(curves->items, [&](const Node& curve) {
               const Node* own = curve.kind == Node::Kind::map ? curve.find("name") : nullptr;
               return own != nullptr && own->text == name;
             });
    };
    std::string name;
    do name = "table_" + std::to_string(++last_);
    while (taken(name));
    return name;
  }

  Node& model_;
  Faults& faults_;
  std::string place_;  ///< of the table at hand
  int last_ = 0;
};

void expand_entries(Node& node, std::span<const Form> forms, const std::string& path, Tables& tables) {
  const auto list = std::ranges::find(forms, Form::Kind::list, &Form::kind);
  if (node.kind == Node::Kind::list && list != forms.end()) {
    for (std::size_t i = 0; i < node.items.size(); ++i)
      expand_entries(node.items[i], list->entry, entry_path(path, i), tables);
    return;
  }
  TreeVisitor visitor;
  visitor.formula = [&](Node& at, const Form& formula, std::string_view key) {
    tables.expand(at, formula, key.empty() ? path : path + "." + std::string(key));
  };
  walk(node, forms, "", visitor);
}

}  // namespace

std::string_view key_of_table(const Node& curve, std::string_view key) {
  if (curve.text.empty()) return key;
  if (key == "before" || key == "after") return "outside";
  const auto known =
      std::ranges::find(curve_keys, key, &std::pair<std::string_view, std::string_view>::second);
  return known == curve_keys.end() ? key : known->first;
}

void expand_tables(Node& node, std::span<const Form> forms, const std::string& path, Node& model,
                   Faults& faults) {
  if (model.kind != Node::Kind::map) return;
  Tables tables(model, faults);
  expand_entries(node, forms, path, tables);
}

void expand_tables(Node& model, Faults& faults) {
  if (model.kind != Node::Kind::map) return;
  for (const char* list : {"bodies", "joints", "elements", "ropes"}) {
    Node* const found = find_key(model, list);
    if (found == nullptr) continue;
    Node entries = std::move(*found);  // curves may be added beside it
    expand_tables(entries, forms_of_model_key(list), std::string("model.") + list, model, faults);
    *find_key(model, list) = std::move(entries);
  }
}

}  // namespace cosimo::config
