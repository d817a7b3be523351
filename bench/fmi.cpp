// Macro steps of many tiny FMUs in a ring: what the coupling costs beside the calls of the FMUs themselves.
//
// These are counted by a loop over the same C functions with the same arguments: inputs, two derivatives, a
// step, the output. The rest is ours: prediction, polynomials, hand-over to threads, update, records of time,
// the time loop.
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/benchmarks.hpp"
#include "bench/timing.hpp"
#include "cosimo/simulation.hpp"

namespace cosimo::bench {

namespace {

constexpr double h = 1e-3;

/// `isolated` of them are in processes of their own.
std::string ring(int count, int isolated) {
  std::string text = "cosimo: 1\nsubsystems:\n", links = "connections:\n";
  for (int k = 0; k < count; ++k) {
    text +=
        fmt::format("  - {{name: f{}, fmu: {}/tiny.fmu, isolate: {}}}\n", k, COSIMO_BENCH_FMU, k < isolated);
    links += fmt::format("  - {{from: f{}.x, to: f{}.u}}\n", k, (k + 1) % count);
  }
  return text + links +
         fmt::format(
             "simulate: {{end: 1.0e6, output: 1.0e6}}\ncouple: {{scheme: explicit}}\ncontrol: {{step: {}, "
             "order: "
             "2}}\n",
             h);
}

/// Seconds per macro step, of a run that is under way.
class Ring {
 public:
  Ring(int count, int isolated, int threads)
      : simulation_(Scenario::parse(ring(count, isolated)), options(threads)) {
    time(200);
  }
  double time(int steps) {
    const double until = simulation_.time() + steps * h;
    const double begin = now();
    if (const auto outcome = simulation_.advance(until); !outcome.ok)
      throw std::runtime_error(outcome.reason);
    return (now() - begin) / steps;
  }

 private:
  static RunOptions options(int threads) {
    RunOptions out;
    out.threads = threads;
    return out;
  }
  Simulation simulation_;
};

/// The calls that a macro step makes of one FMU, without anything around them.
class Calls {
 public:
  explicit Calls(int count) {
    handle_ = ::dlopen(COSIMO_BENCH_FMU "/tiny/binaries/linux64/tiny.so", RTLD_NOW);
    if (handle_ == nullptr) throw std::runtime_error(::dlerror());
    find(instantiate_, "fmi2Instantiate");
    find(set_, "fmi2SetReal");
    find(derive_, "fmi2SetRealInputDerivatives");
    find(step_, "fmi2DoStep");
    find(get_, "fmi2GetReal");
    for (int k = 0; k < count; ++k) instances_.push_back(instantiate_("", 1, "", "", nullptr, 0, 0));
  }
  double time(int steps) {
    const unsigned input = 0, output = 1;
    const std::array<unsigned, 2> both{0, 0};
    const std::array<int, 2> orders{1, 2};
    const std::array<double, 2> rates{0.1, 0.2};
    double x = 1;
    const double begin = now();
    for (int s = 0; s < steps; ++s, t_ += h)
      for (void* each : instances_) {
        set_(each, &input, 1, &x);
        derive_(each, both.data(), 2, orders.data(), rates.data());
        step_(each, t_, h, 1);
        get_(each, &output, 1, &x);
      }
    return (now() - begin) / steps;
  }

 private:
  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(handle_, name));
    if (function == nullptr) throw std::runtime_error(name);
  }
  void* handle_ = nullptr;
  void* (*instantiate_)(const char*, int, const char*, const char*, const void*, int, int) = nullptr;
  int (*set_)(void*, const unsigned*, size_t, const double*) = nullptr;
  int (*derive_)(void*, const unsigned*, size_t, const int*, const double*) = nullptr;
  int (*step_)(void*, double, double, int) = nullptr;
  int (*get_)(void*, const unsigned*, size_t, double*) = nullptr;
  std::vector<void*> instances_;
  double t_ = 0;
};

/// Seconds of a message to another thread and back, both asleep while they wait.
double thread_switches() {
  constexpr int times = 5000;
  std::atomic<int> turn{0};
  std::thread other([&] {
    for (int k = 0; k < times; ++k) {
      turn.wait(2 * k);
      turn = 2 * k + 2;
      turn.notify_one();
    }
  });
  const double begin = now();
  for (int k = 0; k < times; ++k) {
    turn = 2 * k + 1;
    turn.notify_one();
    turn.wait(2 * k + 1);
  }
  const double seconds = (now() - begin) / times;
  other.join();
  return seconds;
}

}  // namespace

void fmi(const Options& options, Table& table) {
  const int rounds = options.quick ? 3 : 9;
  const auto steps = [&](int count) { return (options.quick ? 20'000 : 60'000) / count; };
  for (const int count : {2, 20, 100})
    for (const int threads : {1, 2}) {
      Ring ours(count, 0, threads);
      Calls theirs(count);
      const std::vector<double> best = interleaved(
          rounds, {[&] { return theirs.time(steps(count)); }, [&] { return ours.time(steps(count)); }});
      const double per_fmu = 1e6 / count;
      table.add({.benchmark = "fmi",
                 .work = fmt::format("{} FMUs, {} thread{}: coupling per FMU and macro step", count, threads,
                                     threads > 1 ? "s" : ""),
                 .reference = "the FMU's own calls",
                 .reference_value = best[0] * per_fmu,
                 .our_value = (best[1] - best[0]) * per_fmu,
                 .unit = "us",
                 .ratio = (best[1] - best[0]) * per_fmu,
                 .goal = count > 2 ? Goal::at_most : Goal::none,
                 .target = 0.3,
                 .note = fmt::format("{:.0f} macro steps per second", 1 / best[1])});
    }
  for (const auto& [count, isolated] : {std::pair(2, 1), std::pair(2, 2), std::pair(20, 20)}) {
    Ring ours(count, isolated, 1), theirs(count, 0, 1);
    const int some = steps(10 * count);
    const std::vector<double> best = interleaved(
        rounds, {[&] { return theirs.time(some); }, [&] { return ours.time(some); }, thread_switches});
    const bool cores = isolated < options.thread_count();
    const double cost = 1e6 * (best[1] - best[0]) / isolated;
    table.add({.benchmark = "fmi",
               .work = fmt::format("isolating {} of {} FMUs: per FMU and macro step", isolated, count),
               .reference = "two threads that wake each other",
               .reference_value = 1e6 * best[2],
               .our_value = cost,
               .unit = "us",
               .ratio = cores ? cost : cost / (1e6 * best[2]),
               .goal = Goal::at_most,
               .target = cores ? 10.0 : 1.5,
               .note = cores ? "a core for each" : "fewer cores than processes"});
  }
}

}  // namespace cosimo::bench
