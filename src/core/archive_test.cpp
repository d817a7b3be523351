#include "core/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cosimo {
namespace {

struct Inner {
  std::vector<double> values;
  std::optional<int> maybe;
  void archive(Archive& a) { a(values, maybe); }
  bool operator==(const Inner&) const = default;
};

struct Everything {
  double number = 0;
  std::int64_t count = 0;
  bool flag = false;
  std::string text;
  std::vector<Inner> inner;
  std::vector<bool> bits;
  std::array<double, 3> fixed{};
  std::map<int, double> shares;
  AlignedVector aligned;
  void archive(Archive& a) {
    a.section("everything");
    a(number, count, flag, text, inner, bits, fixed, shares, aligned);
  }
};

Everything filled() {
  Everything e;
  e.number = std::nextafter(0.1, 1);
  e.count = -7;
  e.flag = true;
  e.text = "a name";
  e.inner = {{{1, -0.0, std::numeric_limits<double>::infinity()}, 3}, {{}, {}}};
  e.bits = {true, false, true};
  e.fixed = {1e-310, 2, 3};
  e.shares = {{2, 0.5}, {-1, 0.25}};
  e.aligned.resize(2);
  e.aligned[1] = 4;
  return e;
}

TEST(Archive, GivesBackEverythingToTheBit) {
  Everything saved = filled();
  Archive out;
  saved.archive(out);
  const auto bytes = out.take();
  Everything loaded;
  Archive in(bytes);
  loaded.archive(in);
  in.finish();
  EXPECT_EQ(loaded.number, saved.number);
  EXPECT_EQ(loaded.count, saved.count);
  EXPECT_EQ(loaded.flag, saved.flag);
  EXPECT_EQ(loaded.text, saved.text);
  EXPECT_EQ(loaded.inner, saved.inner);
  EXPECT_TRUE(std::signbit(loaded.inner[0].values[1]));
  EXPECT_EQ(loaded.bits, saved.bits);
  EXPECT_EQ(loaded.fixed, saved.fixed);
  EXPECT_EQ(loaded.shares, saved.shares);
  ASSERT_EQ(loaded.aligned.size(), 2U);
  EXPECT_EQ(loaded.aligned[1], 4);
}

TEST(Archive, EveryTruncationIsFound) {
  Everything saved = filled();
  Archive out;
  saved.archive(out);
  const auto bytes = out.take();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    Everything loaded;
    Archive in{std::span<const std::byte>(bytes).first(n)};
    EXPECT_THROW(loaded.archive(in), ArchiveError) << n;
  }
}

TEST(Archive, WhatIsLeftOverIsFound) {
  Archive out;
  out(1, 2);
  const auto bytes = out.take();
  Archive in(bytes);
  int first = 0;
  in(first);
  EXPECT_THROW(in.finish(), ArchiveError);
}

TEST(Archive, SectionsAndLengthsMustAgree) {
  Archive out;
  std::vector<double> three(3);
  out.section("history");
  out(std::span<double>(three));
  const auto bytes = out.take();
  Archive other(bytes);
  EXPECT_THROW(other.section("controller"), ArchiveError);
  std::vector<double> two(2);
  Archive in(bytes);
  in.section("history");
  EXPECT_THROW(in(std::span<double>(two)), ArchiveError);
}

TEST(Archive, AHugeLengthAsksForNoMemory) {
  Archive out;
  out(std::uint64_t{1} << 60U);
  const auto bytes = out.take();
  std::vector<double> values;
  Archive in(bytes);
  EXPECT_THROW(in(values), ArchiveError);

  Archive again(bytes);
  std::vector<std::pair<std::string, std::vector<double>>> things;
  EXPECT_THROW(again(things), ArchiveError);
}

}  // namespace
}  // namespace cosimo
