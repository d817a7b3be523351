// Laws over many bodies in the equations of motion (mechanics/force_group.hpp).
#include "mechanics/dynamics_data.hpp"
#include "mechanics/dynamics_forces.hpp"

namespace cosimo {

std::vector<GroupRoom> Dynamics::Impl::make_rooms() const {
  std::vector<GroupRoom> rooms(laws.size());
  for (std::size_t g = 0; g < laws.size(); ++g) {
    rooms[g].frames.resize(laws[g].bodies.size());
    rooms[g].wrenches.resize(laws[g].bodies.size());
    rooms[g].scratch = laws[g].group->make_scratch();
  }
  return rooms;
}

bool Dynamics::Impl::add_group_forces(double t, const SchurState& state, Workspace& work,
                                      const Fellow& me) const {
  bool fine = true;
  for (std::size_t g = 0; g < laws.size(); ++g) {
    const GroupData& data = laws[g];
    GroupRoom& room = work.rooms[g];
    const Range own = me.share(data.bodies.size());
    for (std::size_t k = own.first; k < own.last; ++k) {
      room.frames[k] = state.frames[data.bodies[k]];
      room.wrenches[k] = {};
    }
    me.meet();
    fine = data.group->wrenches({t, room.frames, nullptr, room.scratch.get()}, room.wrenches, me) && fine;
    for (std::size_t k = own.first; k < own.last; ++k)
      add_wrench(bodies[data.bodies[k]], room.wrenches[k], pull_on(data.bodies[k], work));
    me.meet();
  }
  return fine;
}

double Dynamics::Impl::potential_of_groups(double t, const double* q, const Remembered& y) const {
  double energy = 0;
  std::vector<GroupRoom> rooms = make_rooms();
  const auto frame = [&](std::size_t b) { return still_frame_at(b, q); };
  for (std::size_t g = 0; g < laws.size(); ++g)
    energy += laws[g].group->potential(look(laws[g], t, frame, y, rooms[g]));
  return energy;
}

void Dynamics::read_groups(double t, const double* q, const double* v, const Remembered& y,
                           std::span<double> out) const {
  std::vector<GroupRoom> rooms = impl_->make_rooms();
  const auto frame = [&](std::size_t b) { return impl_->frame_at(b, q, v); };
  for (std::size_t g = 0; g < rooms.size(); ++g) {
    const GroupData& law = impl_->laws[g];
    const std::size_t count = law.group->readings().size();
    if (count > 0) law.group->read(Impl::look(law, t, frame, y, rooms[g]), out.first(count));
    out = out.subspan(count);
  }
}

}  // namespace cosimo
