// Ctrl-C and SIGTERM ask a run to end in order at the next macro point; the second one kills.
#pragma once

#include <atomic>

namespace cosimo::cli {

/// Installs the handlers; the flag becomes true with the first signal.
const std::atomic<bool>& watch_interrupts();

}  // namespace cosimo::cli
