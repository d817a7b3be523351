// For tests: how often the program has called operator new. Linked into every test program.
#pragma once

#include <cstddef>

namespace cosimo {

std::size_t allocation_count();

}  // namespace cosimo
