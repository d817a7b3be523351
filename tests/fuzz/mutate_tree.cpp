// What happens to files whose authors err: wrong numbers, words and keys, parts of other files.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "mutate.hpp"

namespace cosimo::fuzz {
namespace {

bool is_number(const Tree& tree) {
  if (tree.kind != Tree::Kind::scalar || tree.text.empty()) return false;
  char* rest = nullptr;
  std::strtod(tree.text.c_str(), &rest);
  return *rest == '\0';
}

/// A place of `tree` that `fits`, or one without parent.
template <class Fits>
Place some_place(Tree& tree, Random& random, Fits fits) {
  std::vector<Place> found = places(tree);
  std::erase_if(found, [&](const Place& place) { return !fits(place); });
  return found.empty() ? Place{nullptr, 0} : random.of(found);
}

Place some_place(Tree& tree, Random& random) {
  return some_place(tree, random, [](const Place&) { return true; });
}

Place some_pair(Tree& tree, Random& random) {
  return some_place(tree, random, [](const Place& p) { return p.parent->kind == Tree::Kind::map; });
}

std::string name(const Place& place) {
  return place.branch().key.empty() ? fmt::format("entry {}", place.index + 1) : place.branch().key;
}

constexpr std::string_view nothing = "no place for it";

std::string other_number(Tree& tree, const Corpus&, Random& random) {
  static constexpr std::array<std::string_view, 32> numbers = {
      "0",     "-1",    "1",      "2",     "3",          "0.5",        "1.5",    "-0.0",
      ".nan",  ".inf",  "-.inf",  "nan",   "inf",        "1e300",      "-1e300", "1e-300",
      "1e308", "1e309", "5e-324", "1e-16", "2147483648", "4294967296", "1e18",   "9223372036854775807",
      "1e9",   "1e6",   "100000", "1000",  "1e-9",       "0x10",       "1_000",  "1,5"};
  const Place place = some_place(tree, random, [](const Place& p) { return is_number(p.tree()); });
  if (place.parent == nullptr) return std::string(nothing);
  std::string& text = place.tree().text;
  const std::string before = text;
  if (random.below(3) == 0) {
    text = random.of(numbers);
  } else {
    static constexpr std::array factors = {-1.0, 0.1, 10.0, 0.5, 2.0, 1e3, 1e-3, 1e6, 1e-6, 1e12, 1e-12};
    text = fmt::format("{:.6g}", std::strtod(before.c_str(), nullptr) * random.of(factors));
  }
  return fmt::format("{}: {} became {}", name(place), before, text);
}

std::string other_word(Tree& tree, const Corpus& corpus, Random& random) {
  const Place place =
      some_place(tree, random, [](const Place& p) { return p.tree().kind == Tree::Kind::scalar; });
  if (place.parent == nullptr) return std::string(nothing);
  place.tree().text = random.of(corpus.words);
  return fmt::format("{} became {}", name(place), place.tree().text);
}

std::string other_kind(Tree& tree, const Corpus& corpus, Random& random) {
  const Place place = some_place(tree, random);
  if (place.parent == nullptr) return std::string(nothing);
  Tree& old = place.tree();
  switch (random.below(4)) {
    case 0:
      old = Tree{};
      break;
    case 1:
      old = Tree{.kind = Tree::Kind::list, .text = "", .branches = {}};
      break;
    case 2:
      old = Tree{.kind = Tree::Kind::list, .text = "", .branches = {{"", old}}};
      break;
    default:
      old = Tree{.kind = Tree::Kind::map, .text = "", .branches = {{random.of(corpus.words), old}}};
  }
  return fmt::format("{} became {}", name(place), to_text(place.tree()).substr(0, 60));
}

std::string rename(Tree& tree, const Corpus& corpus, Random& random) {
  const Place place = some_pair(tree, random);
  if (place.parent == nullptr) return std::string(nothing);
  const std::string before = place.branch().key;
  place.branch().key = random.of(corpus.words);
  return fmt::format("key {} renamed {}", before, place.branch().key);
}

std::string remove(Tree& tree, const Corpus&, Random& random) {
  const Place place = some_place(tree, random);
  if (place.parent == nullptr) return std::string(nothing);
  const std::string what = name(place);
  place.parent->branches.erase(place.parent->branches.begin() + static_cast<std::ptrdiff_t>(place.index));
  return fmt::format("{} removed", what);
}

std::string repeat(Tree& tree, const Corpus&, Random& random) {
  const Place place = some_place(tree, random);
  if (place.parent == nullptr) return std::string(nothing);
  const std::string what = name(place);
  const std::size_t count = place.parent->kind == Tree::Kind::list && random.below(4) == 0 ? 100 : 1;
  const Branch copy = place.branch();
  place.parent->branches.insert(place.parent->branches.end(), count, copy);
  return fmt::format("{} repeated {} times", what, count);
}

std::string move(Tree& tree, const Corpus&, Random& random) {
  const Place from = some_place(tree, random);
  if (from.parent == nullptr) return std::string(nothing);
  const Branch moved = from.branch();
  from.parent->branches.erase(from.parent->branches.begin() + static_cast<std::ptrdiff_t>(from.index));
  const Place to =
      some_place(tree, random, [](const Place& p) { return p.tree().kind != Tree::Kind::scalar; });
  (to.parent == nullptr ? tree : to.tree()).branches.push_back(moved);
  return fmt::format("{} moved", moved.key.empty() ? "an entry" : moved.key);
}

/// A section, or what has the same key, as another file has it.
std::string exchange(Tree& tree, const Corpus& corpus, Random& random) {
  const Corpus::Source& donor = random.of(corpus.sources);
  Tree other = donor.tree;
  const bool section = random.below(3) == 0;
  const Place place = section && !tree.branches.empty() ? Place{&tree, random.below(tree.branches.size())}
                                                        : some_pair(tree, random);
  if (place.parent == nullptr) return std::string(nothing);
  const std::string& key = place.branch().key;
  const Place source = some_place(other, random, [&](const Place& p) { return p.branch().key == key; });
  if (source.parent == nullptr) return std::string(nothing);
  place.tree() = source.tree();
  return fmt::format("{} as in {}", name(place), donor.name);
}

/// A key that another file has in a section of the same name.
std::string adopt(Tree& tree, const Corpus& corpus, Random& random) {
  const Corpus::Source& donor = random.of(corpus.sources);
  Tree other = donor.tree;
  const auto with_pairs = [](const Place& p) {
    return p.tree().kind == Tree::Kind::map && !p.tree().branches.empty();
  };
  const Place section = some_place(other, random, with_pairs);
  const Place place = section.parent == nullptr ? section : some_place(tree, random, [&](const Place& p) {
    return p.tree().kind == Tree::Kind::map && p.branch().key == section.branch().key;
  });
  if (place.parent == nullptr) return std::string(nothing);
  const Branch& adopted = random.of(section.tree().branches);
  place.tree().branches.push_back(adopted);
  return fmt::format("{}.{} added from {}", section.branch().key, adopted.key, donor.name);
}

}  // namespace

std::string mutate_tree(Tree& tree, const Corpus& corpus, Random& random) {
  // Numbers, exchanged sections and added keys often leave a scenario that can be run: they come more often.
  static constexpr std::array mutations = {
      other_number, other_number, other_number, other_number, other_number, exchange, exchange, exchange,
      adopt,        adopt,        other_word,   other_kind,   rename,       remove,   repeat,   move};
  // Not every mutation finds a place in every file.
  std::string story(nothing);
  for (int i = 0; i < 20 && story == nothing; ++i) story = random.of(mutations)(tree, corpus, random);
  return story;
}

}  // namespace cosimo::fuzz
