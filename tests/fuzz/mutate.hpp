// Mutants of scenario files: the same seed and number give the same mutant, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tree.hpp"

namespace cosimo::fuzz {

/// The files that mutants are made of, and the words that scenario files know.
struct Corpus {
  struct Source {
    std::string name, text;
    Tree tree;
  };
  std::vector<Source> sources;
  std::vector<std::string> words;

  /// All .yaml files of the folders, in alphabetical order, with runs of a twentieth of their length;
  /// `schema` is where the words are taken from.
  static Corpus of(std::span<const std::filesystem::path> folders, const std::string& schema);
};

struct Mutant {
  std::string text;
  std::string story;  ///< the file and what was done to it
};

Mutant mutant(const Corpus& corpus, std::uint64_t seed, std::uint64_t number);

/// std::distributions differ between libraries; this does not.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t number);
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  template <class Range>
  decltype(auto) of(Range&& range) {
    return range[below(std::size(range))];
  }

 private:
  std::mt19937_64 engine_;
};

/// Each changes something and says what; they leave alone what has no place for them.
std::string mutate_tree(Tree& tree, const Corpus& corpus, Random& random);
std::string mutate_text(std::string& text, Random& random);

}  // namespace cosimo::fuzz
