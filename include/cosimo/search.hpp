// The values of some keys for which measures of runs are best: a search (docs/optimisation.md).
//
//   const auto search = cosimo::Search::load("spring.yaml");   // all of the file is checked here
//   search.check();                                            // and here its scenario at all ends
//
// The methods are those of the Python module, which is given to_json(); its points are runs of a series
// (cosimo/series.hpp).
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace cosimo {

namespace series {
struct SearchPlan;
}

/// A checked file of a search.
class Search {
 public:
  /// Throws Error with all faults of the file.
  static Search load(const std::filesystem::path& file);
  /// The same from text; files that it names are relative to `folder`.
  static Search parse(std::string_view text, std::string_view name, const std::filesystem::path& folder = {});

  /// The scenario with all smallest, all largest values and every choice, and whether results have what is
  /// measured. Throws Error with all faults.
  void check() const;
  /// A few lines: what varies, what is measured, what is good.
  std::string describe() const;
  /// What cosimo.optimise() of Python is called with.
  std::string to_json() const;

 private:
  std::shared_ptr<const series::SearchPlan> plan_;
};

/// Whether a file describes a search: it has the section `optimise`. False also where it cannot be read.
bool is_search(const std::filesystem::path& file);

}  // namespace cosimo
