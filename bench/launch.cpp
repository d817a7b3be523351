#include "bench/launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

namespace cosimo::bench {

nlohmann::json on_ranks(int ranks, const std::string& arguments) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "cosimo_bench_ranks";
  std::string command = fmt::format("'{}' {}", program.string(), arguments);
  if (ranks > 1) {
    if (geteuid() == 0) {  // containers have no other user; mpirun wants to be asked twice
      setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
      setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    }
    // Ranks with threads of their own must not be bound to a core each.
    const bool crowded = ranks > static_cast<int>(std::thread::hardware_concurrency());
    command =
        fmt::format("mpirun -n {} --bind-to none{} {}", ranks, crowded ? " --oversubscribe" : "", command);
  }
  std::fflush(stdout);
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot start " + command);
  std::string text;
  std::array<char, 4096> block{};
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe)) text.append(block.data(), n);
  if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
  return nlohmann::json::parse(text);
}

}  // namespace cosimo::bench
