// From the names in a measure to the columns of results.

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/nearest.hpp"
#include "numerics/expression.hpp"
#include "series/measure_tree.hpp"

namespace cosimo::series {

namespace {

constexpr std::string_view prefixes[] = {"bodies.", "elements.", "joints."};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Without bodies., elements. or joints. at its beginning, also within der(...).
std::string without_prefix(const std::string& name) {
  const std::size_t inside = name.starts_with("der(") ? 4 : 0;
  for (const std::string_view prefix : prefixes)
    if (std::string_view(name).substr(inside).starts_with(prefix))
      return std::string(name).erase(inside, prefix.size());
  return name;
}

class Binder {
 public:
  Binder(std::span<const std::string> names, std::vector<std::size_t>& columns)
      : names_(names), columns_(columns) {}

  MeasureNode bind(MeasureNode node) {
    if (node.gathers) return gathered(std::move(node));
    if (node.act == Act::column) node.column = read(place_of(node.name, node.begin));
    for (MeasureNode& part : node.parts) part = bind(std::move(part));
    return node;
  }

 private:
  /// Its place among the columns that are read.
  std::size_t read(std::size_t place) {
    const auto known = std::ranges::find(columns_, place);
    if (known != columns_.end()) return static_cast<std::size_t>(known - columns_.begin());
    columns_.push_back(place);
    return columns_.size() - 1;
  }

  std::size_t place_of(const std::string& name, std::size_t position) const {
    const std::string bare = without_prefix(name);
    for (const std::string& spelling : {name, bare})
      if (const auto found = std::ranges::find(names_, spelling); found != names_.end())
        return static_cast<std::size_t>(found - names_.begin());
    // Letter case aside, where that means one.
    const auto same = [wanted = lower(bare)](const std::string& other) { return lower(other) == wanted; };
    const auto found = std::ranges::find_if(names_, same);
    if (found != names_.end() && std::find_if(found + 1, names_.end(), same) == names_.end())
      return static_cast<std::size_t>(found - names_.begin());
    throw ExpressionError("results have no column '" + name + "'", hint(bare), position);
  }
  std::string hint(const std::string& name) const {
    const std::vector<std::string_view> all(names_.begin(), names_.end());
    if (const std::string best(nearest(name, all)); !best.empty()) return "did you mean " + best + "?";
    // Nothing is near: at least what there is of this body or element, else the first names.
    const std::string owner = name.substr(0, name.rfind('.') + 1);
    std::string list;
    std::size_t count = 0;
    for (const bool owned : {true, false}) {
      for (std::size_t i = 0; i < names_.size() && count < 6; ++i)
        if (!owned || (!owner.empty() && names_[i].starts_with(owner)))
          list += (count++ == 0 ? "" : ", ") + names_[i];
      if (count > 0) break;
    }
    return count == 0 ? "the results have no columns"
                      : "there are " + list + (count < names_.size() ? " ..." : "");
  }

  // --- Stars ---

  /// What the stars of names stand for: of the first one whatever results have; the others follow it.
  MeasureNode gathered(MeasureNode node) {
    const MeasureNode* first = star_in(node);
    const std::vector<std::string> words = words_of(*first);
    MeasureNode out = node;
    out.parts.clear();
    out.gathers = false;
    if (node.act == Act::ask) {  // the largest of all largest values
      out.act = Act::combine;
      out.operation = node.question->name == "max" ? Operation::greatest : Operation::least;
    }
    for (const std::string& word : words) {
      MeasureNode one = node.act == Act::ask ? node : node.parts[0];
      one.gathers = false;
      fill(one, word);
      out.parts.push_back(bind(std::move(one)));
    }
    return out;
  }
  static const MeasureNode* star_in(const MeasureNode& node) {
    if (node.act == Act::column && node.star) return &node;
    for (const MeasureNode& part : node.parts)
      if (const MeasureNode* found = star_in(part); found != nullptr) return found;
    return nullptr;
  }
  static void fill(MeasureNode& node, const std::string& word) {
    if (const std::size_t star = node.name.find('*'); star != node.name.npos)
      node.name.replace(star, 1, word);
    for (MeasureNode& part : node.parts) fill(part, word);
  }
  std::vector<std::string> words_of(const MeasureNode& pattern) const {
    for (const std::string& spelling : {pattern.name, without_prefix(pattern.name)}) {
      const std::size_t star = spelling.find('*');
      const std::string before = lower(spelling.substr(0, star)), after = lower(spelling.substr(star + 1));
      std::vector<std::string> words;
      for (const std::string& name : names_) {
        if (name.size() <= before.size() + after.size()) continue;
        const std::string same = lower(name);
        if (!same.starts_with(before) || !same.ends_with(after)) continue;
        std::string word = name.substr(before.size(), name.size() - before.size() - after.size());
        if (word.find_first_of("()") == word.npos) words.push_back(std::move(word));
      }
      if (!words.empty()) return words;
    }
    throw ExpressionError("results have no column like '" + pattern.name + "'", hint(pattern.name),
                          pattern.begin);
  }

  std::span<const std::string> names_;
  std::vector<std::size_t>& columns_;
};

}  // namespace

MeasureNode bind_measure(MeasureNode tree, std::span<const std::string> names,
                         std::vector<std::size_t>& columns) {
  return Binder(names, columns).bind(std::move(tree));
}

}  // namespace cosimo::series
