// Which shapes may touch: pairs whose surrounding balls are nearer to each other than a skin is thick, found
// by a grid, and kept until a body has moved by half of that. The list is ascending and holds all that touch,
// whenever it was made: what follows from the touching ones does not depend on its age.
//
//   NearPairs near(members, fixed, allowed);
//   NearPairs::Scratch scratch;
//   for (const Pair& pair : near.at(frames, scratch)) ...
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "contact/outline.hpp"
#include "mechanics/force_group.hpp"

namespace cosimo::contact {

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
  class Scratch final : public ForceGroup::Scratch {
    friend class NearPairs;
    std::vector<Pair> pairs;
    std::vector<Vec3> built, now;  ///< middles of the bodies when the list was made, and now
    std::vector<std::pair<std::uint64_t, std::uint32_t>> cells;
    bool made = false;
  };

  /// Everything must outlive it. Shapes of bodies first.
  NearPairs(std::span<const Outline> shapes, std::size_t bodies, const Allowed& allowed);

  std::span<const Pair> at(std::span<const Frame> frames, Scratch& scratch) const;
  double skin() const { return skin_; }

 private:
  void build(Scratch& scratch) const;
  void look_around(std::uint32_t body, Scratch& scratch) const;
  void try_pair(std::uint32_t a, std::uint32_t b, Scratch& scratch) const;

  std::span<const Outline> shapes_;
  std::size_t bodies_;
  const Allowed& allowed_;
  double skin_ = 0;
  double largest_ = 0;  ///< reach of what is in the grid; others meet everything
  std::vector<std::uint32_t> large_;
};

}  // namespace cosimo::contact
