#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/aligned.hpp"
#include "mechanics/elimination_schedule.hpp"
#include "mechanics/elimination_tree.hpp"
#include "numerics/pack_choice.hpp"

namespace cosimo {
namespace {

/// Programs with blocks of every size: a chain of bodies with other joints, a star, and chains with arms in
/// space and in the plane, so long that leaves have borders.
std::vector<BlockProgram> programs() {
  std::vector<BlockProgram> out;
  for (const int kind : {0, 1, 2, 3}) {
    const bool star = kind == 1, balls = kind == 2, pins = kind == 3;
    const std::uint32_t links = balls || pins ? 80 : 12;
    std::vector<TreeBody> bodies{pins ? TreeBody{3, false} : TreeBody{6, true}};
    std::vector<std::vector<std::uint32_t>> ends;
    std::vector<TreeConstraint> constraints;
    for (std::uint32_t k = 1; k <= links; ++k) {
      const std::uint32_t freedoms = balls ? 6 : pins ? 3 : std::vector<std::uint32_t>{6, 3, 2, 1}[k % 4];
      bodies.push_back({freedoms, freedoms == 6});
      ends.push_back({star ? 0 : k - 1, k});
    }
    for (std::uint32_t k = 0; k < ends.size(); ++k)
      constraints.push_back({balls ? 3 : pins ? 2 : 1 + k % 6, ends[k], pins || (balls && k != 5)});
    const TreePlan plan = make_tree_plan(bodies, constraints);
    EXPECT_EQ(std::count(plan.has_arms.begin(), plan.has_arms.end(), true), balls ? 79 : pins ? 81 : 0);
    for (std::size_t k = 0; k < plan.order.leaves.size(); ++k)
      out.push_back(make_domain_program(plan, static_cast<std::int32_t>(k)).program);
    out.push_back(make_domain_program(plan, -1).program);
  }
  return out;
}

/// All lists of a program, one after the other, on random numbers: whatever they mean, each lane gets the
/// same bits for itself, in packs of two, four and eight, and with the instructions of any machine.
/// What is not a number has no sign that processors agree on.
std::uint64_t bits_of(double x) {
  return std::bit_cast<std::uint64_t>(std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x);
}

TEST(EliminationKernels, LanesGetTheSameBitsInAnyPack) {
  std::mt19937_64 rng(2);
  for (const BlockProgram& program : programs()) {
    std::vector<AlignedVector> single;
    for (std::size_t lane = 0; lane < 8; ++lane) {
      single.emplace_back(program.places);
      for (double& x : single.back()) x = 0.5 + 0x1.0p-63 * static_cast<double>(rng());
    }
    const auto run = [&](double* values, std::size_t width, Shares shares) {
      for (const auto list : {&BlockProgram::prepare, &BlockProgram::factor, &BlockProgram::rows,
                              &BlockProgram::forward, &BlockProgram::backward, &BlockProgram::respond})
        run_block_ops(program.*list, values, width, shares);
    };
    const auto side_by_side = [&](std::size_t width) {
      AlignedVector values(width * program.places);
      for (std::size_t p = 0; p < program.places; ++p)
        for (std::size_t lane = 0; lane < width; ++lane) values[p * width + lane] = single[lane][p];
      return values;
    };
    std::vector<AlignedVector> wide;
    for (const std::size_t width : {2U, 4U, 8U}) wide.push_back(side_by_side(width));
    const std::vector<AlignedVector> begun = wide;
    for (const Shares shares : {Shares::found, Shares::known}) {
      std::vector<AlignedVector> expected = single;
      for (AlignedVector& lane : expected) run(lane.data(), 1, shares);
      for (const std::string& processor : pack_choices()) {
        choose_packs(processor);
        for (std::size_t k = 0; k < wide.size(); ++k) {
          wide[k] = begun[k];
          const std::size_t width = wide[k].size() / program.places;
          run(wide[k].data(), width, shares);
          for (std::size_t p = 0; p < program.places; ++p)
            for (std::size_t lane = 0; lane < width; ++lane)
              ASSERT_EQ(bits_of(wide[k][p * width + lane]), bits_of(expected[lane][p]))
                  << processor << " width " << width << " place " << p;
        }
      }
      choose_packs();
    }
  }
}

/// Lists in the order of the scheduler leave the same numbers in every place.
TEST(EliminationKernels, SchedulesGiveTheSameBits) {
  std::mt19937_64 rng(3);
  for (const BlockProgram& program : programs()) {
    AlignedVector begun(program.places);
    for (double& x : begun) x = 0.5 + 0x1.0p-63 * static_cast<double>(rng());
    const auto compare = [&](const std::vector<const std::vector<BlockOp>*>& lists,
                             const std::vector<BlockOp>& leaders, Pace pace) {
      std::vector<BlockOp> ops;
      for (const auto* list : lists) ops.insert(ops.end(), list->begin(), list->end());
      const std::vector<BlockOp> other = schedule(ops, leaders, pace);
      EXPECT_EQ(other.size(), ops.size());
      AlignedVector expected = begun, found = begun;
      run_block_ops(ops, expected.data(), 1);
      run_block_ops(other, found.data(), 1);
      for (std::size_t p = 0; p < program.places; ++p)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(found[p]), std::bit_cast<std::uint64_t>(expected[p])) << p;
    };
    compare({&program.prepare, &program.rows, &program.factor, &program.forward}, program.forward,
            Pace::late);
    compare({&program.rows, &program.forward}, program.forward, Pace::late);
    compare({&program.backward, &program.respond, &program.rows}, program.backward, Pace::early);
  }
}

}  // namespace
}  // namespace cosimo
