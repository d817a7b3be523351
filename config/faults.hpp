// Collects everything that is wrong with a scenario before one Error is thrown.
//
// Positions name their source by number: 0 is the scenario file, k the k-th override
// of the command line ("--set key=value"), which has no lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace cosimo::config {

struct Position {
  int source = 0;
  int line = 0;    ///< from 1; 0: unknown
  int column = 0;  ///< from 1; 0: unknown
};

/// What is wrong and what to write instead; file, position and field are added by the one who knows them.
struct Complaint {
  std::string problem;
  std::string remedy;
};

class Faults {
 public:
  explicit Faults(std::string_view file) : sources_{std::string(file)} {}

  /// Returns the number to be used as Position::source.
  int add_source(std::string name);

  void add(Position position, std::string_view field, std::string_view value, Complaint complaint);
  /// For faults that leave nothing to be read further: throws all collected so far and this one.
  [[noreturn]] void fatal(Position position, std::string_view field, std::string_view value,
                          Complaint complaint);

  bool empty() const { return faults_.empty(); }
  /// Throws Error with all faults, in the order of the file, if there is one.
  void raise() const;

 private:
  std::vector<std::string> sources_;
  std::vector<Fault> faults_;
  std::size_t omitted_ = 0;  ///< beyond a number that anybody would read
};

}  // namespace cosimo::config
