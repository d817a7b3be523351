// Loops over the degrees of freedom of one system that the members of a team share.
//
//   auto work = [&](Share& mine) {
//     fill(mine.rows);
//     mine.meet();                  // what everybody has filled is there
//     use(mine.rows);
//   };
//   in_shares(team, size, work);    // one call per member; without a team one with everything
//
// Every loop of a system gives a member the same rows, so that they stay in its cache from loop to loop.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/fellow.hpp"
#include "core/ids.hpp"
#include "parallel/team.hpp"

namespace cosimo {

/// Degrees of freedom that are worth a thread of a team: their step takes far longer than the meetings in it.
/// It is that of chains; others have a cost of their own, as a multiple of it.
inline constexpr std::size_t worth_a_thread = 2048;
/// Nothing costs more than so many times that.
inline constexpr std::size_t highest_cost = 8;
/// Shares are whole multiples of so many: eight bodies on a line, in the plane or in space, and whole lines
/// of the cache.
inline constexpr std::size_t share_unit = 48;

/// What one member has of a loop.
struct Share {
  Range rows;
  std::size_t number = 0;          ///< of the member
  Team::Member* member = nullptr;  ///< null: alone

  void meet() const {
    if (member != nullptr) member->meet();
  }
};

/// How many members the degrees of freedom are worth; null: there is no team.
inline int members_for(const Team* team, std::size_t size, double cost = 1) {
  if (team == nullptr) return 1;
  const double worth = cost * static_cast<double>(size) / static_cast<double>(worth_a_thread);
  return static_cast<int>(std::clamp(worth, 1.0, static_cast<double>(team->members())));
}

inline Share share_of(Team::Member& member, std::size_t size) {
  const std::size_t units = (size + share_unit - 1) / share_unit;
  const auto number = static_cast<std::size_t>(member.number()),
             count = static_cast<std::size_t>(member.count());
  const auto border = [&](std::size_t k) { return std::min(size, units * k / count * share_unit); };
  return {{border(number), border(number + 1)}, number, &member};
}

/// `work` must not throw. Allocates nothing.
template <class F>
void in_shares(Team* team, std::size_t size, F& work, double cost = 1) {
  const int wanted = members_for(team, size, cost);
  if (wanted == 1) {
    Share all{{0, size}};
    return work(all);
  }
  auto share = [&](Team::Member& member) {
    Share mine = share_of(member, size);
    work(mine);
  };
  team->run(wanted, share);
}

/// A member as code below sees it.
inline Fellow fellow_of(Team::Member& member) {
  return {static_cast<std::size_t>(member.number()), static_cast<std::size_t>(member.count()),
          [](void* who) { static_cast<Team::Member*>(who)->meet(); }, &member};
}

/// work(const Fellow&) by at most `wanted` members of a team, which may be null, or alone; as in_shares().
template <class F>
void together(Team* team, int wanted, F& work) {
  if (team == nullptr || std::min(wanted, team->members()) <= 1) return work(Fellow{});
  auto share = [&](Team::Member& member) { work(fellow_of(member)); };
  team->run(wanted, share);
}

}  // namespace cosimo
