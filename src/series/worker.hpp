// A process that runs variants, one after the other, and talks in frames (series/frame.hpp): whatever carries
// bytes both ways can use it, a pipe, ssh, a task of a cluster. It knows nothing of folders of series but the
// one that it is told, and of no other variants.
//
// To the worker                                          from it
//   setup {protocol, scenario: {name, text},               ready {protocol, version, machine, cpu, cores,
//   pid}
//          measures: [[name, formula], ...],
//          program: digest or 0}
//   probe {set: [...]}                                     names {names, memory_mb, useful_threads}
//   run {job, set: [...], id, threads,                     began {job}
//        folder?, resume?, checkpoint_s?}                  alive {job, share}     every second, of any job
//   measure {job, folder}                                  done {job, lengths, wall_s, cpu_s, memory_mb} +
//   numbers interrupt {}                                           failed {job, fault, message} (end of
//   input)                                         interrupted {job}
//
// A job has exactly one of the answers done, failed, interrupted, in the order of the jobs; further jobs may
// be sent before it, and wait. `interrupt` ends all of them in order, with a checkpoint where there is a
// folder. `id` is the identity that is expected: a worker whose files or program give another one says so
// with the fault "changed" and computes nothing. At the end of its input a worker ends at once, in the middle
// of a run as well: nobody is left to tell.
//
// What libraries print goes to the standard error stream, as does what the program says when it crashes.
// There every job begins with a mark, a line of its own: the two streams arrive in any order.
#pragma once

#include <cstdint>
#include <string>

namespace cosimo::series {

inline constexpr int protocol_version = 1;

inline constexpr char log_mark_begin = '\036';  ///< the separator of records
inline std::string log_mark(std::int64_t job) {
  return log_mark_begin + std::to_string(job) + "\n";
}

/// Until `input` ends. Returns the exit code.
int serve(int input, int output);

}  // namespace cosimo::series
