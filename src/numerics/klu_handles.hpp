// Ownership of what SuiteSparse's KLU (Davis, Palamadai Natarajan 2010) allocates. For the source files of
// numerics/ that call KLU; includes its header, so no public header may include this one.
#pragma once

#include <klu.h>

#include <memory>

namespace cosimo {

inline klu_common klu_settings() {
  klu_common common;
  klu_defaults(&common);
  return common;
}

struct FreeKluSymbolic {
  void operator()(klu_symbolic* symbolic) const {
    klu_common common = klu_settings();
    klu_free_symbolic(&symbolic, &common);
  }
};

struct FreeKluNumeric {
  void operator()(klu_numeric* numeric) const {
    klu_common common = klu_settings();
    klu_free_numeric(&numeric, &common);
  }
};

using KluSymbolic = std::unique_ptr<klu_symbolic, FreeKluSymbolic>;
using KluNumeric = std::unique_ptr<klu_numeric, FreeKluNumeric>;

}  // namespace cosimo
