#include "fmi/ssp_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace cosimo::fmi {

namespace {

std::optional<double> truth(std::string_view word) {
  if (word == "true" || word == "1") return 1;
  if (word == "false" || word == "0") return 0;
  return std::nullopt;
}

/// Numbers separated by blanks.
std::optional<std::vector<double>> numbers_of(std::string_view text, bool truths) {
  constexpr std::string_view blank = " \t\r\n";
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(blank); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blank, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const std::optional<double> number = truths ? truth(word) : parse_real(word);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    numbers.push_back(*number);
    at = text.find_first_not_of(blank, end);
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

bool is_real_type(std::string_view type) {
  return type == "Real" || type == "Float64" || type == "Float32";
}

bool is_whole_type(std::string_view type) {
  return type == "Integer" || type.starts_with("Int") || type.starts_with("UInt");
}

void read_enumeration(const pugi::xml_node& node, const SspReader& reader, const SspDefinitions& defined,
                      SspValue& out) {
  const std::string text = node.attribute("value").value();
  if (const auto numbers = numbers_of(text, false)) {  // SSP 1.0 leaves open which of them is written
    out.value = *numbers;
    return;
  }
  out.value = text;
  out.item = true;
  const auto type = defined.enumerations.find(node.attribute("name").value());
  if (type == defined.enumerations.end()) return;  // the FMU knows its own
  const auto item = type->second.find(text);
  if (item == type->second.end())
    return reader.complain(node, out.name, text, "is no item of the enumeration " + type->first,
                           "write one of its items");
  out.value = std::vector{item->second};
  out.item = false;
}

void read_value(const pugi::xml_node& node, const SspReader& reader, const SspDefinitions& defined,
                SspValue& out) {
  const std::string_view type = local_name(node);
  const std::string text = node.attribute("value").value();
  if (type == "String") {
    out.value = text;
  } else if (type == "Enumeration") {
    read_enumeration(node, reader, defined, out);
  } else if (is_real_type(type) || is_whole_type(type) || type == "Boolean") {
    const auto numbers = numbers_of(text, type == "Boolean");
    if (!numbers)
      return reader.complain(node, out.name, text,
                             type == "Boolean" ? "is neither true nor false" : "is not a finite number",
                             "write a value of this type");
    out.value = *numbers;
    out.unit = find_unit(node.attribute("unit").value(), defined.units);
  } else {
    reader.complain(node, out.name, std::string(type), "values of this type are not supported",
                    "leave this parameter out");
  }
}

}  // namespace

/// Some tools write units in brackets, "[m]".
SspUnit find_unit(const std::string& name, const Units& units) {
  SspUnit unit{.name = name};
  if (name.size() > 2 && name.front() == '[' && name.back() == ']')
    unit.name = name.substr(1, name.size() - 2);
  for (const std::string& written : {name, unit.name})
    if (const auto found = units.find(written); found != units.end()) unit.si = found->second;
  return unit;
}

std::optional<Affine> conversion(const SspUnit& from, const SspUnit& to) {
  if (from.name.empty() || to.name.empty() || from.name == to.name) return Affine{};
  if (!from.si || !to.si || from.si->exponents != to.si->exponents) return std::nullopt;
  const double factor = from.si->factor / to.si->factor;
  return Affine{factor, (from.si->offset - to.si->offset) / to.si->factor};
}

double SspTransformation::operator()(double x) const {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.first == x; });
  return found != table.end() ? found->second : linear(x);
}

std::optional<Affine> SspTransformation::of_signals() const {
  if (!items.empty()) return std::nullopt;
  if (table.empty()) return linear;
  // Two values, false and true: a straight line goes through any two points.
  double low = 0, high = 1;
  for (const auto& [source, target] : table) {
    if (source != 0 && source != 1) return std::nullopt;
    (source == 0 ? low : high) = target;
  }
  return Affine{high - low, low};
}

SspTransformation read_transformation(const pugi::xml_node& parent, const SspReader& reader) {
  SspTransformation out;
  if (const pugi::xml_node linear = child(parent, "LinearTransformation"))
    out.linear = {reader.real(linear, "factor", 1), reader.real(linear, "offset", 0)};
  for (const pugi::xml_node& entry : children(child(parent, "IntegerMappingTransformation"), "MapEntry"))
    out.table.emplace_back(reader.real(entry, "source", 0), reader.real(entry, "target", 0));
  for (const pugi::xml_node& entry : children(child(parent, "BooleanMappingTransformation"), "MapEntry"))
    out.table.emplace_back(truth(entry.attribute("source").value()).value_or(0),
                           truth(entry.attribute("target").value()).value_or(0));
  for (const pugi::xml_node& entry : children(child(parent, "EnumerationMappingTransformation"), "MapEntry"))
    out.items.emplace_back(entry.attribute("source").value(), entry.attribute("target").value());
  return out;
}

std::vector<SspValue> read_parameters(const pugi::xml_node& set, const SspReader& reader) {
  const SspDefinitions defined = read_definitions(set, reader);
  std::vector<SspValue> out;
  for (const pugi::xml_node& node : children(child(set, "Parameters"), "Parameter")) {
    SspValue value{.name = reader.required(node, "name"),
                   .value = {},
                   .unit = {},
                   .after = {},
                   .place = reader.document().place(node)};
    for (const pugi::xml_node& each : node.children()) {
      const std::string_view type = local_name(each);
      if (each.type() != pugi::node_element || type == "Annotations" || type == "Dimension") continue;
      read_value(each, reader, defined, value);
    }
    out.push_back(std::move(value));
  }
  return out;
}

std::vector<SspValue> mapped(const pugi::xml_node& mapping, const SspReader& reader,
                             const std::vector<SspValue>& values) {
  std::vector<SspValue> out;
  for (const pugi::xml_node& entry : children(mapping, "MappingEntry")) {
    if (entry.attribute("source") && *entry.attribute("source").value() == 0) continue;  // of a template
    const std::string source = reader.required(entry, "source"), target = reader.required(entry, "target");
    for (const SspValue& each : values) {
      if (each.name != source) continue;
      SspValue value = each;
      value.name = target;
      value.after = read_transformation(entry, reader);
      value.keeps_unit = entry.attribute("suppressUnitConversion").as_bool(false);
      if (auto* item = std::get_if<std::string>(&value.value))
        for (const auto& [from, to] : value.after.items)
          if (*item == from) {
            *item = to;
            break;
          }
      out.push_back(std::move(value));
    }
  }
  return out;
}

}  // namespace cosimo::fmi
