// Collects everything that is wrong with a scenario before one Error is thrown.
//
// Positions name their source by number: 0 is the scenario file, then come the overrides of the command line
// ("--set key=value"), which have no lines, and the files that the scenario includes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
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

  /// The same fault at the same place counts once, also where a file is used several times.
  void add(Position position, std::string_view field, std::string_view value, Complaint complaint);
  /// For faults that leave nothing to be read further: throws all collected so far and this one.
  [[noreturn]] void fatal(Position position, std::string_view field, std::string_view value,
                          Complaint complaint);

  /// What is no fault but should be known.
  void note(std::string text) { notes_.push_back(std::move(text)); }

  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::string>& sources() const { return sources_; }
  bool empty() const { return faults_.empty(); }
  std::size_t size() const { return faults_.size() + omitted_; }
  /// Further ones are only counted: nobody needs to search for advice.
  bool full() const;
  /// Throws Error with all faults, in the order of the file, then of those it includes, if there is one.
  void raise() const;

 private:
  std::vector<std::string> sources_;
  std::vector<std::string> notes_;
  std::vector<Fault> faults_;
  std::vector<int> ranks_;   ///< of faults_: 0 the scenario file and the command line, else the included file
  std::size_t omitted_ = 0;  ///< beyond a number that anybody would read
};

}  // namespace cosimo::config
