// Wrong input, reported in full.
//
// Cosimo knows three kinds of failure (docs/decisions/0003-failures.md): a bug is
// an assertion (core/check.hpp), an expected numerical failure is a returned
// value, and wrong input is an Error that lists every fault found, each with
// file, line, field, value and remedy.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace cosimo {

/// One thing that is wrong with the input. Empty strings and zero lines are left out of the message.
struct Fault {
  std::string file{};
  int line = 0;           ///< from 1; 0: unknown
  int column = 0;         ///< from 1; 0: unknown
  std::string field{};    ///< dotted path, e.g. "model.chain.mass"
  std::string value{};    ///< what was found there
  std::string problem{};  ///< what is wrong with it
  std::string remedy{};   ///< what to write instead
};

/// "file:line:column: field: value: problem (remedy)".
std::string to_string(const Fault& fault);

/// Thrown for wrong input (exit code 2). what() holds all faults, one per line.
class Error : public std::runtime_error {
 public:
  explicit Error(Fault fault);
  explicit Error(std::vector<Fault> faults);
  const std::vector<Fault>& faults() const { return faults_; }

 private:
  std::vector<Fault> faults_;
};

/// A run that cannot go on for a reason outside the numerics: disk full, file not writable (exit code 1).
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cosimo
