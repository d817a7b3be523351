#include "scheme/seam.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"

namespace cosimo {

LocalView local_view(const Interface& interface, const Placement& placement, int rank) {
  LocalView view;
  const std::size_t parts = placement.rank_of_part.size();
  std::vector<std::size_t> local(parts);
  for (const bool own : {true, false}) {
    for (std::size_t p = 0; p < parts; ++p) {
      if ((placement.rank_of_part[p] == rank) != own) continue;
      local[p] = view.parts.size();
      view.parts.emplace_back(p);
      view.rank_of_part.push_back(placement.rank_of_part[p]);
    }
    if (own) view.own_parts = view.parts.size();
  }
  for (std::size_t c = 0; c < interface.couplings.size(); ++c) {
    Coupling coupling = interface.couplings[c];
    coupling.from.part = PartId{local[coupling.from.part.index()]};
    coupling.to.part = PartId{local[coupling.to.part.index()]};
    const bool touched =
        coupling.from.part.index() < view.own_parts || coupling.to.part.index() < view.own_parts;
    if (!touched && !placement.whole) continue;
    view.couplings.emplace_back(c);
    view.interface.couplings.push_back(coupling);
  }
  if (placement.whole || view.couplings.size() == interface.couplings.size())
    view.interface.transfers = interface.transfers;  // couplings are numbered alike
  return view;
}

Seam::Seam(Exchange& exchange, const Interface& interface, const Placement& placement)
    : whole_(placement.whole) {
  if (exchange.single()) return;
  exchange_ = &exchange;
  const LocalView view = local_view(interface, placement, exchange.rank());
  parts_ = view.parts;
  rank_of_part_ = view.rank_of_part;
  couplings_ = view.couplings;
  find_ends(view);
  find_links(view);
  count(view);
}

void Seam::find_ends(const LocalView& view) {
  std::vector<std::vector<End>> ends(view.parts.size());
  for (std::size_t c = 0; c < view.interface.couplings.size(); ++c) {
    const Coupling& coupling = view.interface.couplings[c];
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const CutEnd& end = side == CutSide::from ? coupling.from : coupling.to;
      ends[end.part.index()].push_back({c, side, end.part.index(), 0, end.coordinates, end.body});
    }
  }
  const auto append = [](std::vector<End>& list, End end) {
    end.first = coordinates(list);
    list.push_back(end);
  };
  for (std::size_t p = 0; p < view.own_parts; ++p)
    for (const End& end : ends[p]) append(own_, end);
  rank_coordinates_.assign(static_cast<std::size_t>(exchange_->ranks()), 0);
  rank_coordinates_[static_cast<std::size_t>(exchange_->rank())] = static_cast<int>(own_coordinates());
  for (int rank = 0; rank < exchange_->ranks(); ++rank)
    for (std::size_t p = view.own_parts; p < view.parts.size(); ++p) {
      if (view.rank_of_part[p] != rank) continue;
      for (const End& end : ends[p]) {
        append(foreign_, end);
        rank_coordinates_[static_cast<std::size_t>(rank)] += static_cast<int>(end.coordinates);
      }
    }
}

Seam::Link& Seam::link(int rank) {
  const auto found =
      std::find_if(links_.begin(), links_.end(), [&](const Link& l) { return l.rank == rank; });
  if (found != links_.end()) return *found;
  Link& made = links_.emplace_back();
  made.rank = rank;
  return made;
}

/// Both ranks list the ends of the cuts they share in the order of the couplings.
void Seam::find_links(const LocalView& view) {
  boundary_.assign(view.own_parts, 0);
  std::vector<std::size_t> own_place(2 * couplings_.size()), foreign_place(2 * couplings_.size());
  const auto number = [](const End& end) { return 2 * end.coupling + (end.side == CutSide::to ? 1 : 0); };
  for (std::size_t k = 0; k < own_.size(); ++k) own_place[number(own_[k])] = k;
  for (std::size_t k = 0; k < foreign_.size(); ++k) foreign_place[number(foreign_[k])] = k;
  for (std::size_t c = 0; c < view.interface.couplings.size(); ++c) {
    const Coupling& coupling = view.interface.couplings[c];
    const std::size_t from = coupling.from.part.index(), to = coupling.to.part.index();
    const bool from_own = from < view.own_parts, to_own = to < view.own_parts;
    if (from_own == to_own) continue;
    boundary_[from_own ? from : to] = 1;
    Link& l = link(view.rank_of_part[from_own ? to : from]);
    l.own.push_back(own_place[2 * c + (from_own ? 0 : 1)]);
    l.foreign.push_back(foreign_place[2 * c + (from_own ? 1 : 0)]);
    l.shared.push_back(c);
  }
}

/// A coupling counts where its `from` end is.
void Seam::count(const LocalView& view) {
  for (const Coupling& coupling : view.interface.couplings)
    counted_.push_back(whole_ || coupling.from.part.index() < view.own_parts ? 1 : 0);
}

PartId Seam::global(PartId part) const {
  return parts_.empty() || !part.valid() ? part : parts_[part.index()];
}

CouplingId Seam::global(CouplingId coupling) const {
  return single() || !coupling.valid() ? coupling : couplings_[coupling.index()];
}

void Seam::start(std::span<const double> own, std::size_t width, int stage) {
  heard_width_ = width;
  heard_stage_ = stage;
  if (single()) return;
  if (whole_) return gather_whole(own);
  std::vector<Outgoing>& out = scratch_.out;
  std::vector<Incoming>& in = scratch_.in;
  out.clear();
  in.clear();
  for (Link& l : links_) {
    l.out.clear();
    for (const std::size_t k : l.own) {
      if (!in_stage(own_[k])) continue;
      const auto numbers = own.subspan(own_[k].first * width, own_[k].coordinates * width);
      l.out.insert(l.out.end(), numbers.begin(), numbers.end());
    }
    std::size_t expected = 0;
    for (const std::size_t k : l.foreign)
      if (in_stage(foreign_[k])) expected += foreign_[k].coordinates * width;
    l.in.resize(expected);
    if (!l.out.empty()) out.push_back({l.rank, l.out});
    if (!l.in.empty()) in.push_back({l.rank, l.in});
  }
  exchange_->start(out, in);
}

void Seam::gather_whole(std::span<const double> own) {
  std::vector<int>& counts = scratch_.counts;
  counts = rank_coordinates_;
  for (int& n : counts) n *= static_cast<int>(heard_width_);
  all_.resize((own_coordinates() + foreign_coordinates()) * heard_width_);
  exchange_->gather_all(own.first(own_coordinates() * heard_width_), counts, all_);
}

void Seam::finish(std::span<double> foreign) {
  if (single()) return;
  const std::size_t width = heard_width_;
  if (whole_) {
    // Foreign ends stand in the order of ranks, too: what is missing are the own ones in between.
    std::size_t at = 0, place = 0;
    for (std::size_t r = 0; r < rank_coordinates_.size(); ++r) {
      const std::size_t n = static_cast<std::size_t>(rank_coordinates_[r]) * width;
      if (static_cast<int>(r) != exchange_->rank()) {
        std::copy_n(all_.begin() + static_cast<std::ptrdiff_t>(at), n,
                    foreign.begin() + static_cast<std::ptrdiff_t>(place));
        place += n;
      }
      at += n;
    }
    return;
  }
  exchange_->finish();
  for (const Link& l : links_) {
    const double* number = l.in.data();
    for (const std::size_t k : l.foreign) {
      if (!in_stage(foreign_[k])) continue;
      const std::size_t n = foreign_[k].coordinates * width;
      std::copy_n(number, n, foreign.begin() + static_cast<std::ptrdiff_t>(foreign_[k].first * width));
      number += n;
    }
  }
}

void Seam::merge_max(std::span<double> values, std::size_t width) const {
  if (single()) return;
  COSIMO_CHECK(!whole_, "values of couplings are merged between neighbours");
  scratch_.out.clear();
  scratch_.in.clear();
  for (Link& l : links_) {
    l.out.clear();
    for (const std::size_t c : l.shared) {
      const auto numbers = values.subspan(c * width, width);
      l.out.insert(l.out.end(), numbers.begin(), numbers.end());
    }
    for (double& number : l.out)
      if (std::isnan(number)) number = std::numeric_limits<double>::infinity();
    l.in.resize(l.out.size());
    scratch_.out.push_back({l.rank, l.out});
    scratch_.in.push_back({l.rank, l.in});
  }
  exchange_->start(scratch_.out, scratch_.in);
  exchange_->finish();
  for (const Link& l : links_) {
    const double* number = l.in.data();
    for (const std::size_t c : l.shared)
      for (std::size_t k = 0; k < width; ++k, ++number) {
        double& value = values[c * width + k];
        value = std::isnan(value) ? std::numeric_limits<double>::infinity() : std::max(value, *number);
      }
  }
}

void Seam::gather_parts(std::span<const double> own, std::size_t width, std::vector<double>& all) const {
  if (single()) return all.assign(own.begin(), own.end());
  const auto ranks = static_cast<std::size_t>(exchange_->ranks());
  std::vector<int>& counts = scratch_.counts;
  std::vector<std::size_t>& place = scratch_.places;
  std::vector<double>& heard = scratch_.heard;
  counts.assign(ranks, 0);
  place.assign(ranks, 0);
  for (const int rank : rank_of_part_) counts[static_cast<std::size_t>(rank)] += static_cast<int>(width);
  for (std::size_t r = 1; r < ranks; ++r) place[r] = place[r - 1] + static_cast<std::size_t>(counts[r - 1]);
  heard.resize(parts_.size() * width);
  all.resize(heard.size());
  exchange_->gather_all(own, counts, heard);
  // Own and foreign parts each stand in global order, so those of one rank do.
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::size_t& from = place[static_cast<std::size_t>(rank_of_part_[p])];
    std::copy_n(heard.begin() + static_cast<std::ptrdiff_t>(from), width,
                all.begin() + static_cast<std::ptrdiff_t>(parts_[p].index() * width));
    from += width;
  }
}

void Seam::total(std::span<ExactSum> sums) const {
  if (single() || whole_) return;
  std::vector<std::int64_t>& words = scratch_.words;
  words.clear();
  for (ExactSum& sum : sums) words.insert(words.end(), sum.words().begin(), sum.words().end());
  exchange_->sum(words);
  auto word = words.cbegin();
  for (ExactSum& sum : sums)
    for (std::int64_t& w : sum.words()) w = *word++;
}

std::size_t Seam::total(std::size_t count) const {
  if (single() || whole_) return count;
  auto word = static_cast<std::int64_t>(count);
  exchange_->sum({&word, 1});
  return static_cast<std::size_t>(word);
}

double Seam::largest(double here) const {
  if (std::isnan(here)) here = std::numeric_limits<double>::infinity();
  if (!single() && !whole_) exchange_->max({&here, 1});
  return here;
}

CouplingId Seam::where_largest(CouplingId local, double value) const {
  if (single() || whole_) return local;
  if (std::isnan(value)) value = std::numeric_limits<double>::infinity();
  const double most = largest(value);
  std::int64_t first =
      local.valid() && value == most ? global(local).value : std::numeric_limits<std::int64_t>::max();
  exchange_->min({&first, 1});
  return first == std::numeric_limits<std::int64_t>::max() ? CouplingId{}
                                                           : CouplingId{static_cast<std::size_t>(first)};
}

CouplingId where_worst(const Seam& seam, std::span<const double> per_coupling) {
  // As in largest(): not a number is worse than every number, on whichever rank.
  const auto worst = std::max_element(per_coupling.begin(), per_coupling.end(), [](double a, double b) {
    return !std::isnan(a) && (std::isnan(b) || a < b);
  });
  if (worst == per_coupling.end()) return seam.where_largest({}, -1);
  return seam.where_largest(CouplingId{static_cast<std::size_t>(worst - per_coupling.begin())}, *worst);
}

bool Seam::any(bool here) const {
  return single() ? here : cosimo::any(*exchange_, here);
}

}  // namespace cosimo
