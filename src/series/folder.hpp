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
//   heads/, leases/                     who shares it with others, and what they have (series/leases.hpp)
//
// Alone: one head of this machine works on it at a time; the lock is free when the last of its processes has
// ended, however that was. Shared: heads of this machine and of others, who all say so, each with a journal
// of its own, take variants by leases. Their runs under way are in folders of their own, work/ID.TOKEN: a
// holder that has only been asleep never writes into what another has taken over.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "results/new_file.hpp"
#include "series/leases.hpp"

namespace cosimo::series {

class SeriesFolder {
 public:
  /// Makes and locks it. Throws Error when another series has it, or when it holds something else.
  /// `patience_s` above zero: shared with others, who are believed dead after so long a silence.
  explicit SeriesFolder(std::filesystem::path path, double patience_s = 0);
  ~SeriesFolder();
  SeriesFolder(const SeriesFolder&) = delete;
  SeriesFolder& operator=(const SeriesFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int lock() const { return leases_ ? leases_->lock() : lock_.get(); }
  bool shared() const { return leases_.has_value(); }

  /// Whether something is ours, now or already; always without others.
  bool take(const std::string& name) { return !leases_ || leases_->take(name); }
  void give_back(const std::string& name);
  bool taken(const std::string& name) { return leases_ && leases_->taken(name); }
  void beat();

  /// Of a run under way; `copy`: of the second one of the same variant.
  std::filesystem::path work(const std::string& id, bool copy = false) const;
  /// What an earlier holder has left of a run in order is ours now; true: there is something.
  bool inherit(const std::string& id) const;
  /// Where a kept run will be, relative to the folder.
  static std::string run_name(const std::string& id) { return "runs/" + id; }
  bool has_run(const std::string& id) const;
  /// The run under way becomes one that is kept; true: there is one.
  bool keep_run(const std::string& id, const std::filesystem::path& work) const;
  static void drop_work(const std::filesystem::path& work);
  /// Returns the name of the file, relative; empty: there was nothing to say.
  std::string write_log(const std::string& id, const std::string& text) const;

 private:
  void lock_alone();
  void lock_shared();
  void tidy(bool alone) const;

  std::filesystem::path path_;
  FileDescriptor lock_;
  std::optional<Leases> leases_;
};

}  // namespace cosimo::series
