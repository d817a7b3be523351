#include <algorithm>

#include "core/check.hpp"
#include "results/crash_safe_file.hpp"
#include "results/hdf5_strings.hpp"
#include "results/results_format.hpp"
#include "results/timing.hpp"

namespace cosimo {

TimingWriter::TimingWriter(std::size_t subsystems, std::size_t rows)
    : subsystems_(subsystems), rows_(std::max<std::size_t>(rows, 2) / 2 * 2) {
  // All memory now: the macro step that calls step() does not allocate.
  t_.reserve(rows_);
  count_.reserve(rows_);
  seconds_.reserve(rows_ * subsystems_);
  micro_steps_.reserve(rows_ * subsystems_);
}

void TimingWriter::step(double t, std::span<const double> solve_seconds,
                        std::span<const double> micro_steps) {
  COSIMO_CHECK(solve_seconds.size() == subsystems_ && micro_steps.size() == subsystems_,
               "one time and one count per subsystem");
  if (pending_ == 0) {
    if (t_.size() == rows_) halve();
    t_.push_back(t);
    count_.push_back(0);
    seconds_.resize(seconds_.size() + subsystems_, 0.0);
    micro_steps_.resize(seconds_.size(), 0.0);
  }
  const std::size_t row = (t_.size() - 1) * subsystems_;
  for (std::size_t s = 0; s < subsystems_; ++s) {
    seconds_[row + s] += solve_seconds[s];
    micro_steps_[row + s] += micro_steps[s];
  }
  ++count_.back();
  pending_ = (pending_ + 1) % merge_;
}

void TimingWriter::halve() {
  const std::size_t half = t_.size() / 2;
  for (std::size_t i = 0; i < half; ++i) {
    t_[i] = t_[2 * i];
    count_[i] = count_[2 * i] + count_[2 * i + 1];
    const std::size_t to = i * subsystems_, first = 2 * to, second = first + subsystems_;
    for (std::size_t s = 0; s < subsystems_; ++s) {
      seconds_[to + s] = seconds_[first + s] + seconds_[second + s];
      micro_steps_[to + s] = micro_steps_[first + s] + micro_steps_[second + s];
    }
  }
  t_.resize(half);
  count_.resize(half);
  seconds_.resize(half * subsystems_);
  micro_steps_.resize(half * subsystems_);
  merge_ *= 2;
}

void TimingWriter::write(const std::filesystem::path& file) const {
  CrashSafeFile disk(file);
  disk.guarded([&] {
    Handle opened = disk.create();
    write_attribute<std::int64_t>(opened, attribute_version, results_format_version);
    make_array<double>(opened, "t", t_);
    make_array<std::int64_t>(opened, "count", count_);
    make_array<double>(opened, "solve", seconds_, std::max<std::size_t>(subsystems_, 1));
    make_array<double>(opened, "micro_steps", micro_steps_, std::max<std::size_t>(subsystems_, 1));
    if (!sections_.names.empty()) {
      const Handle group(
          checked(H5Gcreate2(opened, "sections", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "sections"),
          H5Gclose);
      make_strings(group, "name", sections_.names);
      make_array<std::int64_t>(group, "rank", sections_.rank);
      make_array<double>(group, "work", sections_.work, sections_.rank.size());
      make_array<double>(group, "waiting", sections_.waiting, sections_.rank.size());
    }
    disk.go_live(opened);
    if (!opened.reset()) throw Hdf5Failure("close: " + hdf5_reason());
  });
}

}  // namespace cosimo
