// fuzz: tries mutants of the examples on the program (judge.hpp says what must hold).
//
//   build/release/bin/fuzz --count 100000 --seed 7 --jobs 2
//
// Every mutant that something is wrong with is written to the folder of --out, beside what is wrong and how
// to repeat it. Exit code 0: nothing found; 1: something; 2: wrong arguments.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <new>

#include "cosimo/cosimo.hpp"
#include "judge.hpp"
#include "mutate.hpp"

int cosimo_main(int argc, char** argv);  // apps/cosimo/main.cpp, renamed

namespace cosimo::fuzz {
namespace {

struct Arguments {
  std::uint64_t count = 2000, seed = 1, first = 0;
  int jobs = 2;
  std::filesystem::path source = COSIMO_SOURCE_DIR, out = "fuzz.out";
  Patience patience;
};

/// What the jobs have counted together; in memory that they share.
struct Tally {
  std::atomic<std::uint64_t> next, tried, found, broken_jobs;
  std::array<std::atomic<std::uint64_t>, 3> check, run;  ///< by exit code
  std::atomic<std::uint64_t> slowest_ms, most_mib;
};

void raise_to(std::atomic<std::uint64_t>& largest, std::uint64_t value) {
  std::uint64_t seen = largest;
  while (seen < value && !largest.compare_exchange_weak(seen, value)) {
  }
}

void count(Tally& tally, const Verdict& verdict) {
  const auto in = [](auto& counts, const Trial& trial) {
    if (trial.signal == 0 && trial.code >= 0 && trial.code < 3)
      ++counts[static_cast<std::size_t>(trial.code)];
  };
  in(tally.check, verdict.check);
  in(tally.run, verdict.run);
  for (const Trial* trial : {&verdict.check, &verdict.run}) {
    raise_to(tally.slowest_ms, static_cast<std::uint64_t>(1e3 * trial->wall_s));
    raise_to(tally.most_mib, trial->peak_bytes >> 20);
  }
}

void keep(const Arguments& arguments, std::uint64_t number, const Mutant& mutant, const Verdict& verdict) {
  std::filesystem::create_directories(arguments.out);
  const std::string name = fmt::format("{}-{}", arguments.seed, number);
  std::ofstream(arguments.out / (name + ".yaml"), std::ios::binary) << mutant.text;
  std::ofstream note(arguments.out / (name + ".txt"));
  for (const std::string& fault : verdict.faults) {
    note << fault << "\n";
    fmt::print("{}: {}\n", name, fault);
  }
  std::fflush(stdout);
  note << "\n"
       << mutant.story << "\n\ncosimo check " << name << ".yaml\ncosimo run " << name
       << ".yaml --out out --threads 2\nfuzz --seed " << arguments.seed << " --first " << number
       << " --count 1\n";
  for (const Trial* trial : {&verdict.check, &verdict.run})
    note << "\n-- " << (trial == &verdict.check ? "check" : "run") << ", exit code " << trial->code
         << ", signal " << trial->signal << ", " << trial->wall_s << " s, " << (trial->peak_bytes >> 20)
         << " MiB --\n"
         << trial->err.substr(0, 4000);
}

/// Takes the next mutant until all are taken.
void work(const Arguments& arguments, const Corpus& corpus, Tally& tally,
          const std::filesystem::path& folder) {
  for (std::uint64_t i = tally.next++; i < arguments.count; i = tally.next++) {
    const std::uint64_t number = arguments.first + i;
    const Mutant next = mutant(corpus, arguments.seed, number);
    const Verdict verdict = judge(cosimo_main, next.text, folder, arguments.patience);
    count(tally, verdict);
    ++tally.tried;
    if (verdict.faults.empty()) continue;
    ++tally.found;
    keep(arguments, number, next, verdict);
  }
}

void work_in_jobs(const Arguments& arguments, const Corpus& corpus, Tally& tally) {
  const std::filesystem::path scratch =
      std::filesystem::temp_directory_path() / fmt::format("cosimo-fuzz-{}", ::getpid());
  std::fflush(stdout);
  for (int job = 0; job < arguments.jobs; ++job) {
    if (::fork() != 0) continue;
    work(arguments, corpus, tally, scratch / std::to_string(job));
    ::_exit(0);
  }
  for (int status = 0; ::wait(&status) > 0;)
    if (status != 0) ++tally.broken_jobs;
  std::filesystem::remove_all(scratch);
}

int report(const Arguments& arguments, const Tally& tally) {
  const auto codes = [](const auto& counts) {
    return fmt::format("{} ended well, {} failed, {} were refused", counts[0].load(), counts[1].load(),
                       counts[2].load());
  };
  fmt::print("{} mutants of seed {} from {}\ncheck: {}\nrun: {}\nlongest {:.1f} s, most memory {} MiB\n",
             tally.tried.load(), arguments.seed, arguments.first, codes(tally.check), codes(tally.run),
             1e-3 * static_cast<double>(tally.slowest_ms), tally.most_mib.load());
  if (tally.broken_jobs > 0) fmt::print("{} jobs broke down\n", tally.broken_jobs.load());
  if (tally.found > 0) fmt::print("{} mutants are wrong in {}\n", tally.found.load(), arguments.out.string());
  return tally.found > 0 || tally.tried < arguments.count ? 1 : 0;
}

int start(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Tries mutants of the examples on cosimo", "fuzz");
  app.add_option("--count", arguments.count, "Number of mutants (default: 2000)");
  app.add_option("--seed", arguments.seed, "Another seed, other mutants (default: 1)");
  app.add_option("--first", arguments.first, "Number of the first mutant (default: 0)");
  app.add_option("--jobs", arguments.jobs, "Mutants at a time (default: 2)")->check(CLI::Range(1, 1024));
  app.add_option("-o,--out", arguments.out,
                 "Folder for mutants that something is wrong with (default: fuzz.out)");
  app.add_option("--interrupt", arguments.patience.run_s, "Seconds after which a run is interrupted");
  app.add_option("--patience", arguments.patience.end_s, "Seconds until it must have ended");
  app.add_option("--memory", arguments.patience.bytes, "Bytes that a command may take; 0: all there are");
  CLI11_PARSE(app, argc, argv);

  const std::array folders = {arguments.source / "examples", arguments.source / "tests/cases"};
  const Corpus corpus = Corpus::of(folders, scenario_schema());
  void* const shared =
      ::mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::bad_alloc();
  Tally& tally = *new (shared) Tally{};
  work_in_jobs(arguments, corpus, tally);
  return report(arguments, tally);
}

}  // namespace
}  // namespace cosimo::fuzz

int main(int argc, char** argv) {
  return cosimo::fuzz::start(argc, argv);
}
