#include "series/frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cosimo::series {
namespace {

Frame sample() {
  return {{{"is", "done"}, {"job", 7}}, {1.5, -0.0, std::numeric_limits<double>::quiet_NaN(), 1e300}};
}

TEST(Frame, ComesBackToTheBitInAnyPieces) {
  const std::string bytes = encoded(sample()) + encoded({{{"is", "ready"}}});
  for (std::size_t piece = 1; piece < bytes.size(); piece = 3 * piece + 1) {
    FrameReader reader;
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < bytes.size(); i += piece) {
      reader.feed(std::string_view(bytes).substr(i, piece));
      while (auto frame = reader.next()) frames.push_back(std::move(*frame));
    }
    ASSERT_EQ(frames.size(), 2U) << piece;
    EXPECT_EQ(frames[0].head["job"], 7);
    ASSERT_EQ(frames[0].numbers.size(), 4U);
    EXPECT_TRUE(std::signbit(frames[0].numbers[1]));
    EXPECT_TRUE(std::isnan(frames[0].numbers[2]));
    EXPECT_EQ(frames[0].numbers[3], 1e300);
    EXPECT_EQ(frames[1].head["is"], "ready");
    EXPECT_EQ(reader.consumed(), bytes.size());
  }
}

TEST(Frame, EveryChangedByteIsSeen) {
  const std::string good = encoded(sample());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x20);
    FrameReader reader;
    reader.feed(bad);
    EXPECT_FALSE(reader.next().has_value()) << i;  // refused, or waiting for bytes that a length promises
  }
}

TEST(Frame, ATornOneIsNotThere) {
  const std::string whole = encoded(sample());
  FrameReader reader;
  reader.feed(whole);
  reader.feed(std::string_view(whole).substr(0, whole.size() - 1));
  EXPECT_TRUE(reader.next().has_value());
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_FALSE(reader.damaged());
  EXPECT_EQ(reader.consumed(), whole.size());
}

}  // namespace
}  // namespace cosimo::series
