// The process of an isolated FMU, and the memory shared with it.
//
//   HostProcess host(folder, capacity);
//   host.calls() ... hand over ...;  host.wait(limit)      the answer is there, or the process is gone
//
// The program of the process (fmi/host/) is part of this library, so that it is there wherever the library
// is. It is written beside the unpacked FMU, from where code is executed anyway. The process ends with the
// program, however that ends, and the memory has no name that could stay.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "fmi/shared_calls.hpp"

namespace cosimo::fmi {

class HostProcess {
 public:
  /// `capacity` of a message. `interrupt`, where there is one, must outlive it. Throws IoError.
  HostProcess(const std::filesystem::path& folder, std::size_t capacity,
              const std::atomic<bool>* interrupt = nullptr);
  /// Gives it a while to leave, when it has been told to.
  ~HostProcess();
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  std::span<std::byte> request() const { return request_of(*calls_, capacity_); }
  std::span<const std::byte> answer() const { return answer_of(*calls_, capacity_); }

  /// The request, of so many bytes, is the host's now.
  void send(std::size_t size);
  /// The last one: it leaves.
  void send_off(std::size_t size) {
    told_to_leave_ = true;
    send(size);
  }
  /// False: it has ended, or has taken longer than so many seconds and was ended. Half a second more is all
  /// it has once the user interrupts.
  bool wait(double limit);
  /// After wait() was false: "it crashed in fmi2DoStep (segmentation fault)".
  const std::string& story() const { return story_; }

 private:
  void start(const std::filesystem::path& program, int memory);
  bool ended();
  void end();
  std::string function() const;

  std::size_t capacity_, bytes_;
  const std::atomic<bool>* interrupt_;
  int cores_;
  SharedCalls* calls_ = nullptr;
  Patience patience_;
  pid_t process_ = -1;
  int line_ = -1;  ///< closes with this process
  bool told_to_leave_ = false;
  std::string story_;
};

}  // namespace cosimo::fmi
