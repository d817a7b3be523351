// Runs a command, and turns whatever it throws into a message and an exit code.
#pragma once

#include <functional>

namespace cosimo {
class Cluster;
}

namespace cosimo::cli {

/// Exit code 2 for wrong input, 1 for everything else. An error that the other ranks do not know of, who
/// would wait in vain, ends them all.
int guarded(Cluster& cluster, bool json, const std::function<int()>& command);

}  // namespace cosimo::cli
