// The overlaps of all parts: grown around the cuts so that what the far edges get wrong in a macro
// step of size H arrives below the level asked for at each cut (control/cone.hpp, partition/halo.hpp).
//
//   halos.fit(H, level);            for the states published last; lanes are told what to carry
//   halos.exponent(part, port, H)   ln of what is left of a far-edge error on that side of the cut
//
// Growing happens in parallel, part by part, and only where something changed:
//
//   copies      are kept while they still suffice and are not far too many, because new ones mean new
//   equations.
//               Those of a part with many cuts, where one or another always asks for more, get a larger
//               reserve whenever they have not lasted.
//   distances   are kept while the rate s that suits the step best is near the one they were measured with
//   (any s
//               gives a bound) and no decay has changed by more than 5 %. With w = omega^2 + mu s and x =
//               s/sqrt(w) the decay is 2 arsinh(x), which is concave: where w has grown by no more than 1/c^2
//               nothing has lost more than the factor c, and the test of what suffices takes that off.
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

/// A new halo gets at least this much more than it needs, so that it lasts.
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
  /// A macro step was accepted.
  void step() { ++steps_; }
  /// All foreign bodies that the copies of this rank's parts are, or stand next to.
  std::vector<BodyId> foreign_bodies() const;

  double exponent(std::size_t part, std::size_t port, double H) const;
  int layers(std::size_t part, std::size_t port) const;
  /// What a part carries and why, for checkpoints; its lane has the copies themselves.
  void archive(Archive& a, std::size_t part);
  void archive(Archive& a) { a(steps_); }
  const Halo& halo(std::size_t part) const { return parts_[part].halo; }
  /// Distances behind a part as other states of all bodies give them: those of its halo times a factor of at
  /// most one, or, where decays have changed too much for that, measured.
  struct Distances {
    double factor = 1;
    std::optional<Halo> measured{};
    double copy(const Halo& halo, std::size_t i) const {
      return measured ? measured->copies[i].distance : factor * halo.copies[i].distance;
    }
    double side(const Halo& halo, std::size_t port) const {
      return measured ? measured->sides[port].distance : factor * halo.sides[port].distance;
    }
  };
  /// Called by one task per part.
  Distances distances(std::size_t part, std::span<const double> x, std::span<const double> v);
  double rate(std::size_t part) const { return parts_[part].fit.s; }  ///< s of the cone
  std::size_t copies(std::size_t part) const { return parts_[part].halo.copies.size(); }

  /// Copies that the part would carry with macro steps of these sizes.
  void predict_copies(std::size_t part, std::span<const double> sizes, const Level& level,
                      std::span<double> copies) const;
  /// The longest H that the present layers of the part hold.
  double longest_step(std::size_t part, const Level& level) const;
  /// The fastest rate (1/time) at the cuts.
  double fastest_rate() const;

 private:
  /// What is decided when a halo is fitted.
  struct Fit {
    double s = 0;
    Medium typical;
    double step = 0, level = 0;          ///< what the copies were grown for
    double reserve = halo_reserve;       ///< that new copies get
    double factor = 1;                   ///< that distances may have shrunk by since they were measured
    std::int64_t made = 0, checked = 0;  ///< in steps: when copies were grown, decays looked at
    bool grown = false;
  };
  /// What bodies are surrounded by at some states: their media, and w of each.
  struct Look {
    std::vector<Medium> media;
    std::vector<double> w;
  };
  struct PartHalo {
    std::vector<HaloRoot> roots;  ///< one per port
    std::vector<bool> bare;       ///< per port
    Halo halo;
    std::vector<BodyId> watched;  ///< the copies, then the own bodies at the roots
    std::vector<double> w;        ///< of those, where distances were measured
    Fit fit;
    bool missing = false;      ///< something that it needs is not known
    std::optional<Fit> begun;  ///< distances are up to date, but new copies reach what is not known
    Look look;                 ///< scratch
  };
  void fit_part(std::size_t part, double H, const Level& level);
  bool bring_up_to_date(PartHalo& p, Fit& fit, double H, double highest) const;
  bool grow(std::size_t part, const PartHalo& p, double s, Halo& halo) const;
  void take_look(PartHalo& p, Fit& fit) const;
  void look(const PartHalo& p, double s, std::span<const double> x, std::span<const double> v,
            Look& out) const;
  static void watch(PartHalo& p);
  bool known(const PartHalo& p) const;
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
  std::int64_t steps_ = 0;  ///< accepted
};

}  // namespace cosimo
