#include "config/parameters.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "config/number.hpp"
#include "numerics/expression.hpp"

namespace cosimo::config {

namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Length of the number that begins here, exponent included; 0: none does.
std::size_t number_end(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && (is_digit(text[i]) || text[i] == '.')) ++i;
  if (i == 0 || i == text.size() || (text[i] != 'e' && text[i] != 'E')) return i;
  std::size_t exponent = i + 1;
  if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
  if (exponent == text.size() || !is_digit(text[exponent])) return i;
  while (exponent < text.size() && is_digit(text[exponent])) ++exponent;
  return exponent;
}

/// Words that formulas have a meaning for already, or that readers would take for something else.
bool is_reserved(const std::string& name) {
  static constexpr std::array<std::string_view, 19> reserved{
      "t",     "x",    "y",      "z",  "vx", "vy",   "vz",    "wx",   "wy",   "wz",
      "angle", "rate", "length", "pi", "e",  "cbrt", "round", "true", "false"};
  return std::ranges::find(reserved, name) != reserved.end() ||
         std::ranges::find(function_names(), name) != function_names().end();
}

Complaint complaint_of(const ExpressionError& error) {
  return {std::string("is not a valid formula: ") + error.what(), error.remedy};
}

/// The name of a parameter or a curve must be free.
Complaint name_complaint(const std::string& name, const std::string& what, const Parameters& known) {
  if (!is_identifier(name)) {
    return {"is not a possible name of a " + what,
            "begin with a letter, continue with letters, digits and _"};
  }
  if (is_reserved(name)) {
    return {"already has a meaning in formulas", "choose another name, such as `" + name + "_0`"};
  }
  if (known.contains(name)) return {"a parameter of this name was given before", "name each once"};
  if (std::ranges::find(known.curves(), name, &NamedCurve::name) != known.curves().end())
    return {"a curve of this name was given before", "name each once"};
  return {};
}

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool looks_like_formula(std::string_view text, bool with_parameters) {
  std::size_t i = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  if (is_identifier(text.substr(i))) return with_parameters;
  i += number_end(text.substr(i));
  // "5 N/m" is a number with a unit, "5*L" is a formula.
  if (i > 0 && i + 1 < text.size() && text[i] == ' ' && is_letter(text[i + 1])) return false;
  return text.find_first_of("*/^()?<>=!+-&|", i) != std::string_view::npos;
}

void Parameters::define(const std::string& name, double value) {
  known_.clear();
  if (const auto [at, added] = index_.emplace(name, names_.size()); !added) {
    values_[at->second] = value;
    return;
  }
  names_.push_back(name);
  values_.push_back(value);
}

std::variant<double, Complaint> Parameters::value(const std::string& text) {
  if (const auto found = known_.find(text); found != known_.end()) return found->second;
  std::variant<double, Complaint> result;
  try {
    const double number = Expression(text, names_)(values_);
    if (std::isfinite(number)) {
      result = number;
    } else {
      result = Complaint{"does not give a finite number", "check divisions and the ranges of functions"};
    }
  } catch (const ExpressionError& error) {
    result = complaint_of(error);
  }
  return known_.emplace(text, std::move(result)).first->second;
}

std::variant<std::string, Complaint> Parameters::formula(const std::string& text,
                                                         std::span<const std::string> variables) const {
  std::vector<std::string> names(variables.begin(), variables.end());
  names.insert(names.end(), names_.begin(), names_.end());
  try {
    const Expression as_written(text, names, curves_);
    std::string out = with_values(text, variables);
    const Expression checked(out, variables, curves_);  // values in parentheses nest more deeply than names
    const bool of_time_alone = variables.size() == 1 && variables[0] == "t";
    if (!of_time_alone || curves_.empty() || checked.curves_take_time()) return out;
  } catch (const ExpressionError& error) {
    return complaint_of(error);
  }
  return Complaint{"in a formula of time, a curve takes t alone",
                   "write `" + curves_.front().name + "(t)`, or t scaled and shifted by numbers"};
}

std::optional<std::string> Parameters::value_text(const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) return std::nullopt;
  return "(" + number_text(values_[found->second]) + ")";
}

std::string Parameters::with_values(const std::string& text, std::span<const std::string> variables) const {
  return with_names_replaced(text, [&](const std::string& name) {
    return std::ranges::find(variables, name) != variables.end() ? std::nullopt : value_text(name);
  });
}

std::string with_names_replaced(const std::string& text,
                                const std::function<std::optional<std::string>(const std::string&)>& other) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + std::max<std::size_t>(1, number_end(std::string_view(text).substr(i)));
    if (is_letter(text[i])) {
      while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    }
    std::string token = text.substr(i, end - i);
    out += is_letter(text[i]) ? other(token).value_or(std::move(token)) : token;
    i = end;
  }
  return out;
}

void name_curves(const Node& model, Parameters& parameters, Faults& faults) {
  const Node* const section = model.kind == Node::Kind::map ? model.find("curves") : nullptr;
  if (section == nullptr || section->kind != Node::Kind::list) return;
  for (std::size_t i = 0; i < section->items.size(); ++i) {
    const Node* const name =
        section->items[i].kind == Node::Kind::map ? section->items[i].find("name") : nullptr;
    if (name == nullptr || name->kind != Node::Kind::scalar) continue;
    Complaint complaint = name_complaint(name->text, "curve", parameters);
    parameters.name_curve(name->text);
    if (!complaint.problem.empty())
      faults.add(name->position, "model.curves." + std::to_string(i + 1) + ".name", name->text,
                 std::move(complaint));
  }
}

Parameters evaluate_parameters(Node& model, Faults& faults, const Parameters& outside) {
  Parameters parameters = outside, own;
  if (model.kind != Node::Kind::map) return parameters;
  const auto found = std::find_if(model.keys.begin(), model.keys.end(),
                                  [](const Node& key) { return key.text == "parameters"; });
  if (found == model.keys.end()) return parameters;
  Node& section = model.items[static_cast<std::size_t>(found - model.keys.begin())];
  if (section.kind != Node::Kind::map) return parameters;

  Node good = section;
  good.keys.clear();
  good.items.clear();
  for (std::size_t i = 0; i < section.keys.size(); ++i) {
    const Node& key = section.keys[i];
    Node& item = section.items[i];
    const auto complain = [&](const Node& at, Complaint complaint) {
      faults.add(at.position, "model.parameters." + key.text, to_text(item), std::move(complaint));
    };
    if (Complaint complaint = name_complaint(key.text, "parameter", own); !complaint.problem.empty()) {
      complain(key, std::move(complaint));
      continue;
    }
    own.define(key.text, 0);
    if (item.kind != Node::Kind::scalar) {
      complain(item, {"is not a number", "write a number, or arithmetic over the parameters before it"});
      continue;
    }
    auto value = parse_number(item.text);
    if (std::holds_alternative<Complaint>(value) && (item.quoted || looks_like_formula(item.text, true)))
      value = parameters.value(item.text);
    if (auto* complaint = std::get_if<Complaint>(&value)) {
      complain(item, std::move(*complaint));
      parameters.define(key.text, 1);  // so that those who use it are not blamed for it
      continue;
    }
    parameters.define(key.text, std::get<double>(value));
    item.text = number_text(std::get<double>(value));
    item.quoted = false;
    good.keys.push_back(key);
    good.items.push_back(std::move(item));
  }
  section = std::move(good);
  return parameters;
}

}  // namespace cosimo::config
