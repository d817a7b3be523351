// For the tests of this module: how often the program has called operator new.
#pragma once

#include <cstddef>

namespace cosimo {

std::size_t allocation_count();

}  // namespace cosimo
