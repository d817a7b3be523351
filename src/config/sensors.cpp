#include "config/sensors.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_set>
#include <utility>

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
  Numbering(const std::string& text, const std::unordered_set<std::string>& sensors)
      : text_(text), sensors_(sensors) {
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

void name_references(Node& model, Faults& faults) {
  if (model.kind != Node::Kind::map) return;
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
        Node of;
        of.kind = Node::Kind::list;
        of.position = formula->position;
        for (const std::string& reference : numbering.references()) {
          Node item;
          item.kind = Node::Kind::scalar;
          item.quoted = true;
          item.position = formula->position;
          item.text = reference;
          of.items.push_back(std::move(item));
        }
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
