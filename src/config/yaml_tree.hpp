// The scenario file as a plain tree in which every key and value knows its line.
//
// Built from yaml-cpp's events, not from its nodes, because those drop duplicate keys'
// trail and the difference between 5 and "5". Merge keys (`<<: *name`, `<<: [*name, *other]`) are
// carried out here: keys of the map itself win over merged ones, and of merged maps the earlier
// wins. What is merged keeps the position where it is written. Hostile input is stopped early: depth,
// number of values, values repeated by aliases, size, tags, encoding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/faults.hpp"

namespace cosimo::config {

inline constexpr std::size_t max_file_size = std::size_t{64} << 20;
inline constexpr std::size_t max_values = 10'000'000;
inline constexpr std::size_t max_aliased = 100'000;  ///< values brought in by aliases
inline constexpr std::size_t max_depth = 32;

struct Node {
  enum class Kind : std::uint8_t { null, scalar, list, map };
  Kind kind = Kind::null;
  bool quoted = false;
  Position position;
  std::string text;         ///< of a scalar; of a curve made of a table, where that stands
  std::vector<Node> items;  ///< entries of a list, values of a map
  std::vector<Node> keys;   ///< of a map: keys[i] belongs to items[i]

  const Node* find(std::string_view key) const;  ///< value of the first such key, or null
};

/// One document. Throws Error when the text is not YAML or not to be trusted; an empty text gives a null
/// node.
Node parse_yaml(std::string_view text, int source, Faults& faults);

/// In flow style on one line, as it could stand in the file; cut off where it gets long.
std::string to_text(const Node& node);

}  // namespace cosimo::config
