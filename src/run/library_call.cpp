#include "cosimo/library_call.hpp"

#include "mechanics/user_call.hpp"

namespace cosimo {

namespace {

LibraryCall public_of(const UserCall* call) noexcept {
  return call == nullptr ? LibraryCall{} : LibraryCall{call->library, call->element, call->function};
}

}  // namespace

struct LibraryWatch::Impl {
  UserCallWatch watch;
};

LibraryWatch::LibraryWatch() : impl_(std::make_unique<Impl>()) {}
LibraryWatch::~LibraryWatch() = default;

LibraryCall library_call_here() noexcept {
  return public_of(user_call_here());
}

void LibraryWatch::look() noexcept {
  impl_->watch.look();
}

LibraryCall LibraryWatch::unfinished() const noexcept {
  return public_of(impl_->watch.unfinished());
}

}  // namespace cosimo
