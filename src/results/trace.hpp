// What every rank and thread did when, as a file that Chrome's trace viewer (chrome://tracing) and Perfetto
// (ui.perfetto.dev) open: the JSON trace event format.
//
//   TraceBuffer buffer(rank);                                         one per rank, bounded
//   buffer.span(thread, Phase::solve, begin, end, step, part);    seconds since the start of the run
//   write_trace(folder / "trace.json", buffers);                      rank 0, with the buffers of all ranks
//
// Ranks are the processes of the viewer, threads its threads, each with a name. The buffer keeps the first
// `capacity` events and counts the rest, so that a long run costs bounded memory; the file says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/archive.hpp"
#include "core/phase.hpp"

namespace cosimo {

std::string_view name(Phase kind);

struct TraceEvent {
  double begin = 0, end = 0;  ///< seconds since the start of the run
  std::int64_t step = -1;     ///< macro step; -1: none
  std::int32_t part = -1;     ///< number of the subsystem from 0; -1: none
  std::int16_t thread = 0;
  Phase kind = Phase::solve;
  std::uint8_t unused = 0;
};

class TraceBuffer {
 public:
  explicit TraceBuffer(int rank = 0, std::size_t capacity = 200'000) : rank_(rank), capacity_(capacity) {}

  /// By one thread at a time. Allocates once, when it is first called.
  void span(int thread, Phase kind, double begin, double end, std::int64_t step = -1, std::int32_t part = -1);
  int rank() const { return rank_; }
  std::span<const TraceEvent> events() const { return events_; }
  std::int64_t dropped() const { return dropped_; }
  /// To send it to rank 0.
  void archive(Archive& a) { a(rank_, events_, dropped_); }

 private:
  int rank_;
  std::size_t capacity_;
  std::vector<TraceEvent> events_;
  std::int64_t dropped_ = 0;
};

/// Throws IoError naming the file.
void write_trace(const std::filesystem::path& file, std::span<const TraceBuffer> ranks);

}  // namespace cosimo
