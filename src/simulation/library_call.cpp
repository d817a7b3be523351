#include "cosimo/library_call.hpp"

#include "core/user_call.hpp"

namespace cosimo {

namespace {

LibraryCall public_of(const UserCall* call) noexcept {
  return call == nullptr ? LibraryCall{}
                         : LibraryCall{call->library, call->kind, call->element, call->function, false};
}

}  // namespace

struct LibraryWatch::Impl {
  UserCallWatch watch;
};

LibraryWatch::LibraryWatch() : impl_(std::make_unique<Impl>()) {}
LibraryWatch::~LibraryWatch() = default;

LibraryCall library_call_here() noexcept {
  LibraryCall call = public_of(user_call_here());
  call.ends_thread = user_call_ends_thread();
  return call;
}

void LibraryWatch::look() noexcept {
  impl_->watch.look();
}

LibraryCall LibraryWatch::unfinished() const noexcept {
  return public_of(impl_->watch.unfinished());
}

}  // namespace cosimo
