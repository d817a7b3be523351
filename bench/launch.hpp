// Starts cosimo_bench_ranks, the program beside this one, with mpirun, and reads what it prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cosimo::bench {

/// One rank is started without mpirun, as a user would. Throws std::runtime_error when the program fails.
nlohmann::json on_ranks(int ranks, const std::string& arguments);

}  // namespace cosimo::bench
