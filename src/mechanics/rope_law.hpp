// How tight a rope is: the law of its spans and of what slips over its pulleys, without bodies.
//
// A rope runs from station to station, a span between each two. A span has the length L in space and the
// unstretched length m of what is in it:
//
//   eps = L/m - 1,   T = EA eps + C eps',   V = EA eps^2 m / 2,   P = -dV/dm = EA (eps + eps^2/2)
//
// where eps > 0; it never pushes, and its damper is cut off as in mechanics/pull.hpp. T pulls its ends
// together; P, which differs from it by half the strain, is what rolls material in and out. What is wound on
// a pulley lies there unstretched. So with the angles psi of the points where the rope leaves a pulley and
// arrives, in its own axes with all turns, and what slipped over the pulleys, sigma:
//
//   m_k = M_k - r s psi (where it leaves a pulley) + r s psi (where it arrives) + sigma_k - sigma_(k+1)
//
// r the radius, s = 1 for a rope that runs counterclockwise about the axis, -1 clockwise. The sum of all m
// and of what lies on pulleys never changes, but for what `pay` feeds into the first span.
//
// Slip (Euler, Eytelwein): over a wrap angle theta a rope at rest on a pulley bears
//
//   P_out <= e^(mu theta) P_in    and    P_in <= e^(mu theta) P_out.
//
// sigma is remembered from the end of the last step. Where it would break a bound, so much slips that this
// equals it (a return mapping, as for plastic strains): sticking is exact, and so is the limit. Runs of spans
// with slip between them have pulls c_k P, c_k products of e^(+-mu theta), and keep what they have of rope:
//
//   sum of L_k / sqrt(1 + 2 c_k P / EA) = sum of m_k.
//
// Which pulleys slip is found by adding the one that breaks its bound most and dropping those that would slip
// backwards. Pulleys with mu = 0 are always in such a run. Rates follow by differentiating all this in time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "numerics/dual.hpp"

namespace cosimo {

struct RopeStop {
  double radius = 0;               ///< 0: an end or an eyelet
  int sense = 0;                   ///< of the way about its axis: 1, -1; 0: an end or an eyelet
  std::optional<double> friction;  ///< none: nothing slips
};

class RopeLaw {
 public:
  struct Numbers {
    double stiffness = 1, damping = 0;  ///< EA, C
    bool closed = false;                ///< a belt: from the last station back to the first
  };
  /// What is measured of a span, or an entry for each of them.
  enum Input : std::size_t { length, leaves, arrives, inputs };

  RopeLaw(std::vector<RopeStop> stations, const Numbers& numbers, std::vector<double> material);

  std::size_t stations() const { return stations_.size(); }
  std::size_t spans() const { return material_.size(); }
  const RopeStop& station(std::size_t k) const { return stations_[k]; }
  /// The station where span k ends; it begins at station k.
  std::size_t end_of(std::size_t span) const { return (span + 1) % stations(); }
  /// The rope passes it, with a span on either side.
  bool passes(std::size_t station) const {
    return numbers_.closed || (station > 0 && station + 1 < stations());
  }
  /// `material` of spans that are as long as that at rest, with pulls that are all alike: from the inputs of
  /// all spans, for a strain.
  static std::vector<double> material_for(std::span<const RopeStop> stations, std::span<const double> in,
                                          double strain);
  /// What lies on pulleys: sum of r theta.
  static double wound(std::span<const RopeStop> stations, std::span<const double> in, bool closed);
  /// The angle by which the rope is wound around a station it passes.
  template <class T>
  T wrap(std::size_t station, const T* in) const;

  /// Values with rates and, of S, derivatives.
  template <class S>
  using Moving = Dual<1, S>;
  template <class S>
  struct Pull {
    S tension{}, pull{};  ///< T, P, with the damper
  };
  /// Per thread; `slides`: 0 sticks, 1 forwards, -1 backwards, by stations.
  struct Room {
    std::vector<Moving<double>> in, material;
    std::vector<double> slip;  ///< since `slipped`
    std::vector<int> slides;
    std::vector<Pull<double>> pulls;
  };
  /// Finds which stations slip and all pulls, of room.in; `slipped`: sigma, by stations; `pay` and its rate.
  /// False where there is no such state.
  [[nodiscard]] bool find(const double* slipped, const Moving<double>& pay, Room& room) const;
  /// The pulls once more with derivatives, of inputs that equal room.in.
  using Varied = Dual<6>;
  void vary(const double* slipped, const Moving<Varied>& pay, std::span<const Moving<Varied>> in,
            const Room& room, std::span<Moving<Varied>> material, std::span<Pull<Varied>> out) const;

  double energy(const Room& room) const;
  /// By how much a station that may slip is beyond its bound forwards and backwards if it does not slip, a
  /// little more than zero at the bound.
  struct Excess {
    double forwards = 0, backwards = 0;
  };
  Excess excess(std::size_t station, const double* slipped, const Moving<double>& pay,
                const Room& room) const;
  bool may_slip(std::size_t station) const {
    return passes(station) && stations_[station].friction.has_value() && *stations_[station].friction > 0;
  }

 private:
  template <class S>
  Moving<S> unslipped(std::size_t span, const double* slipped, const Moving<S>& pay,
                      const Moving<S>* in) const;
  template <class S>
  void slip(const double* slipped, const Moving<S>& pay, const Moving<S>* in, const std::vector<int>& slides,
            Moving<S>* material) const;
  template <class S>
  void slip_run(std::size_t first, std::size_t count, const Moving<S>* in, const std::vector<int>& slides,
                Moving<S>* material) const;
  template <class S>
  Pull<S> pull(const Moving<S>& straight, const Moving<S>& material) const;
  bool free(std::size_t station) const {
    return passes(station) && stations_[station].friction.has_value() && *stations_[station].friction == 0;
  }
  bool moves(std::size_t station, const std::vector<int>& slides) const {
    return slides[station] != 0 || (free(station) && station != held_);
  }
  void find_slip(const double* slipped, const Moving<double>& pay, Room& room) const;
  /// P and its rate, and the bounds of a station.
  Moving<double> elastic(const Room& room, std::size_t span) const;
  struct Bounds {
    Moving<double> forwards, backwards;
    double noise = 0;
  };
  Bounds bounds(std::size_t station, const Room& room) const;
  bool drop_backwards(Room& room) const;
  bool add_worst(Room& room) const;

  std::vector<RopeStop> stations_;
  Numbers numbers_;
  std::vector<double> material_;
  std::size_t held_ = SIZE_MAX;  ///< of a belt over free stations alone: one that counts as sticking
};

}  // namespace cosimo
