#include "scheme/seam.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <ostream>

#include "parallel/thread_exchange.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;

constexpr std::size_t part_count = 7;
constexpr double untouched = -1;

/// A chain of seven parts with two bridges across it, so that ranks share several cuts and every rank has
/// some cut it is no part of. Ends have one to three coordinates.
Interface bridged_chain() {
  Interface interface;
  const auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t c = interface.couplings.size();
    Coupling coupling;
    coupling.element = ElementId{c};
    coupling.from = {PartId{a}, BodyId{10 * a + c}, Drive::force, 1 + c % 3};
    coupling.to = {PartId{b}, BodyId{10 * b + c}, Drive::force, 1 + (c + 1) % 2};
    interface.couplings.push_back(coupling);
  };
  for (std::size_t p = 0; p + 1 < part_count; ++p) {
    join(p, p + 1);
    if (p == 1) join(5, 1);
    if (p == 3) join(0, 3);
  }
  return interface;
}

struct Case {
  const char* name;
  int ranks;
  std::vector<int> rank_of_part;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

const Case cases[] = {
    {"Alone", 1, {0, 0, 0, 0, 0, 0, 0}},        {"Blocks", 2, {0, 0, 0, 0, 1, 1, 1}},
    {"Interlaced", 2, {0, 1, 0, 1, 0, 1, 0}},   {"Three", 3, {2, 0, 0, 1, 1, 0, 2}},
    {"IdleFirst", 3, {1, 1, 2, 2, 1, 1, 2}},    {"IdleLast", 4, {0, 0, 1, 1, 2, 2, 2}},
    {"AllOnTheLast", 3, {2, 2, 2, 2, 2, 2, 2}}, {"Five", 5, {4, 3, 2, 1, 0, 1, 2}},
};

/// A number that tells which coordinate of which end it is about.
double signal(std::size_t coupling, CutSide side, std::size_t coordinate, std::size_t k) {
  return 1000.0 * static_cast<double>(coupling) + (side == CutSide::to ? 500 : 0) +
         10.0 * static_cast<double>(coordinate) + static_cast<double>(k);
}

class SeamOf : public ::testing::TestWithParam<Case> {
 protected:
  using Body = std::function<void(Exchange&, Seam&)>;
  void on_ranks(bool whole, const Body& body) const {
    run_ranks(GetParam().ranks, [&](Exchange& exchange) {
      Seam seam(exchange, interface, {GetParam().rank_of_part, whole});
      body(exchange, seam);
    });
  }
  bool owns(int rank, PartId part) const { return GetParam().rank_of_part[part.index()] == rank; }
  const CutEnd& end(std::size_t coupling, CutSide side) const {
    const Coupling& c = interface.couplings[coupling];
    return side == CutSide::from ? c.from : c.to;
  }
  /// What is to be said of (or heard about) the ends.
  static std::vector<double> signals(const Seam& seam, std::span<const Seam::End> ends, std::size_t count,
                                     std::size_t width) {
    std::vector<double> numbers(count * width, untouched);
    for (const Seam::End& e : ends)
      for (std::size_t i = 0; i < e.coordinates; ++i)
        for (std::size_t k = 0; k < width; ++k)
          numbers[(e.first + i) * width + k] =
              signal(seam.global(CouplingId{e.coupling}).index(), e.side, i, k);
    return numbers;
  }
  static double value_of(CouplingId coupling) { return 0.1 * static_cast<double>(coupling.index() + 1); }

  const Interface interface = bridged_chain();
};

/// The middle one of three ranks, whose neighbours say nothing but zeros.
class Mute final : public Exchange {
 public:
  int rank() const override { return 1; }
  int ranks() const override { return 3; }
  void start(std::span<const Outgoing>, std::span<const Incoming>) override {}
  void finish() override {}
  void sum(std::span<std::int64_t>) override {}
  void max(std::span<double>) override {}
  void min(std::span<std::int64_t>) override {}
  void gather_all(std::span<const double>, std::span<const int>, std::span<double> all) override {
    std::ranges::fill(all, 0.0);
  }
  void broadcast(int, Bytes&) override {}
  std::vector<std::vector<std::int64_t>> swap(std::span<const std::vector<std::int64_t>>) override {
    return {3, std::vector<std::int64_t>()};
  }
  void send(int, Bytes) override {}
  Bytes receive(int) override { return {}; }
  void abort(int) override {}
};

TEST(Seam, MessagesAllocateNothingOnceTheyHaveBeenSent) {
  for (const bool whole : {false, true}) {
    Mute exchange;
    Seam seam(exchange, bridged_chain(), {{2, 0, 0, 1, 1, 0, 2}, whole});
    std::vector<double> own(2 * seam.own_coordinates()), foreign(2 * seam.foreign_coordinates()), all;
    std::vector<double> per_coupling(2 * bridged_chain().couplings.size()), per_part(2);
    std::array<ExactSum, 3> sums;
    const auto talk = [&] {
      const std::size_t before = allocation_count();
      seam.start(own, 2);
      seam.finish(foreign);
      if (!whole) seam.merge_max(per_coupling, 2);
      seam.gather_parts(per_part, 1, all);
      seam.total(sums);
      return allocation_count() - before;
    };
    EXPECT_GT(talk(), 0U);
    EXPECT_EQ(talk(), 0U);
  }
}

TEST(LocalView, OwnPartsComeFirstAndBothInGlobalOrder) {
  const Interface interface = bridged_chain();
  const Placement placement{{2, 0, 0, 1, 1, 0, 2}, false};
  const LocalView view = local_view(interface, placement, 1);
  EXPECT_EQ(view.own_parts, 2u);
  EXPECT_THAT(view.parts, ElementsAre(PartId{std::size_t{3}}, PartId{std::size_t{4}}, PartId{std::size_t{0}},
                                      PartId{std::size_t{1}}, PartId{std::size_t{2}}, PartId{std::size_t{5}},
                                      PartId{std::size_t{6}}));
  EXPECT_THAT(view.rank_of_part, ElementsAre(1, 1, 2, 0, 0, 0, 2));
  // The cuts that touch parts 3 and 4: 2-3, 3-4, 0-3 and 4-5.
  EXPECT_THAT(view.couplings, ElementsAre(CouplingId{std::size_t{3}}, CouplingId{std::size_t{4}},
                                          CouplingId{std::size_t{5}}, CouplingId{std::size_t{6}}));
  for (std::size_t c = 0; c < view.couplings.size(); ++c) {
    const Coupling &local = view.interface.couplings[c],
                   &global = interface.couplings[view.couplings[c].index()];
    EXPECT_EQ(local.element, global.element);
    EXPECT_EQ(local.from.body, global.from.body);
    EXPECT_EQ(view.parts[local.from.part.index()], global.from.part);
    EXPECT_EQ(view.parts[local.to.part.index()], global.to.part);
  }
  EXPECT_EQ(local_view(interface, {placement.rank_of_part, true}, 1).couplings.size(),
            interface.couplings.size());
}

TEST(LocalView, AnIdleRankKnowsPartsButNoCuts) {
  const LocalView view = local_view(bridged_chain(), {std::vector<int>(part_count, 0), false}, 1);
  EXPECT_EQ(view.own_parts, 0u);
  EXPECT_EQ(view.parts.size(), part_count);
  EXPECT_TRUE(view.couplings.empty());
}

TEST_P(SeamOf, EndsAreOwnOrForeignAndNumberedAlikeEverywhere) {
  for (const bool whole : {false, true})
    on_ranks(whole, [&](Exchange& exchange, Seam& seam) {
      if (exchange.single()) {
        EXPECT_TRUE(seam.single());
        return;
      }
      std::size_t own = 0, foreign = 0;  // coordinates
      for (std::size_t c = 0; c < interface.couplings.size(); ++c)
        for (const CutSide side : {CutSide::from, CutSide::to}) {
          const CutSide far = side == CutSide::from ? CutSide::to : CutSide::from;
          if (owns(exchange.rank(), end(c, side).part))
            own += end(c, side).coordinates;
          else if (whole || owns(exchange.rank(), end(c, far).part))
            foreign += end(c, side).coordinates;
        }
      EXPECT_EQ(seam.own_coordinates(), own);
      EXPECT_EQ(seam.foreign_coordinates(), foreign);
      for (const auto ends : {seam.own_ends(), seam.foreign_ends()})
        for (const Seam::End& e : ends) {
          const CutEnd& truth = end(seam.global(CouplingId{e.coupling}).index(), e.side);
          EXPECT_EQ(e.body, truth.body);
          EXPECT_EQ(e.coordinates, truth.coordinates);
          EXPECT_EQ(seam.global(PartId{e.part}), truth.part);
          EXPECT_EQ(seam.rank_of(e.part), GetParam().rank_of_part[truth.part.index()]);
        }
      const auto in_parts = [](const Seam::End& a, const Seam::End& b) {
        return a.part != b.part ? a.part < b.part : a.coupling < b.coupling;
      };
      EXPECT_TRUE(std::is_sorted(seam.own_ends().begin(), seam.own_ends().end(), in_parts));
      EXPECT_FALSE(seam.global(PartId{}).valid());
      EXPECT_FALSE(seam.global(CouplingId{}).valid());
    });
}

TEST_P(SeamOf, WhatIsSaidOfAnEndIsHeardOnTheRanksThatKnowIt) {
  for (const bool whole : {false, true})
    on_ranks(whole, [&](Exchange&, Seam& seam) {
      for (const std::size_t width : {std::size_t{1}, std::size_t{3}}) {  // one message after the other
        const auto own = signals(seam, seam.own_ends(), seam.own_coordinates(), width);
        std::vector<double> foreign(seam.foreign_coordinates() * width, untouched);
        seam.start(own, width);
        seam.finish(foreign);
        EXPECT_EQ(foreign, signals(seam, seam.foreign_ends(), seam.foreign_coordinates(), width));
      }
    });
}

TEST_P(SeamOf, OfOneStageNothingElseIsHeard) {
  on_ranks(false, [&](Exchange&, Seam& seam) {
    const auto stage = [](PartId part) { return static_cast<int>(part.index() * 5 % 3); };
    std::vector<int> stages;
    for (std::size_t p = 0; p < seam.parts(); ++p) stages.push_back(stage(seam.global(PartId{p})));
    seam.set_stages(stages);
    const auto own = signals(seam, seam.own_ends(), seam.own_coordinates(), 2);
    const auto all = signals(seam, seam.foreign_ends(), seam.foreign_coordinates(), 2);
    for (int now = 0; now < 3; ++now) {
      std::vector<double> foreign(all.size(), untouched), expected = foreign;
      seam.start(own, 2, now);
      seam.finish(foreign);
      for (const Seam::End& e : seam.foreign_ends())
        if (stage(seam.global(PartId{e.part})) == now)
          std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(2 * e.first), 2 * e.coordinates,
                      expected.begin() + static_cast<std::ptrdiff_t>(2 * e.first));
      EXPECT_EQ(foreign, expected) << "stage " << now;
    }
  });
}

TEST_P(SeamOf, BothRanksOfACutHaveTheLargerValue) {
  on_ranks(false, [&](Exchange& exchange, Seam& seam) {
    if (seam.single()) return;
    const LocalView view = local_view(interface, {GetParam().rank_of_part, false}, exchange.rank());
    const std::size_t width = 2;
    const auto said = [&](CouplingId coupling, int rank, std::size_t k) {
      const double sign = (coupling.index() + k) % 2 == 0 ? 1 : -1;
      return sign * rank + 10 * static_cast<double>(k);
    };
    std::vector<double> values, expected;
    for (std::size_t c = 0; c < view.couplings.size(); ++c) {
      const Coupling& coupling = view.interface.couplings[c];
      const int from = view.rank_of_part[coupling.from.part.index()],
                to = view.rank_of_part[coupling.to.part.index()];
      for (std::size_t k = 0; k < width; ++k) {
        values.push_back(said(view.couplings[c], exchange.rank(), k));
        expected.push_back(std::max(said(view.couplings[c], from, k), said(view.couplings[c], to, k)));
      }
    }
    seam.merge_max(values, width);
    EXPECT_EQ(values, expected);
  });
}

TEST_P(SeamOf, NumbersOfPartsComeInGlobalOrder) {
  for (const bool whole : {false, true})
    on_ranks(whole, [&](Exchange& exchange, Seam& seam) {
      std::vector<double> own, expected;
      for (std::size_t p = 0; p < part_count; ++p)
        for (const double k : {0.25, 0.5}) {
          const double number = static_cast<double>(p) + k;
          expected.push_back(number);
          if (owns(exchange.rank(), PartId{p})) own.push_back(number);
        }
      std::vector<double> all;
      seam.gather_parts(own, 2, all);
      EXPECT_EQ(all, expected);
    });
}

TEST_P(SeamOf, EveryCouplingCountsOnceInATotal) {
  ExactSum sum;
  for (std::size_t c = 0; c < interface.couplings.size(); ++c) sum.add(value_of(CouplingId{c}));
  const double expected = sum.value();
  for (const bool whole : {false, true})
    on_ranks(whole, [&](Exchange& exchange, Seam& seam) {
      const LocalView view = local_view(interface, {GetParam().rank_of_part, whole}, exchange.rank());
      std::vector<ExactSum> sums(2);
      std::size_t count = 0;
      for (std::size_t c = 0; c < view.couplings.size(); ++c)
        if (seam.counts(c)) {
          sums[0].add(value_of(view.couplings[c]));
          sums[1].add(-value_of(view.couplings[c]));
          ++count;
        }
      seam.total(sums);
      EXPECT_EQ(sums[0].value(), expected);
      EXPECT_EQ(sums[1].value(), -expected);
      EXPECT_EQ(seam.total(count), interface.couplings.size());
    });
}

TEST_P(SeamOf, AllRanksKnowTheLargestAndWhetherAnyIsTrue) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const int last = GetParam().ranks - 1;
  on_ranks(false, [&](Exchange& exchange, Seam& seam) {
    EXPECT_EQ(seam.largest(-exchange.rank() - 1.0), -1);
    EXPECT_EQ(seam.largest(exchange.rank() == last ? std::nan("") : 1), infinite);
    EXPECT_EQ(seam.any(exchange.rank() == last), true);
    EXPECT_EQ(seam.any(false), false);
  });
}

TEST_P(SeamOf, OfEqualLargestTheFirstCouplingIsBlamed) {
  for (const bool whole : {false, true})
    on_ranks(whole, [&](Exchange& exchange, Seam& seam) {
      const LocalView view = local_view(interface, {GetParam().rank_of_part, whole}, exchange.rank());
      const auto worst = [&](const std::function<double(std::size_t)>& error) {
        std::vector<double> errors;
        for (const CouplingId c : view.couplings) errors.push_back(error(c.index()));
        return where_worst(seam, errors);
      };
      for (std::size_t at = 0; at < interface.couplings.size(); ++at) {
        EXPECT_EQ(worst([&](std::size_t c) { return c == at ? 2.0 : 1.0; }), CouplingId{at});
        EXPECT_EQ(worst([&](std::size_t c) { return c >= at ? 2.0 : 1.0; }), CouplingId{at});
        // What is not a number is worse than every number.
        EXPECT_EQ(worst([&](std::size_t c) { return c == at ? std::nan("") : 3.0; }), CouplingId{at});
      }
      EXPECT_EQ(worst([](std::size_t) { return 0.0; }), CouplingId{std::size_t{0}});
    });
}

TEST_P(SeamOf, NobodyIsBlamedWhereNothingIsCut) {
  run_ranks(GetParam().ranks, [&](Exchange& exchange) {
    const Seam seam(exchange, Interface{}, {GetParam().rank_of_part, false});
    EXPECT_FALSE(where_worst(seam, {}).valid());
  });
}

TEST_P(SeamOf, PartsBesideOtherRanksAreKnown) {
  on_ranks(false, [&](Exchange& exchange, Seam& seam) {
    const LocalView view = local_view(interface, {GetParam().rank_of_part, false}, exchange.rank());
    for (std::size_t p = 0; p < view.own_parts; ++p) {
      bool expected = false;
      for (const Coupling& c : interface.couplings)
        if (c.from.part == view.parts[p] || c.to.part == view.parts[p])
          expected |= !owns(exchange.rank(), c.from.part) || !owns(exchange.rank(), c.to.part);
      EXPECT_EQ(seam.touches_others(p), expected) << "part " << view.parts[p].value;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, SeamOf, ::testing::ValuesIn(cases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Seam, OfARankOfItsOwnChangesNothing) {
  Seam seam;
  EXPECT_TRUE(seam.single());
  EXPECT_EQ(seam.global(PartId{std::size_t{3}}), PartId{std::size_t{3}});
  EXPECT_EQ(seam.global(CouplingId{std::size_t{4}}), CouplingId{std::size_t{4}});
  EXPECT_TRUE(seam.counts(5));
  EXPECT_FALSE(seam.touches_others(0));
  std::vector<double> values{1, 2, 3}, nothing;
  seam.start(values, 1);
  seam.finish(nothing);
  seam.merge_max(values, 1);
  EXPECT_THAT(values, ElementsAre(1, 2, 3));
  std::vector<double> all;
  seam.gather_parts(values, 1, all);
  EXPECT_EQ(all, values);
}

}  // namespace
}  // namespace cosimo
