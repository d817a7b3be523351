// Shared by the tests of results/: temporary folders, a run whose numbers are known, and a look
// at a file as any HDF5 program takes it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "results/hdf5_handles.hpp"
#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cosimo::test {

/// Calls of pwrite(), ftruncate() and fsync() in this program until the disk is full; they are replaced in
/// crash_safe_file_test.cpp.
extern std::size_t disk_calls_left;
inline constexpr std::size_t endless = std::numeric_limits<std::size_t>::max();

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_bytes(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// What the exception says that `operation` ends with; empty: it ends without one of that kind.
template <class Exception, class Operation>
std::string message_of(Operation operation) {
  try {
    operation();
  } catch (const Exception& error) {
    return error.what();
  }
  return "";
}

/// Whether a plain read-only H5Fopen succeeds.
inline bool opens_plainly(const std::filesystem::path& file) {
  const SilentErrors quiet;
  return static_cast<bool>(Handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose));
}

/// A run whose every number follows from its row.
struct KnownRun {
  std::size_t bodies = 3, couplings = 2, local_bodies = 2;

  ResultsLayout layout() const {
    ResultsLayout result;
    result.model_hash = 0xfedcba9876543210u;
    for (std::size_t i = 0; i < bodies; ++i) result.bodies.push_back(static_cast<std::int64_t>(10 + i));
    result.couplings = couplings;
    for (std::size_t i = 0; i < couplings; ++i)
      result.cut_elements.push_back(static_cast<std::int64_t>(100 + i));
    result.local_bodies = local_bodies;
    return result;
  }

  static double time(std::size_t row) { return 0.125 * static_cast<double>(row); }
  static double value(std::size_t row, std::size_t column, double kind) {
    return kind * (static_cast<double>(row) + 1e-3 * static_cast<double>(column + 1));
  }
  static std::vector<double> values(std::size_t row, std::size_t columns, double kind) {
    std::vector<double> result(columns);
    for (std::size_t i = 0; i < columns; ++i) result[i] = value(row, i, kind);
    return result;
  }
  static StepRow step(std::size_t row) {
    return {time(row),
            0.125,
            static_cast<int>(row % 6),
            0.5 + time(row),
            row % 5 != 3,
            static_cast<int>(row % 300),
            static_cast<int>(row % 7 * 50'000)};
  }

  void write_row(ResultsWriter& writer, std::size_t row) const {
    writer.output(time(row), values(row, bodies, 1), values(row, bodies, -1));
    writer.step(step(row));
    writer.coupling(values(row, couplings, 2));
    writer.local_error(values(row, local_bodies, 3), values(row, local_bodies, 4), values(row, couplings, 5));
  }

  /// The first column or row in which the data differ from what was written, empty when none does.
  std::string first_fault(const Results& r, std::size_t least_rows) const {
    const auto block = [&](const std::vector<double>& data, std::size_t columns, double kind) {
      if (columns == 0) return data.empty();
      if (data.size() % columns != 0 || data.size() / columns < least_rows) return false;
      for (std::size_t i = 0; i < data.size(); ++i)
        if (data[i] != value(i / columns, i % columns, kind)) return false;
      return true;
    };
    if (r.bodies != layout().bodies || r.model_hash != layout().model_hash) return "bodies or hash";
    if (r.cut_elements != layout().cut_elements) return "cut elements";
    if (r.time.size() < least_rows) return "rows of time: " + std::to_string(r.time.size());
    for (std::size_t i = 0; i < r.time.size(); ++i)
      if (r.time[i] != time(i)) return "time, row " + std::to_string(i);
    if (r.position.size() != r.time.size() * bodies || !block(r.position, bodies, 1)) return "position";
    if (r.velocity.size() != r.time.size() * bodies || !block(r.velocity, bodies, -1)) return "velocity";
    if (r.steps.size() < least_rows) return "rows of steps: " + std::to_string(r.steps.size());
    for (std::size_t i = 0; i < r.steps.size(); ++i) {
      const StepRow a = r.steps[i], b = step(i);
      if (a.t != b.t || a.H != b.H || a.kappa != b.kappa || a.error != b.error || a.accepted != b.accepted ||
          a.iterations != b.iterations || a.layers != b.layers)
        return "steps, row " + std::to_string(i);
    }
    if (!block(r.u, couplings, 2)) return "coupling/u";
    if (!block(r.local_position, local_bodies, 3)) return "local/position";
    if (!block(r.local_velocity, local_bodies, 4)) return "local/velocity";
    if (!block(r.local_u, local_bodies > 0 ? couplings : 0, 5)) return "local/u";
    return "";
  }
};

/// Runs `body` in a process of its own, which ends with its result.
template <class Body>
pid_t in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 99;
    try {
      code = body();
    } catch (...) {
    }
    ::_exit(code);
  }
  return child;
}

inline int exit_code(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace cosimo::test
