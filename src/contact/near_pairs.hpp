// Which shapes may touch: pairs whose surrounding balls are nearer to each other than a skin is thick, found
// by a grid, and kept until a body has moved by half of that. The list is ascending and holds all that touch,
// whenever it was made: what follows from the touching ones does not depend on its age.
//
//   NearPairs near(members, fixed, allowed);
//   NearPairs::Scratch scratch = near.make_scratch();
//   near.look(frames, scratch, me);                // every fellow at its own bodies; they meet in it
//   if (me.leads()) near.renew(scratch);           // the others wait
//   for (const Pair& pair : scratch.pairs()) ...
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "contact/outline.hpp"
#include "core/fellow.hpp"
#include "mechanics/force_group.hpp"

namespace cosimo::contact {

inline constexpr std::size_t most_fellows = 32;

/// Of shapes, by their numbers; those on the ground come after all bodies. a < b.
struct Pair {
  std::uint32_t a = 0, b = 0;
  auto operator<=>(const Pair&) const = default;
};

/// Which pairs may touch at all.
struct Allowed {
  std::vector<std::uint8_t> sides;  ///< of every shape: bit 0, 1: it is on the first, the second side
  std::vector<Pair> never;          ///< ascending
  bool operator()(std::uint32_t a, std::uint32_t b) const;
};

class NearPairs {
 public:
  class Scratch {
   public:
    std::span<const Pair> pairs() const { return pairs_; }
    /// Middles of the bodies, as look() saw them.
    std::span<const Vec3> middles() const { return now_; }
    /// Numbers of the pairs of a body, ascending.
    std::span<const std::uint32_t> of(std::size_t body) const {
      return std::span(numbers_).subspan(firsts_[body], firsts_[body + 1] - firsts_[body]);
    }

   private:
    friend class NearPairs;
    struct alignas(64) Moved {
      double square = 0;
    };
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> firsts_, numbers_, next_;
    std::vector<Vec3> built_, now_;  ///< middles of the bodies when the list was made, and now
    std::vector<std::pair<std::uint64_t, std::uint32_t>> cells_;
    std::array<Moved, most_fellows> moved_{};
    std::size_t looked_ = 0;  ///< how many fellows have
    bool made_ = false;
  };

  /// Everything must outlive it. Shapes of bodies first.
  NearPairs(std::span<const Outline> shapes, std::size_t bodies, const Allowed& allowed);

  Scratch make_scratch() const;
  void look(std::span<const Frame> frames, Scratch& scratch, const Fellow& me) const;
  void renew(Scratch& scratch) const;
  double skin() const { return skin_; }

 private:
  void build(Scratch& scratch) const;
  void look_around(std::uint32_t body, Scratch& scratch) const;
  void try_pair(std::uint32_t a, std::uint32_t b, Scratch& scratch) const;
  void list_by_body(Scratch& scratch) const;

  std::span<const Outline> shapes_;
  std::size_t bodies_;
  const Allowed& allowed_;
  double skin_ = 0;
  double largest_ = 0;  ///< reach of what is in the grid; others meet everything
  std::vector<std::uint32_t> large_;
};

}  // namespace cosimo::contact
