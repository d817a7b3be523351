// Values of vectors as part of an archive.
//
// Which of them share an array is kept: a sum of vectors that share one adds their factors first
// (integrator/nvector.hpp), so copies of equal contents in its place would round differently.
//
//   ValueArchive values(space, a);     saves or loads, as the archive does
//   values(x), values(y), ...          those that may share an array through the same ValueArchive
#pragma once

#include <vector>

#include "core/archive.hpp"
#include "integrator/nvector.hpp"

namespace cosimo {

class ValueArchive {
 public:
  /// Loaded arrays come from `space`. Both must outlive it.
  ValueArchive(VectorSpace& space, Archive& a) : space_(space), archive_(a) {}

  /// Of share(): computed, without stamps.
  void operator()(VectorValue& value);

 private:
  void contents(StateArray& array);

  VectorSpace& space_;
  Archive& archive_;
  std::vector<Ref<StateArray>> arrays_;  ///< so far
};

}  // namespace cosimo
