// Series of short runs: what a variant costs beside its run, against a process for every run, and how soon a
// finished series is known to be finished.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/benchmarks.hpp"
#include "bench/timing.hpp"
#include "cosimo/series.hpp"

namespace cosimo::bench {

namespace {

namespace fs = std::filesystem;

constexpr int workers = 2;

/// A folder that is gone afterwards.
class Place {
 public:
  Place() : path_(fs::temp_directory_path() / fmt::format("cosimo-bench-sweep-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Place() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }

 private:
  fs::path path_;
};

/// The program `cosimo` of the same build.
fs::path program() {
  const fs::path own = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& file : {own / "cosimo", own.parent_path() / "bin" / "cosimo"})
    if (fs::exists(file)) return file;
  throw std::runtime_error("the program cosimo is not beside the benchmarks: build the target cosimo_app");
}

/// Two masses; the time that is simulated is what a run costs.
std::string scenario(double end) {
  return fmt::format(
      "cosimo: 1\nmodel:\n  chain: {{masses: 2, mass: 1, spring: {{c: [100, 50, 100]}}, initial: {{x: [-0.1, "
      "0.1], v: 0}}}}\nsimulate: {{end: {}, output: {}}}\npartition: none\nsolve: {{rtol: 1.0e-9}}\n",
      end, end / 100);
}

std::string series(std::size_t variants) {
  return fmt::format(
      "cosimo: 1\nsweep:\n  scenario: two.yaml\n  vary:\n    model.chain.spring.c.2: {{from: 10, to: 160, "
      "points: {}}}\n  measure: {{largest: max(abs(1.x))}}\n",
      variants);
}

struct Processes {
  int workers = 0, threads = 0;  ///< 0: the program chooses
};

SeriesReport sweep(const Place& place, const std::string& folder, const Processes& processes = {workers, 1}) {
  SeriesOptions options;
  options.output_dir = place / folder;
  options.workers = processes.workers;
  options.threads = processes.threads;
  options.program = program();
  const SeriesReport report = run(Series::load(place / "series.yaml"), options);
  if (report.done != report.variants) throw std::runtime_error("a series did not end well: " + report.reason);
  return report;
}

double shell(const std::string& command) {
  return seconds([&] {
    if (std::system(command.c_str()) != 0) throw std::runtime_error("this failed: " + command);
  });
}

bool there(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

/// Wall time of the same runs, each in a process of its own.
double processes(const Place& place, std::size_t variants, bool parallel) {
  const std::string run = fmt::format(
      "{} run {}/two.yaml --quiet --no-report --threads 1 --set model.chain.spring.c.2={{}} --out "
      "{}/runs/{{}}",
      program().string(), (place / "").string(), (place / "").string());
  std::string list;
  for (std::size_t i = 0; i < variants; ++i)
    list += fmt::format("{}\n", 10 + 150.0 * static_cast<double>(i) / static_cast<double>(variants - 1));
  place.write("list", list);
  fs::create_directories(place / "runs");
  const std::string many = parallel ? fmt::format("parallel --will-cite -j {} ", workers)
                                    : fmt::format("xargs -P {} -I{{}} ", workers);
  return shell(many + run + " <" + (place / "list").string());
}

/// The same by Python's pool of processes on the module; below zero: there is none.
double python_pool(const Place& place, std::size_t variants) {
  if (!there("python3 -c 'import cosimo'")) return -1;
  place.write("pool.py", fmt::format(R"(import sys, time, concurrent.futures, cosimo
def one(c):
    r = cosimo.load(sys.argv[1] + '/two.yaml', {{'model.chain.spring.c.2': c}}).run(threads=1)
    return abs(r['1.x']).max()
if __name__ == '__main__':
    n = {}
    with concurrent.futures.ProcessPoolExecutor({}) as pool:
        list(pool.map(one, [10 + 150 * i / (n - 1) for i in range(n)]))
)",
                                     variants, workers));
  return shell(fmt::format("python3 {} {}", (place / "pool.py").string(), (place / "").string()));
}

double sum_of(const std::vector<double>& times) {
  double sum = 0;
  for (const double time : times)
    if (!std::isnan(time)) sum += time;
  return sum;
}

/// Seconds of all runs together, as they tell.
double run_seconds(const Place& place, const std::string& folder) {
  return sum_of(read_series(place / folder).wall_s);
}

/// Processor time of this process and those that it has waited for.
double processor_seconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      sum += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return sum;
}

void short_runs(const Options& options, Table& table) {
  const Place place;
  const std::size_t variants = options.quick ? 200 : 1000;
  place.write("two.yaml", scenario(40));
  place.write("series.yaml", series(variants));
  const double before = processor_seconds();
  const SeriesReport ours = sweep(place, "ours");
  const double all = processor_seconds() - before;
  const double runs = run_seconds(place, "ours"), own = sum_of(read_series(place / "ours").cpu_s);
  const double each = 1e3 * (ours.wall_s * workers - runs) / static_cast<double>(variants);
  table.add(
      {.benchmark = "sweep",
       .work = fmt::format("{} variants of {:.1f} ms on {} processes: what each costs beside its run",
                           variants, 1e3 * runs / static_cast<double>(variants), workers),
       .reference = "the runs themselves",
       .reference_value = 1e3 * runs / static_cast<double>(variants),
       .our_value = each,
       .unit = "ms",
       .ratio = each,
       .goal = Goal::at_most,
       .target = 1,
       .note = fmt::format("processor time {:.2f} ms", 1e3 * (all - own) / static_cast<double>(variants))});
  const bool parallel = there("parallel --version");
  const double theirs = processes(place, variants, parallel);
  table.add({.benchmark = "sweep",
             .work = fmt::format("the same: how many times as fast as a process for every run"),
             .reference = parallel ? "GNU parallel, cosimo run" : "xargs -P, cosimo run",
             .reference_value = theirs,
             .our_value = ours.wall_s,
             .unit = "s",
             .ratio = theirs / ours.wall_s,
             .goal = Goal::at_least,
             .target = 3,
             .note = parallel ? "" : "GNU parallel is not installed"});
  const double pool = python_pool(place, variants);
  if (pool < 0) return table.remark("sweep: there is no Python module cosimo to compare with");
  table.add({.benchmark = "sweep",
             .work = "the same: how many times as fast as Python",
             .reference = "ProcessPoolExecutor",
             .reference_value = pool,
             .our_value = ours.wall_s,
             .unit = "s",
             .ratio = pool / ours.wall_s,
             .goal = Goal::at_least,
             .target = 1,
             .note = {}});
}

void finished(const Options& options, Table& table) {
  const Place place;
  const std::size_t variants = options.quick ? 2000 : 100'000;
  place.write("two.yaml", scenario(0.1));
  place.write("series.yaml", series(variants));
  const SeriesReport first = sweep(place, "ours");
  const double again = seconds([&] { sweep(place, "ours"); });
  table.add({.benchmark = "sweep",
             .work = fmt::format("{} finished variants: seconds until that is decided, and the table written",
                                 variants),
             .reference = "running them",
             .reference_value = first.wall_s,
             .our_value = again,
             .unit = "s",
             .ratio = again,
             .goal = Goal::at_most,
             .target = 2,
             .note = {}});
}

/// Costs from 1 to 10 in no order: how long processes wait for the last one.
void mixed(Table& table) {
  const Place place;
  constexpr int variants = 64;
  std::string points = "simulate.end\n";
  for (int i = 0; i < variants; ++i) points += fmt::format("{}\n", 40 * (1 + 9 * (i * 37 % variants) / 63.0));
  place.write("points.csv", points);
  place.write("two.yaml", scenario(40));
  place.write(
      "series.yaml",
      "cosimo: 1\nsweep:\n  scenario: two.yaml\n  points: points.csv\n  measure: {largest: max(abs(1.x))}\n");
  const SeriesReport ours = sweep(place, "ours");
  const double runs = run_seconds(place, "ours");
  table.add({.benchmark = "sweep",
             .work = fmt::format("{} variants with costs 1:10 mixed: efficiency of {} processes", variants,
                                 workers),
             .reference = "the runs themselves, divided",
             .reference_value = runs / workers,
             .our_value = ours.wall_s,
             .unit = "s",
             .ratio = runs / workers / ours.wall_s,
             .goal = Goal::at_least,
             .target = 0.95,
             .note = {}});
}

/// A chain whose steps threads can share where it is long.
std::string chain(int masses, double end) {
  return fmt::format(
      "cosimo: 1\nmodel:\n  chain: {{masses: {}, mass: 1, spring: {{c: 100, d: 0.1}}, initial: {{x: "
      "{{uniform: "
      "[-0.1, 0.1]}}}}}}\nsimulate: {{end: {}, output: {}, record: [1]}}\npartition: none\n",
      masses, end, end / 10);
}

/// What the program chooses against the strategies of a single process and of one process per core.
void strategies(const Options& options, Table& table) {
  struct Size {
    const char* name;
    int masses;
    double end;
  };
  const int cores = options.thread_count(), rounds = options.quick ? 1 : 3;
  for (const auto& [name, masses, end] :
       {Size{"tiny", 2, 500}, Size{"middle", 2000, 5}, Size{"large", 100'000, 0.3}}) {
    const Place place;
    place.write("two.yaml", chain(masses, end));
    place.write(
        "series.yaml",
        "cosimo: 1\nsweep:\n  scenario: two.yaml\n  vary: {model.chain.seed: {range: [1, 12]}}\n  measure: "
        "{last: final(1.x)}\n");
    int number = 0;
    const auto with = [&](Processes processes) {
      return [&, processes] { return sweep(place, fmt::format("{}", number++), processes).wall_s; };
    };
    const std::vector<double> best = interleaved(rounds, {with({1, cores}), with({cores, 1}), with({})});
    const double reference = std::min(best[0], best[1]);
    table.add({.benchmark = "sweep",
               .work = fmt::format("12 variants of a {} model: what the program chooses", name),
               .reference = best[0] < best[1] ? "one process with all threads" : "one process per core",
               .reference_value = reference,
               .our_value = best[2],
               .unit = "s",
               .ratio = best[2] / reference,
               .goal = Goal::at_most,
               .target = 1.05,
               .note = {}});
  }
}

}  // namespace

void sweep(const Options& options, Table& table) {
  short_runs(options, table);
  mixed(table);
  strategies(options, table);
  finished(options, table);
}

}  // namespace cosimo::bench
