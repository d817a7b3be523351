// What the elements of a Dynamics remember. Nothing here needs a workspace.
#include <algorithm>

#include "mechanics/dynamics_data.hpp"
#include "mechanics/dynamics_forces.hpp"

namespace cosimo {

Dynamics::Impl::Markers Dynamics::Impl::markers(const ElementData& data, const double* q,
                                                const double* v) const {
  const auto frame = [&](std::int32_t body, const Marker& marker) {
    return marker_frame(body == no_body ? Frame{} : frame_at(static_cast<std::size_t>(body), q, v), marker);
  };
  return {frame(data.from, data.element->at_from), frame(data.to, data.element->at_to)};
}

const Extent& Dynamics::extent() const {
  return impl_->extent;
}
std::span<const double> Dynamics::nominals() const {
  return impl_->nominals;
}
std::span<const std::int32_t> Dynamics::root_coordinates() const {
  return impl_->root_coordinates;
}

Remembered Dynamics::of_element(std::size_t place, const Remembered& y) const {
  const ElementData& data = impl_->elements[place];
  return data.remembers(y) ? data.of(y) : Remembered{};
}

void Dynamics::begin(const double* q, const double* v, double* z, double* s) const {
  for (const std::uint32_t e : impl_->remembering) {
    const ElementData& data = impl_->elements[e];
    const auto [from, to] = impl_->markers(data, q, v);
    data.memory->begin(from, to, z + data.first.z, s + data.first.s);
  }
  std::vector<GroupRoom> rooms;
  const auto frame = [&](std::size_t b) { return impl_->frame_at(b, q, v); };
  for (std::size_t g = 0; g < impl_->laws.size(); ++g) {
    const GroupData& data = impl_->laws[g];
    if (data.group->remembers() == 0) continue;
    if (rooms.empty()) rooms = impl_->make_rooms();
    data.group->begin(Impl::look(data, 0, frame, {}, rooms[g]), s + data.first_s);
  }
}

void Dynamics::commit(double t, const double* q, const double* v, const Remembered& y, double* s,
                      Workspace* work) const {
  for (const std::uint32_t e : impl_->remembering) {
    const ElementData& data = impl_->elements[e];
    const auto [from, to] = impl_->markers(data, q, v);
    data.memory->commit(t, from, to, data.of(y), s + data.first.s);
  }
  std::vector<GroupRoom> rooms;
  const auto frame = [&](std::size_t b) { return impl_->frame_at(b, q, v); };
  for (std::size_t g = 0; g < impl_->laws.size(); ++g) {
    const GroupData& data = impl_->laws[g];
    if (data.group->remembers() == 0) continue;
    if (work == nullptr && rooms.empty()) rooms = impl_->make_rooms();
    GroupRoom& room = work == nullptr ? rooms[g] : work->rooms[g];
    data.group->commit(Impl::look(data, t, frame, y, room), s + data.first_s);
  }
}

void Dynamics::roots(double t, const double* q, const double* v, const Remembered& y, double* g) const {
  for (const std::uint32_t e : impl_->remembering) {
    const ElementData& data = impl_->elements[e];
    const auto [from, to] = impl_->markers(data, q, v);
    data.memory->roots(t, from, to, data.of(y), g + data.first.roots);
  }
}

Fired Dynamics::fire(double t, std::span<const std::int8_t> crossed, const double* q, const double* v,
                     double* z, double* s) const {
  Fired all = Fired::none;
  for (const std::uint32_t e : impl_->remembering) {
    const ElementData& data = impl_->elements[e];
    const auto own = crossed.subspan(data.first.roots, data.memory->extent().roots);
    if (std::ranges::none_of(own, [](std::int8_t side) { return side != 0; })) continue;
    const auto [from, to] = impl_->markers(data, q, v);
    all = std::max(all, data.memory->fire(t, own, from, to, z + data.first.z, s + data.first.s));
  }
  return all;
}

}  // namespace cosimo
