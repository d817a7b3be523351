#include <algorithm>

#include "results/hdf5_column.hpp"
#include "results/hdf5_strings.hpp"
#include "results/results_open.hpp"
#include "results/timing.hpp"

namespace cosimo {

namespace {

SectionTimes read_sections(hid_t file) {
  SectionTimes sections{.names = read_strings(file, "sections/name"), .rank = {}, .work = {}, .waiting = {}};
  const Column rank(file, "sections/rank", 1), work(file, "sections/work", 2),
      waiting(file, "sections/waiting", 2);
  for (const Column* each : {&work, &waiting})
    if (each->rows() != sections.names.size() || each->columns() != rank.rows())
      throw Hdf5Failure("/sections does not hold a number per section and thread");
  sections.rank = rank.read<std::int64_t>(rank.rows());
  sections.work = work.read<double>(work.rows());
  sections.waiting = waiting.read<double>(waiting.rows());
  return sections;
}

TimingTable read(hid_t file) {
  const Column t(file, "t", 1), count(file, "count", 1), solve(file, "solve", 2);
  const std::size_t rows = std::min({t.rows(), count.rows(), solve.rows()});
  TimingTable table{.t = t.read<double>(rows),
                    .count = count.read<std::int64_t>(rows),
                    .subsystems = solve.columns(),
                    .solve = solve.read<double>(rows),
                    .micro_steps = {}};
  if (exists(file, "sections")) table.sections = read_sections(file);
  if (!exists(file, "micro_steps")) return table;
  const Column micro(file, "micro_steps", 2);
  if (micro.columns() != solve.columns() || micro.rows() < rows)
    throw Hdf5Failure("/micro_steps and /solve do not match");
  table.micro_steps = micro.read<double>(rows);
  return table;
}

}  // namespace

TimingTable read_timing(const std::filesystem::path& file) {
  const SilentErrors quiet;
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    refuse(file, "there is no such file", "name a timing.h5 of a finished run");
  const Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!opened)
    refuse(file, "is damaged, cut off or no HDF5 file: " + hdf5_reason(),
           "copy it again from where it was written, or run again");
  try {
    return read(opened);
  } catch (const Hdf5Failure& failure) {
    refuse_damaged(file, failure);
  }
}

}  // namespace cosimo
