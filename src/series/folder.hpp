// The folder of a series:
//
//   variants.csv, times.csv, sweep.h5   the table (series/table.hpp)
//   status.json                         how far it is, while and after somebody works on it
//   journal/                            what has become of variants (series/journal.hpp): the truth
//   identities                          what is known without looking (series/identity.hpp)
//   work/ID/                            folders of runs under way, with their checkpoints
//   runs/ID/                            those that are kept
//   logs/ID.log                         what a failed variant printed
//   .lock                               held by the head and inherited by its workers
//
// One head of this machine works on it at a time; the lock is free when the last of its processes has ended,
// however that was. Heads of other machines on a shared disk do not take the lock: they have a journal of
// their own each, and take variants by leases (leases/ID: host, process, until when).
#pragma once

#include <filesystem>
#include <string>

#include "results/new_file.hpp"

namespace cosimo::series {

class SeriesFolder {
 public:
  /// Makes and locks it. Throws Error when another series has it, or when it holds something else.
  explicit SeriesFolder(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  int lock() const { return lock_.get(); }

  std::filesystem::path work(const std::string& id) const { return path_ / "work" / id; }
  /// Where a kept run will be, relative to the folder.
  static std::string run_name(const std::string& id) { return "runs/" + id; }
  bool has_run(const std::string& id) const;
  /// The run under way becomes one that is kept; true: there is one.
  bool keep_run(const std::string& id) const;
  void drop_work(const std::string& id) const;
  /// Returns the name of the file, relative; empty: there was nothing to say.
  std::string write_log(const std::string& id, const std::string& text) const;

 private:
  std::filesystem::path path_;
  FileDescriptor lock_;
};

}  // namespace cosimo::series
