// How an instance in a process of its own is called: through memory that both processes share.
//
// There is one message at a time, and it is always one side's turn. The caller writes operations, hands over
// the turn and waits; the host (fmi/host/main.cpp) carries them out, writes an answer and hands it back. Both
// wait by looking again and again for as long as there is a core for everybody, and in the kernel after that.
//
//   request   operations one after the other, each with its arguments; those that only set something wait
//             for one that has an answer, so that a macro step is one message
//   answer    Answer::done, a Result; what failed and why, or what the last operation gives
//             Answer::on_the_way, an instant: the FMU lets inputs be set there. Requests follow, each with
//             its answer, until Operation::go_on
//
// Neither side believes what the other writes: lengths are checked before anything is read.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "fmi/instance.hpp"

namespace cosimo::fmi {

enum class Operation : std::uint32_t {
  begin,  ///< the first: what the FMU is
  set,
  get,
  set_text,
  configure,
  enter_initialisation,
  exit_initialisation,
  save,
  restore,
  release,
  write,  ///< the size of a state as bytes, which `take` then gives in pieces
  take,
  give,  ///< a piece of bytes, of which `read` then makes a state
  read,
  enter_events,
  update_events,
  resume,
  do_step,
  set_input_derivatives,
  set_time,
  set_states,
  get_states,
  derivatives,
  indicators,
  nominals,
  completed_step,
  directional,
  go_on,
  leave  ///< the last
};

enum class Answer : std::uint32_t { done, on_the_way, refused };

enum class Side : std::uint32_t { caller, host };

/// At the beginning of the shared memory; the request and the answer are behind it.
struct SharedCalls {
  alignas(64) std::atomic<std::uint32_t> turn{0};  ///< a Side
  alignas(64) std::atomic<std::uint32_t> asleep[2]{};
  std::atomic<std::uint32_t> patience{0};  ///< how often to look before sleeping
  std::uint64_t size = 0;                  ///< of the request in bytes
  CallName function{};                     ///< of the FMU, under way or last
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

inline constexpr std::size_t message_offset = 256;
static_assert(sizeof(SharedCalls) <= message_offset);

/// `capacity` of either.
inline std::span<std::byte> request_of(SharedCalls& calls, std::size_t capacity) {
  return {reinterpret_cast<std::byte*>(&calls) + message_offset, capacity};
}
inline std::span<std::byte> answer_of(SharedCalls& calls, std::size_t capacity) {
  return {reinterpret_cast<std::byte*>(&calls) + message_offset + capacity, capacity};
}

inline void hand_over(SharedCalls& calls, Side to) {
  calls.turn.store(static_cast<std::uint32_t>(to));
  if (calls.asleep[static_cast<std::uint32_t>(to)].load() != 0)
    ::syscall(SYS_futex, &calls.turn, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

/// How one side waits: by looking for as long as that has led to something the last time, otherwise only now
/// and then. Where others want the cores, or calls take long, looking is a waste.
class Patience {
 public:
  /// False: it is not the turn of `own` yet.
  bool look(const SharedCalls& calls, Side own) {
    constexpr std::uint32_t probe = 32;
    const bool patient = fruitful_ || ++waits_ % probe == 0;
    const std::uint32_t looks = patient ? calls.patience.load(std::memory_order_relaxed) : 0;
    for (std::uint32_t left = looks;; --left) {
      const bool there = calls.turn.load(std::memory_order_acquire) == static_cast<std::uint32_t>(own);
      if (there || left == 0) {
        if (patient) fruitful_ = there;
        return there;
      }
      __builtin_ia32_pause();
    }
  }

 private:
  bool fruitful_ = true;
  std::uint32_t waits_ = 0;
};

/// Sleeps until it is the turn of `own`, or for so long (null: without end), or for no reason.
inline void sleep(SharedCalls& calls, Side own, const timespec* longest) {
  auto& asleep = calls.asleep[static_cast<std::uint32_t>(own)];
  asleep.store(1);
  const std::uint32_t others = 1 - static_cast<std::uint32_t>(own);
  if (calls.turn.load() == others) ::syscall(SYS_futex, &calls.turn, FUTEX_WAIT, others, longest, nullptr, 0);
  asleep.store(0);
}

/// The message has another length than it says.
struct BadMessage : std::runtime_error {
  BadMessage() : std::runtime_error("its process answers with nonsense") {}
};

class MessageWriter {
 public:
  MessageWriter() = default;
  explicit MessageWriter(std::span<std::byte> room) : room_(room) {}

  std::size_t size() const { return used_; }
  void shrink(std::size_t size) { used_ = size; }
  std::size_t left() const { return room_.size() - used_; }
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_all(std::span(&value, 1));
  }
  template <class T>
  void put_all(std::span<const T> values) {
    if (values.size_bytes() > left()) throw BadMessage();
    if (!values.empty()) std::memcpy(room_.data() + used_, values.data(), values.size_bytes());
    used_ += values.size_bytes();
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    put_all(std::span<const char>(text));
  }
  void put_channel(const Channel& channel) {
    put(static_cast<std::uint32_t>(channel.groups().size()));
    for (const Channel::Group& group : channel.groups()) {
      put(group.type);
      put(static_cast<std::uint32_t>(group.references.size()));
      put(static_cast<std::uint64_t>(group.values));
      put_all(std::span<const std::uint32_t>(group.references));
    }
  }

 private:
  std::span<std::byte> room_;
  std::size_t used_ = 0;
};

class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> message) : message_(message) {}

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  template <class T>
  void get_all(std::span<T> values) {
    if (!values.empty()) std::memcpy(values.data(), take(values.size_bytes()).data(), values.size_bytes());
  }
  std::span<const std::byte> take(std::size_t bytes) {
    if (bytes > message_.size() - at_) throw BadMessage();
    at_ += bytes;
    return message_.subspan(at_ - bytes, bytes);
  }
  std::string get_text() {
    const auto bytes = take(get<std::uint64_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::size_t place() const { return at_; }

 private:
  std::span<const std::byte> message_;
  std::size_t at_ = 0;
};

}  // namespace cosimo::fmi
