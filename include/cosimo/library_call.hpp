// Which user's library is being executed: for programs that want to say whose fault it was when one crashes,
// ends the program or does not come back. All functions may be called from signal handlers.
#pragma once

#include <memory>

namespace cosimo {

struct LibraryCall {
  const char* library = nullptr;  ///< its file; null: no library is being executed
  const char* kind = nullptr;     ///< "element" or "subsystem"
  const char* element = nullptr;  ///< the one of that kind that asked for it
  const char* function = nullptr;
  bool ends_thread = false;  ///< it called pthread_exit, and the program aborts
};

/// Where this thread is.
LibraryCall library_call_here() noexcept;

/// Calls of any thread that do not end.
class LibraryWatch {
 public:
  LibraryWatch();
  ~LibraryWatch();
  LibraryWatch(const LibraryWatch&) = delete;
  LibraryWatch& operator=(const LibraryWatch&) = delete;

  void look() noexcept;
  /// One that was under way at the last look() and still is.
  LibraryCall unfinished() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
