// The bodies that a load of the file acts on: a set in ascending order, of which any stretch can be had
// without holding the rest. For model/.
//
//   ChosenBodies chosen(choice, context);
//   Range k = chosen.places({first, last});            they are the k.first-th to (k.last - 1)-th chosen ones
//   chosen.for_each({first, last}, [](std::size_t k, BodyId body) { ... });
//
// A fraction of all bodies is drawn by lot: every body draws a number, and those with the smallest are
// chosen. The last lot that is chosen is found in two passes over all numbers, with memory for a few of them:
// the first counts how many fall into each of 2^16 equal bins, the second looks at the numbers of the one bin
// where the count is reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "core/random.hpp"
#include "model/chain.hpp"

namespace cosimo {

/// Where a load stands in the file and what it may draw from.
struct LoadContext {
  std::size_t masses;
  std::uint64_t seed;
  std::size_t position;  ///< from 0

  RandomStream stream(std::string_view use) const;
  /// Throws Error for a key of this load.
  [[noreturn]] void refuse(std::string_view key, std::string value, std::string problem,
                           std::string remedy) const;
};

/// A given number of bodies, chosen by lot.
class Lots {
 public:
  /// 0 < chosen < bodies.
  Lots(RandomStream random, std::size_t bodies, std::size_t chosen);

  bool chosen(std::size_t body) const { return !(last_ < Lot{random_.uniform(body), body}); }
  /// How many bodies with smaller numbers are chosen.
  std::size_t before(std::size_t body) const;

 private:
  struct Lot {
    double number = 0;
    std::size_t body = 0;
    auto operator<=>(const Lot&) const = default;
  };
  static constexpr std::size_t stretch = 4096;  ///< bodies between two known counts

  RandomStream random_;
  Lot last_;                         ///< the largest that is chosen
  std::vector<std::size_t> before_;  ///< every stretch
};

class ChosenBodies {
 public:
  /// Throws Error for bodies that do not exist.
  ChosenBodies(const BodyChoice& choice, const LoadContext& context);

  std::size_t count() const { return count_; }
  /// The places that a range of bodies takes among the chosen ones.
  Range places(Range bodies) const { return {before(bodies.first), before(bodies.last)}; }

  /// f(place, body) for those of a range of bodies, ascending.
  template <class F>
  void for_each(Range bodies, F f) const {
    std::size_t k = before(bodies.first);
    if (list_) {
      for (; k < list_->size() && (*list_)[k].index() < bodies.last; ++k) f(k, (*list_)[k]);
      return;
    }
    for (std::size_t i = bodies.first; i < bodies.last; ++i)
      if (!lots_ || lots_->chosen(i)) f(k++, BodyId(i));
  }

 private:
  std::size_t before(std::size_t body) const;

  std::size_t count_ = 0;
  std::optional<std::vector<BodyId>> list_;
  std::optional<Lots> lots_;  ///< neither: all bodies
};

}  // namespace cosimo
