#include "mutate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace cosimo::fuzz {
namespace {

/// `end` and `output` of `simulate` in the twentieth part: what happens, happens early.
void shorten(Tree& scenario) {
  for (const Place& place : places(scenario)) {
    const std::string& key = place.branch().key;
    if (key != "end" && key != "output") continue;
    char* rest = nullptr;
    const double value = std::strtod(place.tree().text.c_str(), &rest);
    if (rest != place.tree().text.c_str() && *rest == '\0')
      place.tree().text = fmt::format("{:.6g}", value / 20);
  }
}

std::vector<std::string> words_of(const std::string& schema) {
  static const std::regex word("\"([A-Za-z_][A-Za-z0-9_-]*)\"");
  std::set<std::string> found;
  for (std::sregex_iterator i(schema.begin(), schema.end(), word), end; i != end; ++i) found.insert((*i)[1]);
  return {found.begin(), found.end()};
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t number) {
  std::seed_seq sequence{seed, seed >> 32, number, number >> 32};
  engine_.seed(sequence);
}

Corpus Corpus::of(std::span<const std::filesystem::path> folders, const std::string& schema) {
  Corpus corpus;
  for (const std::filesystem::path& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".yaml") continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      Source source{.name = entry.path().filename().string(), .text = "", .tree = parse(text)};
      shorten(source.tree);
      source.text = to_text(source.tree);
      corpus.sources.push_back(std::move(source));
    }
  }
  std::sort(corpus.sources.begin(), corpus.sources.end(),
            [](const Source& a, const Source& b) { return a.name < b.name; });
  corpus.words = words_of(schema);
  return corpus;
}

Mutant mutant(const Corpus& corpus, std::uint64_t seed, std::uint64_t number) {
  Random random(seed, number);
  const Corpus::Source& source = random.of(corpus.sources);
  Mutant result{.text = "", .story = source.name};
  // One change leaves more to run than three, and text that is no YAML does not get far.
  const auto changes = [&random] { return 1 + random.below(1 + random.below(3)); };
  const std::size_t kind = random.below(10);
  Tree tree = source.tree;
  if (kind != 0) {
    for (std::size_t i = changes(); i > 0; --i) result.story += "; " + mutate_tree(tree, corpus, random);
  }
  result.text = to_text(tree);
  if (kind < 2) {
    for (std::size_t i = changes(); i > 0; --i) result.story += "; " + mutate_text(result.text, random);
  }
  return result;
}

}  // namespace cosimo::fuzz
