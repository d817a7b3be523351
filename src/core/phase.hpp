// What a rank spends its time with: the shares of Section 4.4.
#pragma once

#include <cstdint>

namespace cosimo {

enum class Phase : std::uint8_t { solve, idle, snapshot, interface, transport, output };

}  // namespace cosimo
