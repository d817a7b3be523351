// A fixed list of numeric variables of an FMU that are read or written together, as doubles. Variables of one
// type are one call; arrays are whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fmi/description.hpp"

namespace cosimo::fmi {

class Channel {
 public:
  struct Group {
    Type type = Type::float64;
    std::vector<std::uint32_t> references;
    std::size_t first = 0, values = 0;  ///< among those of the channel
  };

  Channel() = default;
  /// Variables by their numbers, each once.
  Channel(const Description& description, const std::vector<std::size_t>& variables);
  /// Only to be read and written as a whole.
  explicit Channel(std::vector<Group> groups);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::vector<Group>& groups() const { return groups_; }
  /// Where the values of the k-th variable of the list begin.
  std::size_t place(std::size_t k) const { return places_[k]; }

 private:
  std::vector<Group> groups_;
  std::vector<std::size_t> places_;
  std::size_t size_ = 0;
};

}  // namespace cosimo::fmi
