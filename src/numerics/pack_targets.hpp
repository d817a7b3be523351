// Which processors vector kernels are compiled for. To be included before <hwy/foreach_target.h>.
//
// A file of kernels is compiled once for each target; the best one that the processor has is chosen when the
// program runs. Between SSE2 and SSE4 nothing is gained, nor by the newest additions to AVX-512. Vectors
// whose length is not known when the program is compiled cannot be part of a structure.
#pragma once

#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
