#include "numerics/pack_choice.hpp"

#include <cstdint>

#include "core/check.hpp"
#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/pack_choice.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_ONCE
namespace cosimo {

std::vector<std::string> pack_choices() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    names.emplace_back(hwy::TargetName(target));
  return names;
}

void choose_packs(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  std::int64_t chosen = 0;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if (name == hwy::TargetName(target)) chosen = target;
  COSIMO_CHECK(name.empty() || chosen != 0, "vector kernels for " + name);
  hwy::SetSupportedTargetsForTest(chosen);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace cosimo
#endif
