// The overlaps of all parts: grown around the cuts so that what the far edges get wrong in a macro
// step of size H arrives below the level asked for at each cut (control/cone.hpp, partition/halo.hpp).
//
//   halos.fit(H, level);            for the states published last; lanes are told what to carry
//   halos.exponent(part, port, H)   ln of what is left of a far-edge error on that side of the cut
//
// Growing happens in parallel, part by part. Copies are kept while they still suffice and are not far
// too many, because new ones mean new equations.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "control/layers.hpp"
#include "parallel/pool.hpp"
#include "partition/halo.hpp"
#include "scheme/ghosts.hpp"
#include "scheme/overlap_model.hpp"

namespace cosimo {

/// A new halo gets this much more than it needs, so that it lasts.
inline constexpr double halo_reserve = 1.0;

class Halos {
 public:
  /// `layers`: always that many; empty: by the cone. Everything given must outlive it.
  Halos(const OverlapModel& model, std::span<const OverlapSide> sides, const Ghosts& ghosts,
        std::optional<int> layers, Pool& pool);

  /// Nothing is carried behind this port: the other side does.
  void leave_bare(std::size_t part, std::size_t port);

  using Level = std::function<double(CouplingId)>;
  /// False when some halo reaches bodies of other ranks that are not known here: those are as before, and a
  /// repetition, with more known, goes on with them. `again`: it is one.
  [[nodiscard]] bool fit(double H, const Level& level, bool again);
  /// All foreign bodies that the copies of this rank's parts are, or stand next to.
  std::vector<BodyId> foreign_bodies() const;

  double exponent(std::size_t part, std::size_t port, double H) const;
  int layers(std::size_t part, std::size_t port) const;
  /// What a part carries and why, for checkpoints; its lane has the copies themselves.
  void archive(Archive& a, std::size_t part);
  const Halo& halo(std::size_t part) const { return parts_[part].halo; }
  /// The same halo with the distances that other states of all bodies give it.
  Halo measured(std::size_t part, std::span<const double> x, std::span<const double> v) const;
  double rate(std::size_t part) const { return parts_[part].s; }  ///< s of the cone
  std::size_t copies(std::size_t part) const { return parts_[part].halo.copies.size(); }

  /// Copies that the part would carry with macro steps of size H.
  double predicted_copies(std::size_t part, double H, const Level& level) const;
  /// The longest H that the present layers of the part hold.
  double longest_step(std::size_t part, const Level& level) const;
  /// The fastest rate (1/time) at the cuts.
  double fastest_rate() const;

 private:
  struct PartHalo {
    std::vector<HaloRoot> roots;  ///< one per port
    std::vector<bool> bare;       ///< per port
    Halo halo;
    double s = 0;
    Medium typical;
    double fitted_step = 0, fitted_level = 0;  ///< what the copies were grown for
    bool grown = false;
    bool missing = false;  ///< something that it needs is not known
  };
  void fit_part(std::size_t part, double H, const Level& level);
  void use(std::size_t part, PartHalo& p, Halo halo);
  Medium medium(BodyId body) const;
  double highest_level(std::size_t part, const Level& level) const;

  Overlapping& physics_;
  const BodyGraph& graph_;
  std::span<const std::int32_t> part_of_;
  std::span<const OverlapSide> sides_;
  const Ghosts& ghosts_;
  std::optional<int> fixed_;
  Pool& pool_;
  std::vector<PartHalo> parts_;
};

}  // namespace cosimo
