// A worker process of this machine, and the pipes to it.
//
//   Child child(program, lock);          started; ends with this process, whatever becomes of it
//   child.send(frame);                   false: nobody reads any more
//   poll() on output() and errors(), then receive() and log()
//   if (auto end = child.ended()) ...
//
// The destructor kills and reaps.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "results/new_file.hpp"
#include "series/frame.hpp"

namespace cosimo::series {

/// How a process ended.
struct Ending {
  int code = 0;    ///< of exit
  int signal = 0;  ///< that killed it; 0: none
  /// "crashed (segmentation fault)", "ended with exit code 3".
  std::string text() const;
};

/// What the program has said last of why it ended, behind ": "; empty: nothing.
std::string last_error(const std::string& log);

class Child {
 public:
  /// Throws IoError when no process can be made. It keeps `lock` open.
  Child(const std::filesystem::path& program, int lock);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool send(const Frame& frame);
  /// No more frames will be sent: it ends when it has nothing to do.
  void close_input() { in_.close(); }
  int output() const { return out_.get(); }
  int errors() const { return err_.get(); }
  /// What is there to be read, without waiting; false: the pipe has ended.
  bool receive();
  void read_errors();
  FrameReader& frames() { return frames_; }

  /// What it has printed to its standard error stream, the last of it.
  const std::string& log() const { return log_; }
  /// The same of one job: behind its mark (series/worker.hpp), before the next.
  std::string log_of(std::int64_t job) const;

  pid_t pid() const { return pid_; }
  void kill(int signal) const;
  /// Reaped when it has ended.
  std::optional<Ending> ended();

 private:
  pid_t pid_ = -1;
  FileDescriptor in_, out_, err_;
  FrameReader frames_;
  std::string log_;
  std::optional<Ending> ending_;
};

}  // namespace cosimo::series
