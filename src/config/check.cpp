#include "config/check.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "config/definition.hpp"
#include "config/definition_sweep.hpp"
#include "config/number.hpp"
#include "config/scalar.hpp"
#include "config/tables.hpp"
#include "core/counted.hpp"
#include "core/nearest.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

std::string joined(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

const Form* form_of(std::span<const Form> forms, std::initializer_list<Kind> kinds) {
  for (const Form& form : forms) {
    if (std::find(kinds.begin(), kinds.end(), form.kind) != kinds.end()) return &form;
  }
  return nullptr;
}

/// The sections that know a key; for keys that landed in the wrong one.
void collect_homes(const Form& form, std::string_view key, const std::string& path,
                   std::vector<std::string>& homes) {
  for (const Key& candidate : form.keys) {
    if (!candidate.available) continue;
    if (candidate.name == key) homes.push_back(path);
    for (const Form& inner : candidate.forms) {
      if (inner.kind == Kind::section) collect_homes(inner, key, joined(path, candidate.name), homes);
    }
  }
}

/// Entries of lists have kinds with keys of their own: sections elsewhere that know the key are no advice.
bool is_entry(std::string_view path) {
  const std::string_view last = path.substr(path.rfind('.') + 1);
  return !last.empty() && last.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string unknown_key_remedy(const Form& form, std::string_view name, std::string_view path) {
  std::vector<std::string_view> names;
  for (const Key& key : form.keys) names.push_back(key.name);
  if (const std::string_view near = nearest(name, names); !near.empty()) {
    const std::string quoted = "`" + std::string(near) + "`";
    return form.find(near)->available ? "did you mean " + quoted + "?"
                                      : "leave it out; " + quoted + " " + not_available;
  }
  if (path.empty() && name == sweep_definition().name)
    return "a series of runs is a file of its own, without a model: `cosimo sweep FILE`";
  if (path.empty() && name == optimise_definition().name)
    return "a search is a file of its own, without a model: `cosimo optimise FILE`";
  std::vector<std::string> homes;
  if (!is_entry(path)) collect_homes(scenario_definition(), name, "", homes);
  std::string places;
  for (const std::string& home : homes)
    places += (places.empty() ? "" : " or ") + (home.empty() ? "the outermost level" : "`" + home + "`");
  if (!places.empty()) return "it belongs to " + places;
  std::string known;
  for (const Key& key : form.keys) {
    if (key.available) known += (known.empty() ? "" : ", ") + key.name;
  }
  return "known here: " + known;
}

class Checker {
 public:
  Checker(std::deque<Node>& nodes, Parameters& parameters, Faults& faults)
      : nodes_(nodes), parameters_(parameters), faults_(faults) {}

  /// `key` is the key, and `key_node` its place, that the value stands behind; null for entries of lists.
  Value value(const Node& node, std::span<const Form> forms, const std::string& path, const Key* key,
              const Node* key_node) {
    Value out;
    out.node = &node;
    out.path = node.kind == Node::Kind::map && !node.text.empty() ? node.text : path;
    out.given = filling_ == 0;
    const std::string hint = key != nullptr ? key->hint : std::string();
    switch (node.kind) {
      case Node::Kind::null:
        complain(node, path, {"has no value", hint.empty() ? "write " + describe(forms) : hint});
        break;
      case Node::Kind::scalar:
        scalar(node, forms, hint, out);
        break;
      case Node::Kind::list:
        list(node, forms, out);
        break;
      case Node::Kind::map:
        map(node, forms, key_node != nullptr ? *key_node : node, out);
        break;
    }
    return out;
  }

 private:
  void complain(const Node& node, const std::string& path, Complaint complaint) {
    faults_.add(node.position, path, to_text(node), std::move(complaint));
  }

  void scalar(const Node& node, std::span<const Form> forms, const std::string& hint, Value& out) {
    auto read = read_scalar(node, forms, arithmetic_ ? &parameters_ : nullptr);
    if (auto* complaint = std::get_if<Complaint>(&read)) {
      if (!hint.empty()) complaint->remedy = hint;
      return complain(node, out.path, std::move(*complaint));
    }
    auto& value = std::get<Scalar>(read);
    out.form = value.form;
    out.number = value.number;
    out.integer = value.integer;
    out.boolean = value.boolean;
    out.word = std::move(value.word);
  }

  void list(const Node& node, std::span<const Form> forms, Value& out) {
    const Form* form = form_of(forms, {Kind::numbers, Kind::integers, Kind::labels, Kind::list});
    if (form == nullptr) {
      return complain(node, out.path, {"is a list, which is not possible here", "write " + describe(forms)});
    }
    const std::size_t n = node.items.size();
    if (n < form->min_items || n > form->max_items) {
      const std::string count = n == 0 ? "is an empty list" : "has " + counted(n, "entry");
      return complain(node, out.path, {count, "write " + describe(forms)});
    }
    if (form->kind == Kind::list) {
      for (std::size_t i = 0; i < n; ++i) {
        out.items.push_back(value(node.items[i], form->entry, entry_path(out.path, i), nullptr, nullptr));
      }
      out.form = form;
    } else if (numeric_entries(node, *form, out)) {
      out.form = form;
    }
  }

  bool numeric_entries(const Node& node, const Form& form, Value& out) {
    bool good = true;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      auto read = read_entry(node.items[i], form, arithmetic_ ? &parameters_ : nullptr);
      if (auto* complaint = std::get_if<Complaint>(&read)) {
        complain(node.items[i], entry_path(out.path, i), std::move(*complaint));
        good = false;
      } else if (form.kind == Kind::numbers) {
        out.numbers.push_back(std::get<Scalar>(read).number);
      } else {
        out.integers.push_back(std::get<Scalar>(read).integer);
        if (form.kind == Kind::labels) out.words.push_back(std::move(std::get<Scalar>(read).word));
      }
    }
    return good;
  }

  void map(const Node& node, std::span<const Form> forms, const Node& place, Value& out) {
    const Form* form =
        form_of(forms, {Kind::section, Kind::choice, Kind::variants, Kind::dictionary, Kind::settings});
    if (form == nullptr) {
      return complain(node, out.path,
                      {"is a section, which is not possible here", "write " + describe(forms)});
    }
    if (form->kind == Kind::dictionary) return dictionary(node, *form, out);
    if (form->kind == Kind::settings) return settings(node, *form, out);
    if (form->kind == Kind::variants) form = variant(node, *form, out.path);
    if (form == nullptr) return;
    const bool known = known_keys(node, *form, out.path);
    if (form->kind == Kind::choice && !known) return;
    if (form->kind == Kind::choice && node.keys.size() != 1) {
      return complain(node, out.path,
                      {node.keys.empty() ? "is an empty section" : "says several things at once",
                       "write exactly one of " + describe(*form)});
    }
    out.form = form;
    for (const Key& key : form->keys) member(node, key, form->kind == Kind::section, place, out);
  }

  /// The section that the key `kind` chooses; null when it chooses none.
  const Form* variant(const Node& node, const Form& form, const std::string& path) {
    const Node* kind = node.find("kind");
    const std::string field = joined(path, "kind");
    if (kind == nullptr) {
      faults_.add(node.position, field, "", {"is missing", "write " + describe(form)});
      return nullptr;
    }
    if (kind->kind == Node::Kind::scalar) {
      if (const Form* found = form.variant(kind->text)) return found;
    }
    std::vector<std::string_view> known;
    for (const Form& section : form.entry) {
      const auto& words = section.find("kind")->forms[0].words;
      known.insert(known.end(), words.begin(), words.end());
    }
    const std::string_view near = nearest(kind->text, known);
    complain(*kind, field,
             {"has no meaning here", (near.empty() ? "" : "did you mean `" + std::string(near) + "`? ") +
                                         "write " + describe(form)});
    return nullptr;
  }

  /// Its formulas were evaluated before (config/parameters.hpp).
  void dictionary(const Node& node, const Form& form, Value& out) {
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      out.words.push_back(node.keys[i].text);
      out.numbers.push_back(std::get<double>(parse_number(node.items[i].text)));
    }
    out.form = &form;
  }

  void settings(const Node& node, const Form& form, Value& out) {
    bool good = true;
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const std::string& name = node.keys[i].text;
      if (!seen.insert(name).second) {
        faults_.add(node.keys[i].position, joined(out.path, name), to_text(node.items[i]),
                    {"the key is given a second time", "keep one of them"});
        good = false;
      }
      // Other forms take truth values for words, so theirs comes first in the list.
      const Node& item = node.items[i];
      const bool truth =
          item.kind == Node::Kind::scalar && !item.quoted && (item.text == "true" || item.text == "false");
      std::span<const Form> forms = form.entry;
      if (forms[0].kind == Kind::boolean) forms = truth ? forms.first(1) : forms.subspan(1);
      out.words.push_back(name);
      out.items.push_back(value(item, forms, joined(out.path, name), nullptr, nullptr));
      good = good && out.items.back().ok();
    }
    if (good) out.form = &form;
  }

  /// Complains about keys that stand twice, are unknown, or belong to a later version.
  bool known_keys(const Node& node, const Form& form, const std::string& path) {
    bool good = true;
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const Node& name = node.keys[i];
      const Key* key = form.find(name.text);
      const std::string field = joined(path, name.text);
      Complaint complaint;
      if (!seen.insert(name.text).second) {
        complaint = {"the key is given a second time", "keep one of them"};
      } else if (key == nullptr) {
        complaint = {"the key is not known here", unknown_key_remedy(form, name.text, path)};
      } else if (!key->available) {
        complaint = {not_available, key->hint};
      } else {
        continue;
      }
      faults_.add(name.position, field, to_text(node.items[i]), std::move(complaint));
      good = false;
    }
    return good;
  }

  void member(const Node& node, const Key& key, bool fill, const Node& place, Value& out) {
    if (!key.available) return;
    const std::string path = joined(out.path, std::string(key_of_table(node, key.name)));
    const auto found =
        std::find_if(node.keys.begin(), node.keys.end(), [&](const Node& k) { return k.text == key.name; });
    if (found != node.keys.end()) {
      const auto i = static_cast<std::size_t>(found - node.keys.begin());
      if (key.arithmetic) arithmetic_ = true;
      add_member(out, key, value(node.items[i], key.forms, path, &key, &*found));
      if (key.arithmetic) arithmetic_ = false;
    } else if (fill && key.required) {
      faults_.add(
          place.position, path, "",
          {"is missing", key.hint.empty() ? "add `" + key.name + "`: " + describe(key.forms) : key.hint});
    } else if (fill && !key.silent && !key.fallback.empty()) {
      ++filling_;
      add_member(out, key, value(default_of(key, path), key.forms, path, &key, nullptr));
      --filling_;
    }
  }

  /// Each default is read once, however many entries of lists need it.
  const Node& default_of(const Key& key, const std::string& path) {
    const Node*& known = defaults_[&key];
    if (known == nullptr) {
      Faults own("default of " + path);
      nodes_.push_back(parse_yaml(key.fallback, 0, own));
      known = &nodes_.back();
    }
    return *known;
  }

  static void add_member(Value& out, const Key& key, Value value) {
    out.keys.push_back(&key);
    out.items.push_back(std::move(value));
  }

  std::deque<Node>& nodes_;
  Parameters& parameters_;
  Faults& faults_;
  std::unordered_map<const Key*, const Node*> defaults_;
  bool arithmetic_ = false;  ///< formulas over parameters may stand for numbers
  int filling_ = 0;          ///< > 0 while a default is read
};

}  // namespace

const Value* Value::find(std::string_view dotted) const {
  if (!ok()) return nullptr;
  if (dotted.empty()) return this;
  const std::size_t dot = dotted.find('.');
  const std::string_view head = dotted.substr(0, dot);
  const std::string_view tail = dot == std::string_view::npos ? std::string_view() : dotted.substr(dot + 1);
  if (is(Kind::list)) {
    std::size_t entry = 0;
    std::from_chars(head.data(), head.data() + head.size(), entry);
    return entry >= 1 && entry <= items.size() ? items[entry - 1].find(tail) : nullptr;
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i]->name == head) return items[i].find(tail);
  }
  return nullptr;
}

std::string entry_path(const std::string& path, std::size_t i) {
  return joined(path, std::to_string(i + 1));
}

std::string_view choice_name(const Value* value) {
  if (value == nullptr) return {};
  if (value->is(Kind::choice)) return value->keys[0]->name;
  return value->word;
}

namespace {

Checked check_against(const Form& form, Node root, Parameters& parameters, Faults& faults) {
  Checked out;
  out.nodes.push_back(std::move(root));
  const Node& file = out.nodes.front();
  out.root = Checker(out.nodes, parameters, faults).value(file, std::span(&form, 1), "", nullptr, nullptr);
  return out;
}

}  // namespace

Checked check(Node root, Parameters& parameters, Faults& faults) {
  return check_against(scenario_definition(), std::move(root), parameters, faults);
}

Checked check_series(Node root, Parameters& parameters, Faults& faults) {
  return check_against(series_definition(), std::move(root), parameters, faults);
}

Checked check_search(Node root, Parameters& parameters, Faults& faults) {
  return check_against(search_definition(), std::move(root), parameters, faults);
}

}  // namespace cosimo::config
