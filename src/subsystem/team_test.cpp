#include "parallel/team.hpp"

#include <gtest/gtest.h>

#include "subsystem/testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

IntegratorOptions shared_by(Team& team, Method method) {
  IntegratorOptions options = samples::options_of(method, 1e-6);
  options.team = &team;
  return options;
}

/// Three in a step of five or six evaluations: when the waves are through, when borders are mended, at the
/// end.
TEST(StepsOfATeam, HaveFewMeetings) {
  const Model chain = make_chain(samples::unit_chain(3 * 2048));
  for (const Method method : {Method::rk, Method::merson}) {
    Team team;
    team.hire(3, true);
    samples::Uncut uncut(chain, shared_by(team, method));
    ASSERT_TRUE(uncut.step(0.5));
    const Counters& counters = uncut.integrator->status().counters;
    EXPECT_GT(counters.steps, 3);
    EXPECT_GT(team.meetings(), 0);
    EXPECT_LE(team.meetings(), 3 * (counters.steps + counters.rejected))
        << "fewer where members were left out";
  }
}

TEST(StepsOfATeam, AllocateNothing) {
  const Model chain = make_chain(samples::unit_chain(2 * 2048));
  Team team;
  team.hire(2, true);
  samples::Uncut uncut(chain, shared_by(team, Method::rk));
  ASSERT_TRUE(uncut.step(0.5));
  const std::size_t before = allocation_count();
  ASSERT_TRUE(uncut.step(1.5));
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace cosimo
