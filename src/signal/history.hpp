// The values of all coupling variables at the last macro points: a ring that never
// allocates after construction. Newest first: time(0) is T_N, values(0) is u_N.
//
//   History history(variables, capacity);
//   history.push(T_N, u_N);        once per *accepted* macro step, times increasing
//   history.values(j)[i]           u_i at T_{N-j}, j < size()
//   history.archive(a)             as bytes; or in pieces, from which a history of other variables is put
//                                  together: archive_times(a), then archive_variables(a, some), ...
//
// The values of one macro point lie side by side, so that loops over the variables run
// through memory in order. A rejected step never touches the history.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/archive.hpp"

namespace cosimo {

class History {
 public:
  History(std::size_t variables, std::size_t capacity);

  void clear() { size_ = 0; }
  /// The oldest point is dropped when the ring is full. `t` must lie after time(0).
  void push(double t, std::span<const double> u);
  /// Other values at time(0).
  void amend(std::span<const double> u);
  std::size_t size() const { return size_; }  ///< stored points, at most the capacity
  std::size_t variables() const { return variables_; }
  std::size_t capacity() const { return times_.size(); }
  double time(std::size_t back) const { return times_[slot(back)]; }  ///< T_{N-back}
  std::span<const double> values(std::size_t back) const;             ///< u_{N-back}

  void archive(Archive& a);
  /// The macro points. Loaded they come first: the values at them mean nothing until they are loaded too.
  void archive_times(Archive& a);
  /// The values of some variables at all points; their numbers may be others where they are loaded.
  void archive_variables(Archive& a, std::span<const std::size_t> variables);

 private:
  std::size_t slot(std::size_t back) const;
  std::size_t variables_;
  std::size_t size_ = 0, newest_ = 0;
  std::vector<double> times_, values_;
};

}  // namespace cosimo
