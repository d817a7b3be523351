// json_schema(): the table of definitions as JSON Schema, draft 2020-12. Conditions
// between keys (rules.hpp) are beyond it.
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "config/definition.hpp"
#include "config/definition_sweep.hpp"
#include "config/faults.hpp"
#include "config/number.hpp"
#include "config/scenario.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

namespace {

using Json = nlohmann::ordered_json;
using Kind = Form::Kind;

Json number_json(double x) {
  constexpr double exact = 9007199254740992.0;
  if (x == std::floor(x) && std::abs(x) <= exact) return static_cast<std::int64_t>(x);
  return x;
}

Json default_json(const Node& node) {
  if (node.kind == Node::Kind::list) {
    Json list = Json::array();
    for (const Node& item : node.items) list.push_back(default_json(item));
    return list;
  }
  if (node.kind == Node::Kind::map) {
    Json map = Json::object();
    for (std::size_t i = 0; i < node.keys.size(); ++i) map[node.keys[i].text] = default_json(node.items[i]);
    return map;
  }
  if (node.text == "true" || node.text == "false") return node.text == "true";
  const auto number = parse_number(node.text);
  if (const double* x = std::get_if<double>(&number)) return number_json(*x);
  return node.text;
}

class SchemaWriter {
 public:
  Json document() {
    Json out = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Cosimo scenario"}};
    Json body = form(scenario_definition());
    add_series(body);
    // Editors may note the schema in the file itself by a comment; the key is not part of the format.
    out.update(body);
    out["$defs"] = definitions_;
    return out;
  }

 private:
  /// In some sections a formula may stand for a number.
  Json bounded(const char* type, const Bounds& bounds) const {
    Json out = {{"type", type}};
    if (arithmetic_) out["type"] = {type, "string"};
    if (bounds.has_low()) out[bounds.low_open ? "exclusiveMinimum" : "minimum"] = number_json(bounds.low);
    if (bounds.has_high()) out[bounds.high_open ? "exclusiveMaximum" : "maximum"] = number_json(bounds.high);
    return out;
  }

  static Json array(const Form& form, Json items) {
    Json out = {{"type", "array"}, {"items", std::move(items)}};
    if (form.min_items > 0) out["minItems"] = form.min_items;
    if (form.max_items < std::numeric_limits<std::size_t>::max()) out["maxItems"] = form.max_items;
    return out;
  }

  /// A file is a scenario, a series or a search.
  void add_series(Json& body) {
    Json scenario = std::move(body["required"]);
    body.erase("required");
    body["anyOf"] = Json::array({{{"required", std::move(scenario)}}});
    for (const Key& chapter : {sweep_definition(), optimise_definition()}) {
      body["properties"][chapter.name] = property(chapter);
      body["anyOf"].push_back({{"required", {"cosimo", chapter.name}}});
    }
  }

  static Json words(const Form& form) { return {{"enum", form.words}}; }

  Json object(const Form& form) {
    Json properties = Json::object();
    Json required = Json::array();
    for (const Key& key : form.keys) {
      if (!key.available) continue;
      properties[key.name] = property(key);
      if (key.required) required.push_back(key.name);
    }
    Json out = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
    if (form.kind == Kind::choice) {
      out["minProperties"] = 1;
      out["maxProperties"] = 1;
    } else if (!required.empty()) {
      out["required"] = std::move(required);
    }
    return out;
  }

  Json form(const Form& form) {
    switch (form.kind) {
      case Kind::number:
        return bounded("number", form.bounds);
      case Kind::integer:
        return bounded("integer", form.bounds);
      case Kind::boolean:
        return {{"type", "boolean"}};
      case Kind::word:
        return words(form);
      case Kind::name:
      case Kind::text:
        return {{"type", "string"}};
      case Kind::formula:
        return {{"type", {"number", "string", "object"}}};  // a table is an object
      case Kind::labels:
        return array(form, {{"anyOf", {bounded("integer", form.bounds), {{"type", "string"}}}}});
      case Kind::dictionary:
        return {{"type", "object"}, {"additionalProperties", {{"type", {"number", "string"}}}}};
      case Kind::settings:
        return {{"type", "object"}, {"additionalProperties", forms(form.entry)}};
      case Kind::variants:
        return forms(form.entry);
      case Kind::numbers:
        return array(form, bounded("number", form.bounds));
      case Kind::integers:
        return array(form, bounded("integer", form.bounds));
      case Kind::list:
        return array(form, forms(form.entry));
      case Kind::section:
      case Kind::choice:
        return object(form);
    }
    return {};
  }

  Json forms(std::span<const Form> alternatives) {
    Json out = Json::array();
    for (const Form& alternative : alternatives) out.push_back(form(alternative));
    if (out.size() == 1) return out[0];
    return {{"anyOf", std::move(out)}};
  }

  Json property(const Key& key) {
    const bool before = arithmetic_;
    const bool quantity = !key.dimension.empty() && key.dimension != "1";
    if (key.arithmetic || quantity) arithmetic_ = true;
    Json out = Json::object();
    std::string description = key.description;
    if (quantity) description += " [" + key.dimension + "]";
    if (!key.otherwise.empty()) description += "; default: " + key.otherwise;
    out["description"] = std::move(description);
    if (key.type.empty()) {
      out.update(forms(key.forms));
    } else {
      if (!definitions_.contains(key.type)) definitions_[key.type] = forms(key.forms);
      out["$ref"] = "#/$defs/" + key.type;
    }
    if (!key.fallback.empty()) {
      Faults faults("default of " + key.name);
      out["default"] = default_json(parse_yaml(key.fallback, 0, faults));
    }
    arithmetic_ = before;
    return out;
  }

  bool arithmetic_ = false;
  Json definitions_ = Json::object();
};

}  // namespace

std::string json_schema() {
  return SchemaWriter().document().dump(2) + "\n";
}

}  // namespace cosimo::config
