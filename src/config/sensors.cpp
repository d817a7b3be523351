#include "config/sensors.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <unordered_set>
#include <utility>

#include "config/check.hpp"
#include "config/choices.hpp"
#include "config/rules.hpp"
#include "config/tree_walk.hpp"

namespace cosimo::config {

namespace {

bool letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// One formula on its way to numbered references.
class Numbering {
 public:
  /// `references`: those that are numbered already.
  Numbering(const std::string& text, const std::unordered_set<std::string>& sensors,
            std::vector<std::string> references = {})
      : text_(text), sensors_(sensors), references_(std::move(references)) {
    while (at_ < text_.size()) step();
  }
  const std::string& formula() const { return formula_; }
  const std::vector<std::string>& references() const { return references_; }

 private:
  void step() {
    if (letter(text_[at_])) return name();
    const std::size_t end = digit(text_[at_]) || text_[at_] == '.' ? number_end() : at_ + 1;
    formula_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  std::size_t number_end() const {
    std::size_t end = at_;
    const auto digits = [&] {
      while (end < text_.size() && (digit(text_[end]) || text_[end] == '.')) ++end;
    };
    digits();
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
      if (exponent < text_.size() && digit(text_[exponent])) {
        end = exponent;
        digits();
      }
    }
    return end;
  }

  std::size_t path_end(std::size_t begin) const {
    std::size_t end = begin;
    while (end < text_.size() && (letter(text_[end]) || digit(text_[end]) ||
                                  (text_[end] == '.' && end + 1 < text_.size() &&
                                   (letter(text_[end + 1]) || digit(text_[end + 1])))))
      ++end;
    return end;
  }

  std::size_t after_spaces(std::size_t at) const {
    while (at < text_.size() && text_[at] == ' ') ++at;
    return at;
  }

  void name() {
    const std::size_t end = path_end(at_);
    const std::string path = text_.substr(at_, end - at_);
    const std::size_t open = after_spaces(end);
    const bool call = open < text_.size() && text_[open] == '(';
    if (call && path == "der") {
      const std::size_t begin = after_spaces(open + 1), inner = path_end(begin), close = after_spaces(inner);
      if (inner > begin && close < text_.size() && text_[close] == ')')
        return take("der(" + text_.substr(begin, inner - begin) + ")", close + 1);
    }
    if (!call && (path.find('.') != std::string::npos || sensors_.contains(path))) return take(path, end);
    formula_ += path;
    at_ = end;
  }

  void take(const std::string& reference, std::size_t end) {
    auto found = std::ranges::find(references_, reference);
    if (found == references_.end()) found = references_.insert(found, reference);
    formula_ += "ref" + std::to_string(found - references_.begin() + 1);
    at_ = end;
  }

  const std::string& text_;
  const std::unordered_set<std::string>& sensors_;
  std::size_t at_ = 0;
  std::string formula_;
  std::vector<std::string> references_;
};

}  // namespace

std::vector<std::string> sensor_variables(std::size_t references) {
  std::vector<std::string> names{"t"};
  for (std::size_t k = 1; k <= references; ++k) names.push_back("ref" + std::to_string(k));
  return names;
}

SensorReference split_reference(std::string_view text) {
  constexpr std::string_view opening = "der(";
  SensorReference out;
  out.derivative = text.starts_with(opening) && text.ends_with(')');
  if (out.derivative) text = text.substr(opening.size(), text.size() - opening.size() - 1);
  const std::size_t dot = text.rfind('.');
  out.owner = text.substr(0, dot);
  if (dot != std::string_view::npos) out.variable = text.substr(dot + 1);
  return out;
}

namespace {

Node list_of(const std::vector<std::string>& references, Position position) {
  Node of;
  of.kind = Node::Kind::list;
  of.position = position;
  for (const std::string& reference : references) {
    Node item;
    item.kind = Node::Kind::scalar;
    item.quoted = true;
    item.position = position;
    item.text = reference;
    of.items.push_back(std::move(item));
  }
  return of;
}

/// What is listed already, by the user or by the sub-model that it comes from. Nothing where it is no list of
/// names: the check of the file says so.
std::optional<std::vector<std::string>> listed(const Node& entry) {
  std::vector<std::string> out;
  const Node* of = entry.find("of");
  if (of == nullptr) return out;
  if (of->kind != Node::Kind::list) return std::nullopt;
  for (const Node& item : of->items) {
    if (item.kind != Node::Kind::scalar) return std::nullopt;
    out.push_back(item.text);
  }
  return out;
}

/// Formulas of one force, which share their references.
void name_in_force(Node& entry, std::vector<Node*> formulas, const std::unordered_set<std::string>& names,
                   const std::string& path, Faults& faults) {
  const auto before = listed(entry);
  if (!before) return;
  std::vector<std::string> all = *before;
  for (Node* formula : formulas) {
    if (formula == nullptr || formula->kind != Node::Kind::scalar) continue;
    Numbering numbering(formula->text, names, std::move(all));
    all = numbering.references();
    if (all.empty()) continue;
    formula->text = numbering.formula();
    formula->quoted = true;
  }
  if (all.size() == before->size()) return;
  if (all.size() > most_references) {
    faults.add(entry.position, path, "",
               {"its formulas know more than " + std::to_string(most_references) + " sensors and coordinates",
                "put some of them together in a sensor of kind `formula`"});
    return;
  }
  put_key(entry, "of", list_of(all, entry.position));
}

/// All names of sensors that are no variables of a formula.
std::unordered_set<std::string> names_beside(const Node* sensors, std::span<const std::string> variables) {
  std::unordered_set<std::string> out;
  for (std::size_t i = 0; sensors != nullptr && i < sensors->items.size(); ++i)
    if (const Node* name = sensors->items[i].find("name");
        name != nullptr && name->kind == Node::Kind::scalar)
      out.insert(name->text);
  for (const std::string& variable : variables) out.erase(variable);
  return out;
}

/// Where an entry of a model has formulas of a force: with (entry, formulas, those of an `applied`, path).
template <class Visit>
void each_force(Node& model, const Visit& visit_force) {
  const auto each = [&](const char* list, const auto& visit) {
    Node* entries = find_key(model, list);
    if (entries == nullptr || entries->kind != Node::Kind::list) return;
    for (std::size_t i = 0; i < entries->items.size(); ++i)
      if (entries->items[i].kind == Node::Kind::map)
        visit(entries->items[i], entry_path(std::string("model.") + list, i));
  };
  each("elements", [&](Node& entry, const std::string& path) {
    const Node* kind = entry.find("kind");
    if (kind == nullptr) return;
    if (kind->text == word_of(ElementKind::law))
      visit_force(entry, std::vector<Node*>{find_key(entry, "force")}, false, path);
    if (kind->text != word_of(ElementKind::applied)) return;
    std::vector<Node*> formulas;
    for (const char* key : {"force", "torque"})
      if (Node* vector = find_key(entry, key); vector != nullptr && vector->kind == Node::Kind::list)
        for (Node& item : vector->items) formulas.push_back(&item);
    visit_force(entry, std::move(formulas), true, path);
  });
  each("joints", [&](Node& entry, const std::string& path) {
    if (Node* spring = find_key(entry, "spring"); spring != nullptr && spring->kind == Node::Kind::map)
      visit_force(*spring, std::vector<Node*>{find_key(*spring, "force")}, false, path + ".spring");
  });
}

/// A name with two meanings would quietly get the wrong one. From the `first` on: those that nobody listed.
void refuse_two_meanings(const Node& entry, std::size_t first, const Parameters& parameters,
                         const std::string& path, Faults& faults) {
  const auto all = listed(entry);
  for (std::size_t k = first; all && k < all->size(); ++k) {
    const std::string& name = (*all)[k];
    const bool constant = name == "pi" || name == "e";
    if (constant || parameters.contains(name))
      faults.add(entry.position, path, name,
                 {std::string("is both a sensor and a ") + (constant ? "constant of formulas" : "parameter"),
                  "give the sensor another name"});
  }
}

void name_in_forces(Node& model, const Node* sensors, const Parameters& parameters, Faults& faults) {
  const std::vector<std::string> law{"t", "s", "rate"};
  const auto of_law = names_beside(sensors, law), of_applied = names_beside(sensors, applied_names());
  each_force(model, [&](Node& entry, std::vector<Node*> formulas, bool applied, const std::string& path) {
    const auto before = listed(entry);
    name_in_force(entry, std::move(formulas), applied ? of_applied : of_law, path, faults);
    if (before) refuse_two_meanings(entry, before->size(), parameters, path, faults);
  });
}

}  // namespace

const std::vector<std::string>& applied_names() {
  static const std::vector<std::string> names{"t",     "x",  "y",  "z",  "vx",     "vy",  "vz",
                                              "angle", "wx", "wy", "wz", "length", "rate"};
  return names;
}

std::string with_brackets(const std::string& formula, const std::vector<std::string>& references) {
  constexpr std::string_view word = "ref";
  std::string out;
  for (std::size_t at = 0; at < formula.size();) {
    std::size_t end = at;
    while (end < formula.size() && (letter(formula[end]) || (end > at && digit(formula[end])))) ++end;
    const std::string_view name = std::string_view(formula).substr(at, end - at);
    std::size_t number = 0;
    if (name.starts_with(word) && name.size() > word.size() &&
        std::ranges::all_of(name.substr(word.size()), digit))
      number = std::stoul(std::string(name.substr(word.size())));
    if (number >= 1 && number <= references.size()) {
      out += '[' + references[number - 1] + ']';
    } else {
      end = std::max(end, at + 1);
      out += formula.substr(at, end - at);
    }
    at = end;
  }
  return out;
}

std::vector<std::string> references_of(const Value& entry) {
  std::vector<std::string> out;
  if (const Value* of = entry.find("of"))
    for (const Value& reference : of->items) out.push_back(reference.word);
  return out;
}

bool has_brackets(const std::string& formula) {
  return formula.find('[') != std::string::npos;
}

std::string with_numbers(const std::string& formula, std::vector<std::string>& references) {
  std::string out;
  for (std::size_t at = 0; at < formula.size();) {
    const std::size_t open = std::min(formula.find('[', at), formula.size());
    out += formula.substr(at, open - at);
    if (open == formula.size()) break;
    const std::size_t close = formula.find(']', open);
    const std::string name = formula.substr(open + 1, close - open - 1);
    auto found = std::ranges::find(references, name);
    if (found == references.end()) found = references.insert(found, name);
    out += "ref" + std::to_string(found - references.begin() + 1);
    at = close + 1;
  }
  return out;
}

std::vector<std::string> force_variables(std::vector<std::string> own) {
  for (std::size_t k = 1; k <= most_references; ++k) own.push_back("ref" + std::to_string(k));
  return own;
}

Key references_key(const char* formula) {
  return silent_derived(
      "of", {list({text()}, 0, most_references)}, std::string(formula) + " has the names",
      "what `ref1`, `ref2`, ... in the formula are: for names that a formula cannot contain");
}

void name_coordinates(Node& part, Faults& faults) {
  if (part.kind != Node::Kind::map) return;
  each_force(part, [&](Node& entry, std::vector<Node*> formulas, bool, const std::string& path) {
    name_in_force(entry, std::move(formulas), {}, path, faults);
  });
}

void each_coordinate(Node& part, const std::function<void(std::string&)>& visit) {
  each_force(part, [&](Node& entry, const std::vector<Node*>&, bool, const std::string&) {
    Node* of = find_key(entry, "of");
    if (of == nullptr || of->kind != Node::Kind::list) return;
    for (Node& item : of->items) {
      const SensorReference at = split_reference(item.text);
      if (item.kind != Node::Kind::scalar || at.variable.empty()) continue;
      std::string owner(at.owner);
      visit(owner);
      owner += '.' + std::string(at.variable);
      item.text = at.derivative ? "der(" + owner + ")" : owner;
    }
  });
}

void name_references(Node& model, const Parameters& parameters, Faults& faults) {
  if (model.kind != Node::Kind::map) return;
  name_in_forces(model, model.find("sensors"), parameters, faults);
  Node* const sensors = find_key(model, "sensors");
  if (sensors == nullptr || sensors->kind != Node::Kind::list) return;
  std::unordered_set<std::string> before;
  for (std::size_t i = 0; i < sensors->items.size(); ++i) {
    Node& entry = sensors->items[i];
    if (entry.kind != Node::Kind::map) continue;
    Node* const formula = find_key(entry, "formula");
    if (formula != nullptr && formula->kind == Node::Kind::scalar && entry.find("of") == nullptr) {
      const Numbering numbering(formula->text, before);
      if (numbering.references().size() > most_references) {
        faults.add(formula->position, entry_path("model.sensors", i) + ".formula", formula->text,
                   {"knows more than " + std::to_string(most_references) + " other quantities",
                    "divide it into several sensors"});
      } else if (!numbering.references().empty()) {
        Node of = list_of(numbering.references(), formula->position);
        formula->text = numbering.formula();
        formula->quoted = true;
        put_key(entry, "of", std::move(of));
      }
    }
    if (const Node* name = entry.find("name"); name != nullptr && name->kind == Node::Kind::scalar)
      before.insert(name->text);
  }
}

}  // namespace cosimo::config
