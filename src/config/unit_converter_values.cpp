// Numbers, formulas, tables and curves of a file.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "config/number.hpp"
#include "config/parameters.hpp"
#include "config/tree_walk.hpp"
#include "config/unit_converter.hpp"
#include "numerics/expression.hpp"

namespace cosimo::config {

namespace {

std::string factor_text(long double factor) {
  return number_text(static_cast<double>(factor));
}

void put_number(Node& node, double value) {
  node.kind = Node::Kind::scalar;
  node.text = number_text(value);
  node.quoted = false;
}

void put_formula(Node& node, std::string text) {
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  node.quoted = true;
}

/// What formulas know of time and state (definition_elements.cpp).
std::string_view dimension_of(std::string_view variable, bool law) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 13> table{
      {{"t", "time"},
       {"x", "length"},
       {"y", "length"},
       {"z", "length"},
       {"length", "length"},
       {"vx", "length/time"},
       {"vy", "length/time"},
       {"vz", "length/time"},
       {"rate", "length/time"},
       {"wx", "angle/time"},
       {"wy", "angle/time"},
       {"wz", "angle/time"},
       {"angle", "angle"}}};
  if (law && variable == "s") return "length or angle";
  if (law && variable == "rate") return "length/time or angle/time";
  const auto found =
      std::ranges::find(table, variable, &std::pair<std::string_view, std::string_view>::first);
  return found != table.end() ? found->second : std::string_view();
}

bool knows(std::span<const std::string> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// An example in SI for a product in the words of dimensions.
std::string example(std::string_view product) {
  const std::string unit = UnitNames{"m", "kg", "s", "rad", "N"}.of(product);
  return unit.find("^ex") == std::string::npos && unit.find("^ev") == std::string::npos
             ? ", such as `1 " + unit + "`"
             : std::string();
}

}  // namespace

std::optional<Unit> checked_unit(std::string_view unit, const Node& node, const std::string& field,
                                 Faults& faults) {
  const auto parsed = parse_unit(unit);
  if (const Unit* good = std::get_if<Unit>(&parsed)) return *good;
  const auto& error = std::get<UnitError>(parsed);
  faults.add(node.position, field, to_text(node), {error.problem, error.remedy});
  return std::nullopt;
}

void write_converted(Node& node, const Quantity& quantity, const Unit& from, const Unit& to,
                     const std::string& field, Faults& faults) {
  if (quantity.formula) {
    const long double factor = ratio(from, to);
    std::string text(quantity.number);
    return put_formula(node, factor == 1 ? std::move(text) : text + "*(" + factor_text(factor) + ")");
  }
  const auto read = parse_number(quantity.number);
  if (const auto* complaint = std::get_if<Complaint>(&read)) {
    faults.add(node.position, field, to_text(node), *complaint);
    return put_number(node, 1);
  }
  const double value = convert(std::get<double>(read), from, to);
  if (!std::isfinite(value))
    faults.add(node.position, field, to_text(node),
               {"is beyond the range of numbers in the units of the scenario", "write a smaller one"});
  put_number(node, std::isfinite(value) ? value : 1);
}

void UnitConverter::number(Node& node, const Place& place) {
  const auto quantity = split_quantity(node.text);
  if (quantity) {
    met_quantity_ = true;
    const auto unit = checked_unit(quantity->unit, node, path(), faults_);
    const auto inside = unit ? inside_of(node, place, *unit) : std::nullopt;
    if (!inside) return put_number(node, 1);  // so that nobody else complains
    return write_converted(node, *quantity, *unit, *inside, path(), faults_);
  }
  if (same_) return;
  const long double scale = plain_scale(node, place);
  if (scale == 1) return;
  const auto value = parse_number(node.text);
  if (const double* plain = std::get_if<double>(&value)) {
    if (!node.quoted) put_number(node, static_cast<double>(*plain * scale));
  } else if (node.quoted || looks_like_formula(node.text, true)) {
    scale_formula(node, node.text, {}, scale);
  }
}

void UnitConverter::formula(Node& node, const Form& form, const Place& place) {
  const auto quantity = split_quantity(node.text);
  if (quantity) {
    met_quantity_ = true;
    const auto unit = checked_unit(quantity->unit, node, path(), faults_);
    const auto inside = unit ? inside_of(node, place, *unit) : std::nullopt;
    if (!inside) return put_number(node, 1);
    if (!quantity->formula) return write_converted(node, *quantity, *unit, *inside, path(), faults_);
    return scale_formula(node, std::string(quantity->number), form.words, ratio(*unit, *inside));
  }
  if (same_) return;
  const long double scale = plain_scale(node, place);
  const auto value = parse_number(node.text);
  if (const double* plain = std::get_if<double>(&value)) {
    if (scale != 1) put_number(node, static_cast<double>(*plain * scale));
    return;
  }
  scale_formula(node, node.text, form.words, scale);
}

void UnitConverter::scale_formula(Node& node, const std::string& text, std::span<const std::string> variables,
                                  long double scale) {
  if (scale != 1) refuse_foreign(node, text, variables);
  std::string inner = in_file_units(node, text, variables);
  if (scale != 1) inner = "(" + inner + ")*(" + factor_text(scale) + ")";
  if (inner != node.text) put_formula(node, std::move(inner));
}

std::string UnitConverter::in_file_units(const Node& node, const std::string& text,
                                         std::span<const std::string> variables) {
  if (same_) return text;
  const bool law = knows(variables, "s");
  return with_names_replaced(text, [&](const std::string& name) -> std::optional<std::string> {
    if (!knows(variables, name)) return std::nullopt;
    const long double scale = variable_scale(node, name, law);
    if (scale == 1) return std::nullopt;
    return "(" + name + "*" + factor_text(1 / scale) + ")";
  });
}

long double UnitConverter::variable_scale(const Node& node, const std::string& name, bool law) {
  const std::string_view dimension = dimension_of(name, law);
  return dimension.empty() ? 1 : plain_scale(node, {dimension});
}

void UnitConverter::table(Node& table, const Form& form, const Place& place) {
  const bool law = knows(form.words, "s");
  const Position position = table.position;
  path_.push_back({"table", 0});
  long double scale = 1;
  if (const Node* unit = find_key(table, "unit")) {
    met_quantity_ = true;
    const auto given = checked_unit(unit->text, *unit, path() + ".unit", faults_);
    const auto inside = given ? inside_of(*unit, place, *given) : std::nullopt;
    if (inside) scale = ratio(*given, *inside);
    remove_key(table, "unit");
  } else if (!same_) {
    scale = plain_scale(table, place);
  }
  multiply(table, "factor", scale, position);
  const std::string argument = law ? "s" : "t";
  Node* of = find_key(table, "of");
  if (const Node* unit = find_key(table, "x_unit")) {
    met_quantity_ = true;
    if (const auto given = checked_unit(unit->text, *unit, path() + ".x_unit", faults_)) {
      if (of != nullptr || inside_of(*unit, {dimension_of(argument, law)}, *given))
        multiply(table, "x_factor", ratio(*given, systems_.file.of(given->dimension)), position);
    }
    remove_key(table, "x_unit");
    of = find_key(table, "of");
  }
  Node call;
  call.kind = Node::Kind::scalar;
  call.position = position;
  call.text = argument;
  if (of != nullptr && of->kind == Node::Kind::scalar) call = *of;
  std::string text = in_file_units(table, call.text, form.words);
  if (text != call.text) {
    put_formula(call, std::move(text));
    put_key(table, "of", std::move(call));
  }
  path_.pop_back();
}

/// A curve is numbers of the units of its file.
void UnitConverter::curve_units(Node& curve) {
  for (const auto& [key, factor] : {std::pair{"unit", "factor"}, {"time_unit", "time_factor"}}) {
    const Node* unit = find_key(curve, key);
    if (unit == nullptr) continue;
    met_quantity_ = true;
    path_.back().key = key;
    const Position position = unit->position;
    if (const auto given = checked_unit(unit->text, *unit, path(), faults_))
      multiply(curve, factor, ratio(*given, systems_.file.of(given->dimension)), position);
    remove_key(curve, key);
  }
}

void UnitConverter::multiply(Node& section, std::string_view key, long double factor, Position position) {
  if (factor == 1) return;
  if (Node* known = find_key(section, key)) {
    const auto number = parse_number(known->text);
    if (const double* plain = std::get_if<double>(&number))
      put_number(*known, static_cast<double>(*plain * factor));
    else
      put_formula(*known, "(" + known->text + ")*(" + factor_text(factor) + ")");
    return;
  }
  Node value;
  value.position = position;
  put_number(value, static_cast<double>(factor));
  put_key(section, key, std::move(value));
}

std::optional<UnitConverter::Units> UnitConverter::units_of(const Node& node, std::string_view product) {
  if (const auto found = known_.find(product); found != known_.end()) return found->second;
  bool by_key = false;
  const ExponentOfName exponents = [&](std::string_view key) {
    by_key = true;
    return exponent(key);
  };
  const auto file = systems_.file.of_text(product, exponents),
             inside = systems_.inside.of_text(product, exponents);
  if (!std::holds_alternative<Unit>(file)) {
    complain(node, "has the dimension " + std::string(product) + ", whose exponent is no plain number",
             "write the exponent as a number");
    return std::nullopt;
  }
  const Units out{std::get<Unit>(file), std::get<Unit>(inside)};
  if (!by_key) known_.emplace(product, out);
  return out;
}

long double UnitConverter::plain_scale(const Node& node, const Place& place) {
  const auto products = alternatives(place);
  if (products.empty()) return 1;
  const auto scale = [&](std::string_view product) -> long double {
    const auto units = units_of(node, product);
    return units ? ratio(units->file, units->inside) : 1;
  };
  if (products.size() == 1) return scale(products[0]);
  if (const auto which = turning()) return scale(products[std::min(*which, products.size() - 1)]);
  const long double first = scale(products[0]);
  if (std::ranges::any_of(products, [&](std::string_view other) { return scale(other) != first; }))
    complain(node, "may be a length or an angle: the joint is not in this file",
             "write `measure`, or the number with its unit");
  return first;
}

std::optional<Unit> UnitConverter::inside_of(const Node& node, const Place& place, const Unit& given) {
  auto products = alternatives(place);
  if (products.empty()) {
    complain(node, "has a unit where a number without one is needed", "write the number alone");
    return std::nullopt;
  }
  if (const auto which = products.size() > 1 ? turning() : std::nullopt)
    products = {products[std::min(*which, products.size() - 1)]};
  std::string wanted;
  for (const std::string_view product : products) {
    const auto units = units_of(node, product);
    if (!units) return std::nullopt;
    if (units->inside.dimension == given.dimension) return units->inside;
    wanted += (wanted.empty() ? "" : " or ") + dimension_text(units->inside.dimension);
  }
  complain(node, "is a quantity of " + dimension_text(given.dimension) + " where " + wanted + " is needed",
           "write a unit of " + wanted + example(products[0]));
  return std::nullopt;
}

/// Parameters and curves of other files are numbers of their units.
void UnitConverter::refuse_foreign(const Node& node, const std::string& text,
                                   std::span<const std::string> variables) {
  if (!systems_.own) return;
  std::string foreign;
  with_names_replaced(text, [&](const std::string& name) -> std::optional<std::string> {
    static constexpr std::array<std::string_view, 4> constants{"pi", "e", "true", "false"};
    const bool known = knows(variables, name) || own_names_.contains(name) ||
                       std::ranges::find(constants, name) != constants.end() ||
                       std::ranges::find(function_names(), name) != function_names().end();
    if (!known && foreign.empty()) foreign = name;
    return std::nullopt;
  });
  if (!foreign.empty())
    complain(node, "uses `" + foreign + "`, a number of another file, in a file with units of its own",
             "give the file a parameter with a unit, and hand the value down by `set`");
}

}  // namespace cosimo::config
