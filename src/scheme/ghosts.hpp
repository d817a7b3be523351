// States of bodies that other ranks own, for parts that carry copies of them or look at them.
//
//   ghosts.look_around();            T_N: the states of all foreign bodies near this rank's parts
//   ghosts.known(body)               whether that reached the body; if not: ghosts.look_further(), again
//   ghosts.follow(bodies);           from now on these are heard of in every step
//   ghosts.start();  ghosts.finish();     their states at T_{N+1}, as soon as their owners have them
//
// A subscription is made once, when the list of bodies changes: the owners are told which bodies are wanted.
// After that every message holds nothing but numbers, between the ranks concerned. On a rank of its own every
// body is known and nothing happens.
#pragma once

#include <span>
#include <vector>

#include "network/overlapping.hpp"
#include "partition/body_graph.hpp"
#include "partition/body_table.hpp"
#include "scheme/seam.hpp"

namespace cosimo {

/// Bodies of other ranks that this one hears of, and those of its own that it tells others of.
class BodySubscription {
 public:
  /// Collective. `owner(body)` is the rank that owns it.
  template <class Owner>
  void subscribe(Exchange& exchange, const Overlapping& physics, std::span<const BodyId> bodies,
                 Owner owner) {
    std::vector<std::vector<std::int64_t>> wanted(static_cast<std::size_t>(exchange.ranks()));
    for (const BodyId body : bodies) wanted[static_cast<std::size_t>(owner(body))].push_back(body.value);
    subscribe(exchange, physics, wanted);
  }
  void start(Exchange& exchange, std::span<const double> x, std::span<const double> v);
  void finish(Exchange& exchange, std::span<double> x, std::span<double> v);
  /// Own bodies that others hear of.
  std::span<const BodyId> told() const { return told_; }

 private:
  struct Post {
    int rank = 0;
    std::vector<std::size_t> places;  ///< in BodyStates
    std::vector<double> numbers;
  };
  void subscribe(Exchange& exchange, const Overlapping& physics,
                 const std::vector<std::vector<std::int64_t>>& wanted);

  std::vector<Post> out_, in_;
  std::vector<Outgoing> outgoing_;  ///< of out_ and in_, made when they are
  std::vector<Incoming> incoming_;
  std::vector<BodyId> told_;
};

class Ghosts {
 public:
  /// `part_of`: local number of the part of every body. Everything given must outlive it.
  Ghosts(const Seam& seam, std::size_t own_parts, Overlapping& physics,
         std::span<const std::int32_t> part_of);

  bool own(BodyId body) const { return part_of_[body.index()] < own_parts_; }
  /// The body and all next to it are its own or have been looked at since T_N.
  bool known(BodyId body) const;

  void look_around();                        ///< collective
  void look_further();                       ///< collective: twice as far
  void follow(std::vector<BodyId> foreign);  ///< collective
  /// Of every own part whether others hear of its bodies.
  std::vector<char> told_parts() const;
  void start();
  void finish();

 private:
  void survey();
  bool heard(BodyId body) const { return own(body) || around_.find(body) != nullptr; }

  const Seam& seam_;
  std::int32_t own_parts_;
  Overlapping& physics_;
  const BodyGraph& graph_;
  std::span<const std::int32_t> part_of_;
  BodyStates& states_;
  std::size_t depth_ = 0;  ///< elements between this rank's bodies and the last foreign one looked at
  BodyTable<char> around_;
  BodySubscription near_, followed_;
};

}  // namespace cosimo
