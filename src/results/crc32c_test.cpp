#include "results/crc32c.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "core/random.hpp"

namespace cosimo {
namespace {

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST(Crc32c, KnownValues) {
  // RFC 3720, B.4, and the check value of the catalogue of CRC algorithms.
  EXPECT_EQ(crc32c(bytes("123456789")), 0xE3069283u);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32)), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0xff})), 0x62A8AB43u);
  EXPECT_EQ(crc32c({}), 0u);
}

TEST(Crc32c, TablesAndProcessorAgreeAtEveryLengthAndSplit) {
  const RandomStream random(3, 1);
  std::vector<std::byte> data(100);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<std::byte>(static_cast<int>(random.uniform(i, 0, 256)));
  for (std::size_t n = 0; n <= data.size(); ++n) {
    const auto all = std::span<const std::byte>(data).first(n);
    EXPECT_EQ(crc32c(all), crc32c_by_table(all));
    for (std::size_t split = 0; split <= n; ++split)
      ASSERT_EQ(crc32c(all.subspan(split), crc32c(all.first(split))), crc32c(all));
  }
}

}  // namespace
}  // namespace cosimo
