#include "series/axis_values.hpp"

#include <cmath>
#include <cstdint>

#include "config/number.hpp"
#include "config/parameters.hpp"

namespace cosimo::series {

namespace {

using config::Node;
using config::Value;

constexpr std::int64_t most_values = 1'000'000;

class AxisReader {
 public:
  AxisReader(AxisText& axis, const Value& value, config::Faults& faults)
      : axis_(axis), value_(value), faults_(faults) {}

  void read() {
    if (!value_.ok()) return;
    if (value_.node->kind == Node::Kind::list) return list(*value_.node);
    const bool listed = has("values"), counted = has("range"), tied = has("formula"),
               between = has("from") || has("to");
    const int ways = int{listed} + int{counted} + int{tied} + int{between};
    if (ways != 1)
      return complain(ways == 0 ? "says no values" : "says its values in several ways",
                      "write one of `values`, `from` with `to`, `range`, `formula`");
    if (!between && (has("points") || given("scale")))
      return complain("`points` and `scale` belong to `from` and `to`", "leave them out");
    if (listed) list(*value_.node->find("values"));
    if (counted) whole_numbers();
    if (between) numbers();
    if (tied) axis_.formula = value_.find("formula")->word;
  }

 private:
  bool has(const char* key) const { return value_.find(key) != nullptr; }
  bool given(const char* key) const { return value_.node->find(key) != nullptr; }

  void complain(std::string problem, std::string remedy) {
    faults_.add(axis_.position, value_.path, config::to_text(*value_.node),
                {std::move(problem), std::move(remedy)});
  }

  void list(const Node& values) {
    for (const Node& each : values.items) {
      if (each.kind == Node::Kind::null)
        return complain("a value is empty", "write a value, or leave the comma out");
      if (each.kind == Node::Kind::scalar && !each.quoted && not_finite(each.text))
        return complain("`" + each.text + "` is no finite number", "write finite numbers");
      axis_.values.push_back(flow_text(each));
    }
  }

  static bool not_finite(const std::string& text) {
    for (const char* word : {"nan", "NaN", ".nan", ".NaN", ".NAN", "inf", ".inf", "-.inf", "-inf"})
      if (text == word) return true;
    return false;
  }

  void whole_numbers() {
    const auto& ends = value_.find("range")->items;
    const std::int64_t first = ends[0].integer, last = ends[1].integer;
    if (last < first) return complain("the range is empty", "write the smaller number first");
    // The difference itself may overflow.
    if (static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) >= most_values)
      return complain("has more than a million values", "take fewer, or a design that is spread");
    for (std::int64_t i = first; i <= last; ++i) axis_.values.push_back(std::to_string(i));
  }

  void numbers() {
    if (!has("from") || !has("to")) return complain("has only one end", "write both `from` and `to`");
    axis_.counted = has("points");
    Range range{.from = value_.find("from")->number,
                .to = value_.find("to")->number,
                .points = axis_.counted ? static_cast<std::size_t>(value_.find("points")->integer) : 2,
                .log = given("scale") && value_.find("scale")->word == "log"};
    try {
      check(range);
    } catch (const Error& error) {
      return complain(error.faults().front().problem, error.faults().front().remedy);
    }
    axis_.range = range;
  }

  AxisText& axis_;
  const Value& value_;
  config::Faults& faults_;
};

}  // namespace

std::string flow_text(const Node& node) {
  if (node.kind == Node::Kind::scalar) {
    if (!node.quoted) return node.text;
    std::string out = "\"";
    for (const char c : node.text) {
      if (c == '"' || c == '\\') out += '\\';
      if (c == '\n')
        out += "\\n";  // readers fold lines of a text into spaces
      else
        out += c;
    }
    return out + '"';
  }
  const bool map = node.kind == Node::Kind::map;
  if (!map && node.kind != Node::Kind::list) return "null";
  std::string out(1, map ? '{' : '[');
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) out += ", ";
    if (map) out += node.keys[i].text + ": ";
    out += flow_text(node.items[i]);
  }
  return out + (map ? '}' : ']');
}

AxisText read_axis(const std::string& key, const Node& name, const Value& value, config::Faults& faults) {
  AxisText axis{.key = key, .name = key.substr(key.rfind('.') + 1), .position = name.position};
  if (value.ok() && value.find("name") != nullptr) {
    axis.name = value.find("name")->word;
    if (!config::is_identifier(axis.name))
      faults.add(name.position, value.path + ".name", axis.name,
                 {"is no name for a formula", "write letters, digits and _, beginning with a letter"});
  }
  AxisReader(axis, value, faults).read();
  return axis;
}

}  // namespace cosimo::series
