#include "progress_bar.hpp"

#include <gmock/gmock.h>

namespace cosimo::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Progress half_way{
    .time = 5, .end = 10, .macro_steps = 12, .rejected = 1, .H = 0.25, .kappa = 2, .wall_s = 40};

TEST(ProgressBar, PiecesOfARun) {
  const Course course = course_of(half_way);
  EXPECT_DOUBLE_EQ(course.share, 0.5);
  EXPECT_EQ(course.left, "40 s left");
  EXPECT_THAT(course.more, ElementsAre("t = 5 of 10", "H = 2.50e-01", "order 2", "12 steps, 1 rejected"));
}

TEST(ProgressBar, NoTimeLeftInTheFirstMoment) {
  EXPECT_EQ(course_of({.time = 1e-3, .end = 1, .wall_s = 0.1}).left, "");
}

TEST(ProgressBar, FillsTheWidthAndNeverMore) {
  for (const bool unicode : {false, true})
    for (std::size_t columns = 1; columns < 160; ++columns) {
      const std::string line = progress_line(course_of(half_way), {.columns = columns, .unicode = unicode});
      EXPECT_LE(width_of(line), columns > 1 ? columns - 1 : 1) << line;
    }
  const Look wide{.columns = 200, .unicode = true};
  EXPECT_EQ(width_of(progress_line(course_of(half_way), wide)),
            width_of(progress_line(course_of(half_way), {.columns = 160, .unicode = true})));
}

TEST(ProgressBar, TheTimeLeftGoesLast) {
  const auto line = [](std::size_t columns) {
    return progress_line(course_of(half_way), {.columns = columns});
  };
  EXPECT_EQ(line(120),
            " 50.0 %  [###################-------------------]  40 s left  t = 5 of 10  H = 2.50e-01  order "
            "2  12 steps, 1 rejected");
  EXPECT_EQ(line(45), " 50.0 %  [####-----]  40 s left  t = 5 of 10");
  EXPECT_EQ(line(35), " 50.0 %  [######------]  40 s left");
  EXPECT_EQ(line(25), " 50.0 %  40 s left");
  EXPECT_EQ(line(12), "40 s left");
  EXPECT_EQ(line(5), "40 s");
}

TEST(ProgressBar, ColourChangesNoLetter) {
  const Look plain{.columns = 60}, coloured{.columns = 60, .colour = true};
  std::string line = progress_line(course_of(half_way), coloured);
  EXPECT_THAT(line, HasSubstr("\033[32m"));
  for (std::size_t at = 0; (at = line.find('\033')) != line.npos;)
    line.erase(at, line.find('m', at) + 1 - at);
  EXPECT_EQ(line, progress_line(course_of(half_way), plain));
  EXPECT_THAT(progress_line(course_of(half_way), plain), Not(HasSubstr("\033")));
}

TEST(ProgressBar, ShareIsBounded) {
  EXPECT_EQ(course_of({.time = 11, .end = 10}).share, 1);
  EXPECT_EQ(course_of({.time = 0, .end = 0}).share, 1);
}

}  // namespace
}  // namespace cosimo::cli
