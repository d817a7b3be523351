// Ctrl-C, SIGTERM, SIGHUP and SIGUSR1 ask a run to end in order, with a checkpoint; a second Ctrl-C kills.
#pragma once

#include <atomic>

namespace cosimo::cli {

/// Installs the handlers; the flag becomes true with the first signal.
const std::atomic<bool>& watch_interrupts();

}  // namespace cosimo::cli
