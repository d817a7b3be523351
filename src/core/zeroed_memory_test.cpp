#include "core/zeroed_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/support/resident_memory.hpp"

namespace cosimo {
namespace {

constexpr std::size_t large = std::size_t{1} << 26;

unsigned char* bytes(const ZeroedMemory& memory) {
  return static_cast<unsigned char*>(memory.data());
}

TEST(ZeroedMemory, IsAlignedAndZeroed) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{100}, ZeroedMemory::mapped_from - 1,
                              ZeroedMemory::mapped_from, ZeroedMemory::mapped_from + 1}) {
    const ZeroedMemory memory(n);
    EXPECT_EQ(memory.bytes(), n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0U);
    const std::vector<unsigned char> zeros(n, 0);
    EXPECT_EQ(std::memcmp(memory.data(), zeros.data(), n), 0);
  }
  EXPECT_EQ(ZeroedMemory(0).data(), nullptr);
}

TEST(ZeroedMemory, MovesItsBlock) {
  ZeroedMemory memory(10);
  void* const place = memory.data();
  ZeroedMemory other = std::move(memory);
  EXPECT_EQ(other.data(), place);
  ZeroedMemory third(large);
  third = std::move(other);
  EXPECT_EQ(third.data(), place);
  EXPECT_EQ(third.bytes(), 10U);
}

TEST(ZeroedMemory, CopiesWhatDiffersAndClearsWhatIsNotZero) {
  const ZeroedMemory from(large), to(large);
  bytes(from)[5000] = 1;
  bytes(from)[large - 1] = 2;
  bytes(to)[70000] = 3;  // must become zero
  const std::size_t before = resident_bytes();
  copy_differing(to.data(), from.data(), large);
  EXPECT_EQ(std::memcmp(to.data(), from.data(), large), 0);
  clear(to.data(), large);
  EXPECT_EQ(bytes(to)[5000], 0);
  EXPECT_EQ(bytes(to)[large - 1], 0);
  copy_into_zeros(to.data(), from.data(), large);
  EXPECT_EQ(std::memcmp(to.data(), from.data(), large), 0);
  EXPECT_LT(resident_bytes(), before + large / 4);
}

}  // namespace
}  // namespace cosimo
