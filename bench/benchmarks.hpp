// The benchmarks. Each adds its rows to the table.
#pragma once

#include <string>
#include <thread>

#include "bench/table.hpp"

namespace cosimo::bench {

struct Options {
  bool quick = false;  ///< smaller models and fewer rounds: minutes become seconds
  bool full = false;   ///< overlap: 10^5 masses as long as 10^4; headline: the whole second
  int threads = 0;     ///< 0: all cores
  double until = 0;    ///< headline: simulated time, 0: a prefix that fits the machine

  int thread_count() const {
    return threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
  }
};

void memory(const Options& options, Table& table);
void solver(const Options& options, Table& table);
void snapshot(const Options& options, Table& table);
void sync(const Options& options, Table& table);
void chain(const Options& options, Table& table);
void overlap(const Options& options, Table& table);
void multirate(const Options& options, Table& table);
void headline(const Options& options, Table& table);
void schemes(const Options& options, Table& table);
void jacobian(const Options& options, Table& table);
void multibody(const Options& options, Table& table);
void partition(const Options& options, Table& table);
void distributed(const Options& options, Table& table);
void plan(const Options& options, Table& table);
void tree(const Options& options, Table& table);
void cores(const Options& options, Table& table);
void ways(const Options& options, Table& table);
void between(const Options& options, Table& table);
void implicit(const Options& options, Table& table);
void contacts(const Options& options, Table& table);
void fmi(const Options& options, Table& table);
void sweep(const Options& options, Table& table);

// Pictures of docs/overlap.md, written to `file`; they run only when asked for.
void light_cone(const std::string& file);
void cone_law(const std::string& file);

}  // namespace cosimo::bench
