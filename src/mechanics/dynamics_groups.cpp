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

double Dynamics::Impl::potential_of_groups(double t, const double* q, const Remembered& y) const {
  double energy = 0;
  std::vector<GroupRoom> rooms = make_rooms();
  const auto frame = [&](std::size_t b) { return still_frame_at(b, q); };
  for (std::size_t g = 0; g < laws.size(); ++g)
    energy += laws[g].group->potential(look(laws[g], t, frame, y, rooms[g]));
  return energy;
}

}  // namespace cosimo
