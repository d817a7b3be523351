#include "numerics/largest_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "numerics/pack_choice.hpp"

namespace cosimo {
namespace {

TEST(LargestMotion, IsFoundAtEveryPlaceByEveryProcessor) {
  for (const std::string& packs : pack_choices()) {
    choose_packs(packs);
    for (const std::size_t n : {1U, 7U, 8U, 9U, 40U, 43U})
      for (std::size_t place = 0; place < n; ++place) {
        std::vector<double> q(n, 2.0), start(n, 1.5), v(n, -0.25);
        q[place] = -3;
        v[n - 1 - place] = -7;
        const MotionSize most = largest_motion(q, start, v);
        EXPECT_EQ(most.position, 4.5) << packs << ", " << n << " coordinates";
        EXPECT_EQ(most.velocity, 7.0);
      }
  }
  choose_packs();
}

TEST(LargestMotion, IgnoresWhatIsNotANumberButNotTheInfinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> q(20, 1.0), start(20, 0.0), v(20, 2.0);
  q[3] = v[17] = nan;
  EXPECT_EQ(largest_motion(q, start, v).position, 1);
  EXPECT_EQ(largest_motion(q, start, v).velocity, 2);
  v[18] = -std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isinf(largest_motion(q, start, v).velocity));
  EXPECT_EQ(largest_motion({}, {}, {}).position, 0);
}

}  // namespace
}  // namespace cosimo
