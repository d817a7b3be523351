// What has become of variants, in the folder of a series: one record per variant that has ended.
//
//   <folder>/journal/<writer>.frames         frames (series/frame.hpp), appended, never changed
//
// A file has one writer for its whole life, so that several (the heads of many machines on a shared disk)
// never wait for each other or mix their bytes; whoever wants to know reads them all. The last record of a
// file may be torn when its writer was killed: it is not there. A record says which identity it is about and
// nothing about the place in the list, so that lists may grow and change. Of several records of one identity
// a good one counts, else the last; of two good ones that whose run was kept, else the first.
//
// Records reach the kernel one by one, so that a killed writer loses none, and the disk in groups.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/new_file.hpp"
#include "series/frame.hpp"

namespace cosimo::series {

/// How a variant ended.
struct Record {
  std::uint64_t identity = 0;
  std::uint64_t measures = 0;  ///< digest of what was measured
  bool done = false;
  std::string fault{};  ///< of one that is not done: bad input | solver | crash | time | memory
  std::string message{}, log{};
  bool lasting = true;                  ///< false: whoever asks again may have more luck
  bool kept = false;                    ///< the folder of its run is there
  std::vector<std::int64_t> lengths{};  ///< per measure: entries of a curve; -1: a number
  std::vector<double> numbers{};        ///< of all measures, one after the other
  double wall_s = 0, cpu_s = 0, memory_mb = 0, threads = 1;
  std::string machine{}, cpu{};
};

Frame to_frame(const Record& record);
/// Throws Json::exception for frames that are none.
Record to_record(Frame frame);

class Journal {
 public:
  /// Reads all there is. Nothing is written before the first append().
  explicit Journal(std::filesystem::path folder);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Takes what others have written since.
  void refresh();
  /// Whether another writer has said something of it since the journal was opened.
  bool news(std::uint64_t identity, std::uint64_t measures) const {
    return news_.contains({identity, measures});
  }
  /// Null: nothing is known.
  const Record* find(std::uint64_t identity, std::uint64_t measures) const;
  std::size_t size() const { return records_.size(); }
  /// Throws IoError when the disk refuses.
  void append(Record record);
  /// What was appended is on the disk, if the last time is long enough ago; `now`: in any case.
  void sync(bool now = false);

 private:
  void open();
  void take(Record record);

  struct Source {
    FrameReader reader;
    std::size_t read = 0;
  };
  std::filesystem::path folder_;
  std::map<std::filesystem::path, Source> sources_;  ///< files of others
  std::set<std::pair<std::uint64_t, std::uint64_t>> news_;
  bool open_ = false;  ///< all that was there has been read
  std::map<std::pair<std::uint64_t, std::uint64_t>, Record> records_;
  FileDescriptor file_;
  std::filesystem::path own_;
  std::size_t unsynced_ = 0;
  std::chrono::steady_clock::time_point synced_{};
};

}  // namespace cosimo::series
