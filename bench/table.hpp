// One table for all benchmarks: what was done, what it is compared with, the ratio,
// the target and whether it is met.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cosimo::bench {

enum class Goal { at_least, at_most, none };

struct Row {
  std::string benchmark;  ///< "solver"
  std::string work;       ///< what ours did
  std::string reference;  ///< what it is compared with
  double reference_value = 0, our_value = 0;
  std::string unit;  ///< of the two values: "s", "ns", "us", "GiB"
  double ratio = 0;  ///< meaning stands in `work`
  Goal goal = Goal::none;
  double target = 0;
  std::string note;  ///< errors, counts
};

class Table {
 public:
  /// Printed at once, so that a long benchmark shows progress.
  void add(Row row);
  void remark(const std::string& text);  ///< a line of explanation, printed and kept
  std::string json() const;
  void print() const;
  std::size_t targets() const;  ///< rows that have one
  std::size_t met() const;      ///< of these

 private:
  std::vector<Row> rows_;
  std::vector<std::string> remarks_;
};

}  // namespace cosimo::bench
