// The results.h5 of an earlier run, from which a resumed one takes rows over: private to results/.
//
//   const ResultsSource source = find_source(file, layout, position);     has what is needed, or Error
//   copy_rows(source, from, tables, disk);                                block by block
//
// Memory: a block of rows of about 1 MiB per dataset, never a wide row unless the caller wants to see it.
#pragma once

#include <filesystem>
#include <string>

#include "results/crash_safe_file.hpp"
#include "results/hdf5_column.hpp"
#include "results/recorder.hpp"
#include "results/results_open.hpp"
#include "results/results_tables.hpp"

namespace cosimo {

class ResultsSource {
 public:
  /// Throws Error when the file is missing, damaged, not ours or of another layout. `layout` says how many
  /// variables there are.
  ResultsSource(std::filesystem::path file, const ResultsLayout& layout);

  const std::filesystem::path& path() const { return file_; }
  const ResultsPosition& rows() const { return rows_; }  ///< that every dataset of the kind has
  double last_time() const { return last_time_; }        ///< that a reader sees; -infinity: no output
  bool holds(const ResultsPosition& position) const;

  /// Runs operation(hid_t file); what fails in reading becomes an Error that names the file.
  template <class Operation>
  auto reading(Operation operation) const {
    const SilentErrors quiet;
    try {
      return operation(static_cast<hid_t>(opened_));
    } catch (const Hdf5Failure& failure) {
      refuse(file_, std::string("is damaged: ") + failure.what(), "start anew without --resume");
    }
  }

 private:
  void count_rows(hid_t file, const ResultsLayout& layout);

  std::filesystem::path file_;
  Handle opened_;
  ResultsPosition rows_;
  double last_time_;
};

/// Where a resumed run writes until it has caught up.
std::filesystem::path resumed_name(const std::filesystem::path& file);
/// What killed runs left there.
void remove_resumed(const std::filesystem::path& file);

/// `file`, or the one beside it that a resumed run left when it was killed, whichever holds the rows. Throws
/// Error when neither does.
ResultsSource find_source(const std::filesystem::path& file, const ResultsLayout& layout,
                          const ResultsPosition& position);

/// Appends the rows up to from.position to the tables, which are those of `disk` and empty; returns the last
/// output time, -infinity without any. Throws Error for what cannot be read, IoError for what cannot be
/// written.
double copy_rows(const ResultsSource& source, const ResumeFrom& from, const ResultsLayout& layout,
                 ResultsTables& tables, CrashSafeFile& disk);

}  // namespace cosimo
