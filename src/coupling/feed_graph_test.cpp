#include "coupling/feed_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cosimo {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Signals between components that need not exist: all that counts is who depends on whom.
Interface signals(std::size_t count, const std::vector<std::pair<std::size_t, std::size_t>>& at_once) {
  Interface interface;
  for (std::size_t i = 0; i < count; ++i)
    interface.couplings.push_back(signal_coupling(PartId{i}, 0, PartId{i + 1}, 0));
  for (const auto& [from, to] : at_once)
    interface.transfers.push_back({CouplingId{from}, CouplingId{to}, 1, true});
  return interface;
}

FeedGraph graph_of(const Interface& interface) {
  return {interface, CouplingVariables(interface)};
}

TEST(FeedGraph, StatesNeedNoSettling) {
  Interface interface = signals(2, {});
  interface.transfers.push_back({CouplingId{std::size_t{0}}, CouplingId{std::size_t{1}}, 3, false});
  EXPECT_FALSE(graph_of(interface).needed());
}

TEST(FeedGraph, APathIsFollowedToItsEnd) {
  // u1 = 2 u0, u2 = u1 + 1, u3 = u2^2; written so that one pass in order would not do.
  const FeedGraph graph = graph_of(signals(4, {{3, 1}, {1, 0}, {0, 2}}));
  ASSERT_TRUE(graph.needed());
  EXPECT_THAT(graph.loop(), IsEmpty());
  std::vector<double> u(4);
  int calls = 0;
  EXPECT_TRUE(graph.settle(u, [&](std::span<const double> in, std::span<double> out) {
    ++calls;
    out[3] = 5;
    out[1] = 2 * in[3];
    out[0] = in[1] + 1;
    out[2] = in[0] * in[0];
  }));
  EXPECT_THAT(u, ElementsAre(11, 10, 121, 5));
  EXPECT_EQ(calls, 4) << "as many as the path has signals";
}

TEST(FeedGraph, ALoopIsSolvedForWhateverItsGainIs) {
  for (const double gain : {-50.0, -0.5, 0.5, 3.0}) {
    // a = gain b + 1, b = cos(a) / 2, c = a + b behind the loop.
    const FeedGraph graph = graph_of(signals(3, {{0, 1}, {1, 0}, {0, 2}, {1, 2}}));
    EXPECT_THAT(graph.loop(), ElementsAre(0, 1));
    std::vector<double> u(3);
    ASSERT_TRUE(graph.settle(u, [&](std::span<const double> in, std::span<double> out) {
      out[0] = gain * in[1] + 1;
      out[1] = 0.1 * std::cos(in[0]);
      out[2] = in[0] + in[1];
    })) << gain;
    EXPECT_NEAR(u[0], gain * u[1] + 1, 1e-12) << gain;
    EXPECT_NEAR(u[1], 0.1 * std::cos(u[0]), 1e-12) << gain;
    EXPECT_NEAR(u[2], u[0] + u[1], 1e-12) << gain;
  }
}

TEST(FeedGraph, ALoopWithoutSolutionIsToldApart) {
  const FeedGraph graph = graph_of(signals(2, {{0, 1}, {1, 0}}));
  std::vector<double> u{1, 1};
  EXPECT_FALSE(graph.settle(u, [](std::span<const double> in, std::span<double> out) {
    out[0] = in[1] + 1;
    out[1] = in[0];
  }));
  u = {1, 1};
  EXPECT_FALSE(graph.settle(u, [](std::span<const double> in, std::span<double> out) {
    out[0] = std::sqrt(-1 - in[1] * in[1]);
    out[1] = in[0];
  }));
}

}  // namespace
}  // namespace cosimo
