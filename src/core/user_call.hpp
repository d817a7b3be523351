// Which user's library each thread is executing, so that a program that one of them brings down, or does not
// come back from, can still say whose it was.
//
//   const InUserCall calling(call);      for its lifetime this thread is inside of `call`
//
// What reads may be called from signal handlers: nothing is locked or allocated. Threads beyond
// `most_threads` that call libraries at the same time are not seen by others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cosimo {

/// Texts that outlive every call.
struct UserCall {
  const char* library = "";
  const char* element = "";
  const char* function = "";     ///< what of it: "effort", "gradient", ...
  const char* kind = "element";  ///< what `element` names, in a word
};

class InUserCall {
 public:
  explicit InUserCall(const UserCall& call) noexcept;
  ~InUserCall();
  InUserCall(const InUserCall&) = delete;
  InUserCall& operator=(const InUserCall&) = delete;

  /// The library ends the thread (pthread_exit), which nothing can stop and a run cannot do without: aborts.
  [[noreturn]] void thread_ends() const noexcept;

 private:
  const UserCall* outer_;
};

/// Where this thread is; null: in no library.
const UserCall* user_call_here() noexcept;
/// Whether it is ending the thread.
bool user_call_ends_thread() noexcept;

/// The calls under way in all threads, each with a number that no other call of the thread has.
class UserCallWatch {
 public:
  static constexpr std::size_t most_threads = 1024;

  void look() noexcept;
  /// A call that was under way at the last look() and still is; null: none.
  const UserCall* unfinished() const noexcept;

 private:
  std::array<std::uint64_t, most_threads> seen_{};  ///< 0: no call
};

}  // namespace cosimo
