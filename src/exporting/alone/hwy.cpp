// Which vector instructions the processor has, for kernels that are compiled for several: what the library of
// Highway finds out. There is no static one, and an FMU carries everything.
#include <hwy/targets.h>

#include <atomic>
#include <cstdint>

namespace hwy {

namespace {

std::int64_t detect() {
  __builtin_cpu_init();
  std::int64_t found = HWY_SCALAR | HWY_EMU128;
  if (!__builtin_cpu_supports("ssse3")) return found;
  found |= HWY_SSSE3;
  if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2") ||
      !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("aes"))
    return found;
  found |= HWY_SSE4;
  if (!__builtin_cpu_supports("avx") || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("lzcnt") ||
      !__builtin_cpu_supports("f16c"))
    return found;
  found |= HWY_AVX2;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512cd"))
    return found;
  return found | HWY_AVX3;
}

}  // namespace

std::int64_t SupportedTargets() {
  static const std::int64_t found = detect();
  return found;
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

void SetSupportedTargetsForTest(std::int64_t) {}

}  // namespace hwy
