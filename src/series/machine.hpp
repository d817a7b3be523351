// Where a process runs, and what it takes there.
#pragma once

#include <sys/types.h>

#include <string>

namespace cosimo::series {

std::string machine_name();
std::string cpu_name();

/// MB of a process now (0: it is gone), and of this one at most since mark_memory().
double memory_mb(pid_t process);
double peak_memory_mb();
void mark_memory();

/// MB that may be used before somebody suffers: of the machine, or of the group that limits this process.
double available_memory_mb();

}  // namespace cosimo::series
