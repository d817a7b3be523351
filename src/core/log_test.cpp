#include "core/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cosimo {
namespace {

TEST(Log, PassesLevelAndTextToItsSink) {
  std::vector<std::string> heard;
  const Log log([&heard](LogLevel level, std::string_view text) {
    heard.push_back((level == LogLevel::warning ? "warning: " : "info: ") + std::string(text));
  });
  const Log copy = log;
  log.info("started");
  copy.warning("slow");
  EXPECT_TRUE(copy.listening());
  EXPECT_THAT(heard, testing::ElementsAre("info: started", "warning: slow"));
}

TEST(Log, IsSilentByDefault) {
  const Log log;
  EXPECT_FALSE(log.listening());
  log.info("nobody hears this");
}

}  // namespace
}  // namespace cosimo
