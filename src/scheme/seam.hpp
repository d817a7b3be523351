// How the couplings of one rank hang together with those of the others.
//
// A rank numbers its own parts first, from 0, then those of the others; both in the order of their global
// numbers. Of the couplings it knows those that touch its parts (`neighbours`), or all (`whole`: the
// implicit schemes solve for all coupling variables at once). Every cut has two ends; an end is *own* when
// its part is, and *foreign* otherwise. What a rank has to say is said about its own ends, what it has to
// hear about the foreign ones:
//
//   seam.start(own, 2);  ...  seam.finish(foreign);      two numbers per coordinate of every end
//   seam.merge_max(errors);                               per coupling, over both its ends
//   seam.total(sums);                                     over all couplings, each counted once
//
// In `neighbours` these are messages between ranks that share a cut, and reductions for the sums. In `whole`
// every rank hears of all ends, and sums need no message. A rank of its own says nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "network/cut_layout.hpp"
#include "numerics/exact_sum.hpp"
#include "parallel/exchange.hpp"
#include "partition/part.hpp"

namespace cosimo {

/// Which rank runs which part, as every rank knows it.
struct Placement {
  std::vector<int> rank_of_part;  ///< by global number
  bool whole = false;             ///< every rank knows all couplings
};

/// A rank's own view of an interface.
struct LocalView {
  std::vector<PartId> parts;          ///< global numbers: own parts first, then the others
  std::size_t own_parts = 0;          ///< how many are its own
  std::vector<int> rank_of_part;      ///< by local number
  std::vector<CouplingId> couplings;  ///< global numbers of those it knows
  Interface interface;                ///< those, with local part numbers
};
LocalView local_view(const Interface& interface, const Placement& placement, int rank);

class Seam {
 public:
  struct End {
    std::size_t coupling = 0;  ///< local number
    CutSide side = CutSide::from;
    std::size_t part = 0;   ///< local number
    std::size_t first = 0;  ///< coordinates of the ends before it
    std::size_t coordinates = 1;
    BodyId body{};
  };

  Seam() = default;  ///< of a rank of its own, for any interface
  /// `interface`: all couplings. The exchange must outlive the seam.
  Seam(Exchange& exchange, const Interface& interface, const Placement& placement);

  bool single() const { return exchange_ == nullptr; }
  bool whole() const { return whole_; }
  Exchange& exchange() const { return *exchange_; }
  /// Spent in messages since the start.
  double exchange_seconds() const { return single() ? 0 : exchange_->seconds(); }

  PartId global(PartId part) const;
  CouplingId global(CouplingId coupling) const;
  /// All parts by local number, own ones first: how many, and who runs them.
  std::size_t parts() const { return parts_.size(); }
  int rank_of(std::size_t part) const { return rank_of_part_[part]; }
  /// The coupling counts here: every coupling does so on one rank, or (whole) on all.
  bool counts(std::size_t coupling) const { return counted_.empty() || counted_[coupling]; }
  /// An end of the part belongs to a cut whose other part is on another rank.
  bool touches_others(std::size_t part) const { return !boundary_.empty() && boundary_[part]; }

  /// Own ends in the order of parts and, within a part, of couplings; foreign ones in the order they are
  /// heard of.
  std::span<const End> own_ends() const { return own_; }
  std::span<const End> foreign_ends() const { return foreign_; }
  std::size_t own_coordinates() const { return coordinates(own_); }
  std::size_t foreign_coordinates() const { return coordinates(foreign_); }

  /// Parts advance in stages (all parts, local numbers): messages may then be about one stage only.
  void set_stages(std::span<const int> stage) { stage_.assign(stage.begin(), stage.end()); }
  int stage_of(std::size_t part) const { return stage_.empty() ? 0 : stage_[part]; }

  /// `width` numbers per coordinate, end after end. Of the parts of one stage, or of all.
  void start(std::span<const double> own, std::size_t width, int stage = -1);
  void finish(std::span<double> foreign);

  /// values[coupling * width + k] becomes the larger of what the ranks of its two ends have.
  void merge_max(std::span<double> values, std::size_t width) const;
  /// `width` numbers of every part of all ranks, in global order, from those of the own parts.
  void gather_parts(std::span<const double> own, std::size_t width, std::vector<double>& all) const;
  /// Adds up over the ranks what each summed over the couplings that count there.
  void total(std::span<ExactSum> sums) const;
  void total(ExactSum& sum) const { total({&sum, 1}); }
  /// Of numbers that every rank holds a share of: how many there are in all.
  std::size_t total(std::size_t count) const;
  /// The largest of all ranks. Not a number counts as infinite.
  double largest(double here) const;
  /// Global number of the coupling where `value` is largest over all ranks; of equal ones the first.
  CouplingId where_largest(CouplingId local, double value) const;
  bool any(bool here) const;

 private:
  struct Link {
    int rank = 0;
    std::vector<std::size_t> own, foreign;  ///< places among the ends
    std::vector<std::size_t> shared;        ///< couplings
    std::vector<double> out, in;
  };
  static std::size_t coordinates(const std::vector<End>& ends) {
    return ends.empty() ? 0 : ends.back().first + ends.back().coordinates;
  }
  bool in_stage(const End& end) const { return heard_stage_ < 0 || stage_of(end.part) == heard_stage_; }
  void find_ends(const LocalView& view);
  void find_links(const LocalView& view);
  void count(const LocalView& view);
  void gather_whole(std::span<const double> own);
  Link& link(int rank);

  Exchange* exchange_ = nullptr;
  bool whole_ = false;
  std::vector<PartId> parts_;
  std::vector<int> rank_of_part_;
  std::vector<CouplingId> couplings_;
  std::vector<char> counted_, boundary_;
  std::vector<End> own_, foreign_;
  mutable std::vector<Link> links_;
  std::vector<int> stage_;
  // Of the message under way.
  std::size_t heard_width_ = 0;
  int heard_stage_ = -1;
  // Whole: everybody's ends, rank after rank.
  std::vector<int> rank_coordinates_;
  std::vector<double> all_;
  /// Kept from message to message, so that none allocates.
  struct Scratch {
    std::vector<Outgoing> out;
    std::vector<Incoming> in;
    std::vector<int> counts;
    std::vector<std::size_t> places;
    std::vector<double> heard;
    std::vector<std::int64_t> words;
  };
  mutable Scratch scratch_;
};

/// Global number of the coupling with the largest value over all ranks. Collective.
CouplingId where_worst(const Seam& seam, std::span<const double> per_coupling);

}  // namespace cosimo
