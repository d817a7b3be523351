// Who of several processes, on one machine or many, has what of a folder that they share.
//
//   heads/TOKEN     a holder: a counter that it moves on every two seconds, or five times in the patience;
//   locked while
//                   it or one of its workers is alive
//   leases/NAME     a symbolic link that holds the token of its holder: made in one step, by one of all
//
//   Leases leases(folder, 30);
//   if (leases.take("table")) { ...; leases.give_back("table"); }
//   leases.beat();                    now and then
//
// A lease ends with its holder. On the machine of the asker the lock tells at once; from elsewhere, and where
// the holder is stopped, a counter that has not moved for `patience` seconds of the asker's own steady clock.
// No clocks are compared, so that machines may disagree about the time. Who wakes up later has lost its
// leases without knowing: leases save work, they do not guard data (series/journal.hpp does).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/new_file.hpp"

namespace cosimo::series {

class Leases {
 public:
  /// Throws IoError when nothing can be written there.
  Leases(std::filesystem::path folder, double patience_s);
  /// Gives back all that it holds.
  ~Leases();
  Leases(const Leases&) = delete;
  Leases& operator=(const Leases&) = delete;

  /// True: it is ours, now or already. Throws IoError when the disk refuses.
  bool take(const std::string& name);
  void give_back(const std::string& name);
  /// Whether somebody else has it who is alive.
  bool taken(const std::string& name);
  void beat();

  const std::set<std::string>& held() const { return held_; }
  const std::string& token() const { return token_; }
  int lock() const { return file_.get(); }  ///< workers keep it open

 private:
  struct Seen {
    std::string counter;
    std::chrono::steady_clock::time_point since;
  };
  bool grasp(const std::string& name);
  bool dead(const std::string& holder);

  std::filesystem::path heads_, leases_;
  std::chrono::duration<double> patience_;
  std::string token_;
  FileDescriptor file_;
  std::set<std::string> held_;
  std::map<std::string, Seen> seen_;
  std::uint64_t count_ = 0;
  std::chrono::steady_clock::time_point beaten_{};
};

std::vector<std::string> names_in(const std::filesystem::path& folder);
bool of_this_machine(const std::string& token);
/// Whether a holder of this machine has ended, with all of its workers. False for those of others.
bool surely_dead(const std::filesystem::path& folder, const std::string& token);

/// The name of another machine where a holder is at work in a folder; empty: there is none. Watches for a few
/// seconds where there are signs of one.
std::string busy_elsewhere(const std::filesystem::path& folder);

}  // namespace cosimo::series
