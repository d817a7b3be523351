#include "core/user_call.hpp"

#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <memory>

namespace cosimo {

namespace {

// Threads and signal handlers meet here, which nothing but a global can bring about.
struct alignas(64) Slot {
  std::atomic<bool> taken{false};
  std::atomic<const UserCall*> call{nullptr};
  std::atomic<std::uint64_t> number{0};
};
std::array<Slot, UserCallWatch::most_threads> slots;
static_assert(std::atomic<const UserCall*>::is_always_lock_free);

thread_local const UserCall* here = nullptr;
thread_local bool thread_is_ending = false;

/// What a thread that calls libraries has: a slot, and a stack for handlers when its own has run over.
class Attendance {
 public:
  Attendance() {
    for (Slot& slot : slots)
      if (!slot.taken.exchange(true)) {
        slot_ = &slot;
        break;
      }
    stack_t old{};
    if (sigaltstack(nullptr, &old) != 0 || (old.ss_flags & SS_DISABLE) == 0) return;  // it has one
    stack_ = std::make_unique<std::byte[]>(stack_size);
    const stack_t own{.ss_sp = stack_.get(), .ss_flags = 0, .ss_size = stack_size};
    sigaltstack(&own, nullptr);
  }
  ~Attendance() {
    if (slot_ != nullptr) slot_->taken = false;
    if (!stack_) return;
    const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    sigaltstack(&none, nullptr);
  }
  Attendance(const Attendance&) = delete;
  Attendance& operator=(const Attendance&) = delete;

  void enter(const UserCall* call) noexcept {
    if (slot_ == nullptr) return;
    slot_->number.store(slot_->number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    slot_->call.store(call, std::memory_order_relaxed);
  }
  void leave(const UserCall* outer) noexcept {
    if (slot_ != nullptr) slot_->call.store(outer, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t stack_size = std::size_t{1} << 16;
  Slot* slot_ = nullptr;
  std::unique_ptr<std::byte[]> stack_;
};

Attendance& attendance() {
  thread_local Attendance own;
  return own;
}

}  // namespace

InUserCall::InUserCall(const UserCall& call) noexcept : outer_(here) {
  attendance().enter(&call);
  here = &call;
}

InUserCall::~InUserCall() {
  here = outer_;
  attendance().leave(outer_);
}

void InUserCall::thread_ends() const noexcept {
  thread_is_ending = true;
  std::abort();
}

const UserCall* user_call_here() noexcept {
  return here;
}

bool user_call_ends_thread() noexcept {
  return thread_is_ending;
}

void UserCallWatch::look() noexcept {
  for (std::size_t i = 0; i < slots.size(); ++i)
    seen_[i] = slots[i].call.load(std::memory_order_relaxed) == nullptr
                   ? 0
                   : slots[i].number.load(std::memory_order_relaxed);
}

const UserCall* UserCallWatch::unfinished() const noexcept {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const UserCall* call = slots[i].call.load(std::memory_order_relaxed);
    if (call != nullptr && seen_[i] != 0 && slots[i].number.load(std::memory_order_relaxed) == seen_[i])
      return call;
  }
  return nullptr;
}

}  // namespace cosimo
