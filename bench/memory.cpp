// Peak memory of a run with 10^7 masses, automatically cut: a few macro steps through the public
// interface, in a process of its own so that the system's account of it is not mixed with others.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/scenarios.hpp"

namespace cosimo::bench {

namespace {

/// What the child tells through the pipe.
struct Told {
  std::int64_t parts = 0, macro_steps = 0;
  double wall_s = 0;
  bool overlap = false;
};

/// In the child. Leaves at once: nothing of the parent's is destroyed twice.
[[noreturn]] void run_and_leave(const std::string& text, const Setting& setting,
                                const std::filesystem::path& folder, int pipe_end) {
  int code = 1;
  try {
    const Report report = run_to(text, setting, folder);
    const Told told{report.parts, report.macro_steps, report.wall_s, report.decomposition == "overlap"};
    if (write(pipe_end, &told, sizeof told) == static_cast<ssize_t>(sizeof told)) code = 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: memory: {}\n", error.what());
    std::fflush(stderr);
  }
  _exit(code);
}

}  // namespace

void memory(const Options& options, Table& table) {
  const std::size_t masses = options.quick ? 1'000'000 : 10'000'000;
  const std::string text = table_5_9_yaml(masses) +
                           "simulate: {end: 2.0e-7, output: 1.0e-7, record: [1]}\npartition: {parts: auto}\n";
  const Scratch scratch;
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("memory: no pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("memory: cannot start a process");
  if (child == 0) run_and_leave(text, {"memory", {}, options.threads}, scratch / "run", ends[1]);
  close(ends[1]);
  Told told;
  const bool heard = read(ends[0], &told, sizeof told) == static_cast<ssize_t>(sizeof told);
  close(ends[0]);
  int status = 0;
  rusage usage{};
  const bool reaped = wait4(child, &status, 0, &usage) == child;
  if (!reaped || !heard || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("memory: the run did not finish (out of memory?)");
  constexpr double GiB = 1024.0 * 1024.0, limit = 24;  // ru_maxrss counts KiB
  const double peak = static_cast<double>(usage.ru_maxrss) / GiB;
  table.add({"memory",
             fmt::format("{} masses, {} parts{}, peak", masses, told.parts, told.overlap ? ", overlap" : ""),
             "24 GiB", limit, peak, "GiB", peak / limit, Goal::at_most, 0.5,
             fmt::format("ours / 24 GiB; {:.0f} bytes per mass, {} macro steps, {:.1f} s",
                         peak * GiB * 1024 / static_cast<double>(masses), told.macro_steps, told.wall_s)});
}

}  // namespace cosimo::bench
