// Loops over small blocks whose size the compiler knows: the size of a block is looked up once, and
// everything inside is unrolled.
//
//   with_constant<1, 2, 3, 6>(body.freedoms, [&]<std::size_t F>() {
//     for (std::size_t k = 0; k < F; ++k) ...
//   });
#pragma once

#include <cstddef>

namespace cosimo {

/// Calls f with the one of `Sizes` that `size` is.
template <std::size_t... Sizes, class Function>
void with_constant(std::size_t size, Function&& f) {
  static_cast<void>(((size == Sizes && (f.template operator()<Sizes>(), true)) || ...));
}

/// The same with the rows of a constraint: one to six.
template <class Function>
void with_rows(std::size_t rows, Function&& f) {
  with_constant<1, 2, 3, 4, 5, 6>(rows, f);
}

}  // namespace cosimo
