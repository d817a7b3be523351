#include "fmi/shared_instance.hpp"

namespace cosimo::fmi {

SavedState::~SavedState() {
  if (raw == nullptr) return;
  const auto lock = of_->enter();
  of_->instance_->release(raw);
}

Turn::Turn(SharedInstance& shared, Tenant& tenant, bool furnished) : lock_(shared.enter()), shared_(shared) {
  if (shared.tenant_ == &tenant) return;
  if (shared.tenant_ != nullptr) shared.tenant_->move_out(*shared.instance_);
  shared.tenant_ = &tenant;
  if (furnished) tenant.move_in(*shared.instance_);
}

void Turn::leave(SharedInstance& shared, const Tenant& tenant) {
  const auto lock = shared.enter();
  if (shared.tenant_ == &tenant) shared.tenant_ = nullptr;
}

}  // namespace cosimo::fmi
