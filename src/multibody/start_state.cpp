#include "multibody/start_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "mechanics/element_memory.hpp"
#include "mechanics/start.hpp"

namespace cosimo {

namespace {

constexpr const char* ask = "write `start: {assemble: true}` in `model` if the shift is wanted";

/// Bodies of generators have all their velocities from them.
GivenVelocities given_velocities(const config::Scenario& scenario) {
  GivenVelocities given;
  if (!scenario.mechanism) return given;
  for (const config::Body& body : scenario.mechanism->bodies) {
    given.velocity.push_back(body.velocity_given);
    given.angular_velocity.push_back(body.angular_velocity_given);
  }
  return given;
}

template <class Named>
const Named* find_named(const std::vector<Named>& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Named& entry) { return entry.name == name; });
  return found == list.end() ? nullptr : &*found;
}

/// Errors of bodies and joints know their names; the scenario knows where these are.
[[noreturn]] void rethrow_with_place(const Error& error, const config::Scenario& scenario) {
  std::vector<Fault> faults = error.faults();
  for (Fault& fault : faults) {
    if (!scenario.mechanism) continue;
    const auto place = [&](const auto& list, const std::string& path) {
      if (!fault.field.starts_with(path)) return;
      const auto* entry = find_named(list, fault.field.substr(path.size()));
      if (entry == nullptr) return;
      const auto source = static_cast<std::size_t>(entry->place.source);
      if (source < scenario.sources.size()) fault.file = scenario.sources[source];
      fault.line = entry->place.line;
      fault.column = entry->place.column;
    };
    place(scenario.mechanism->joints, "model.joints.");
    place(scenario.mechanism->elements, "model.elements.");
    place(scenario.mechanism->ropes, "model.ropes.");
    place(scenario.mechanism->contacts, "model.contacts.");
    place(scenario.mechanism->bodies, "model.bodies.");
  }
  throw Error(std::move(faults));
}

/// "position of rod by 0.3, orientation of rod by 0.1 rad"
std::string phrase(const std::vector<NamedShift>& shifts) {
  std::string out;
  for (const NamedShift& shift : shifts)
    out += fmt::format("{}{} of {} by {:.3g}{}", out.empty() ? "" : ", ",
                       shift.quantity == "angular_velocity" ? "angular velocity" : shift.quantity, shift.body,
                       shift.amount, shift.quantity == "orientation" ? " rad" : "");
  return out;
}

std::vector<NamedShift> named(const StartShifts& shifts, const Mechanism& mechanism) {
  std::vector<NamedShift> out;
  const auto add = [&](const char* quantity, const StartShift& shift) {
    if (shift.amount > 0) out.push_back({quantity, mechanism.bodies[shift.body.index()].name, shift.amount});
  };
  add("position", shifts.position);
  add("orientation", shifts.orientation);
  add("velocity", shifts.velocity);
  add("angular_velocity", shifts.angular_velocity);
  return out;
}

/// Throws when something was moved that the file gives, and by more than rounding explains.
void require_bearable(const StartShifts& shifts, const PlacedMechanism& given) {
  const Mechanism& mechanism = *given.mechanism;
  std::vector<Fault> faults;
  const auto places = named({shifts.position, shifts.orientation, {}, {}}, mechanism);
  const auto rates = named({{}, {}, shifts.velocity, shifts.angular_velocity}, mechanism);
  if (!places.empty()) {
    const OpenJoint worst = most_open_joint(given);
    faults.push_back(Fault{
        .field = "model.joints." + worst.constraint->name,
        .value = std::string(worst.constraint->kind()),
        .problem = fmt::format("does not fit the bodies as they are placed: {:.3g} is left between its "
                               "sides, and closing all joints shifts the {}",
                               worst.gap, phrase(places)),
        .remedy = fmt::format("correct the points and axes of joints or the places of bodies, or {}", ask)});
  }
  if (!rates.empty())
    faults.push_back(
        Fault{.field = "model.bodies." + rates.front().body,
              .problem =
                  "the joints contradict the velocities that the file gives: they shift the " + phrase(rates),
              .remedy = fmt::format("give all bodies velocities that the joints allow, or {}", ask)});
  if (!faults.empty()) throw Error(std::move(faults));
}

/// Whether the force of an element has a value.
bool has_force(const ForceElement& element, const Frame& from, const Frame& to) {
  Effort effort;
  const ElementMemory* const memory = element.memory();
  if (memory == nullptr) return element.effort(0, from, to, effort);
  std::vector<double> z(memory->extent().z), s(memory->extent().s), rate(z.size());
  memory->begin(from, to, z.data(), s.data());
  return memory->effort(0, from, to, {z.data(), s.data()}, effort, rate.data());
}

bool has_force(const ForceGroup& group, std::span<const Frame> all) {
  std::vector<Frame> frames;
  for (const BodyId body : group.bodies()) frames.push_back(all[body.index()]);
  std::vector<double> s(group.remembers());
  group.begin({0, frames}, s.data());
  std::vector<Wrench> wrenches(frames.size());
  return group.wrenches({0, frames, s.empty() ? nullptr : s.data()}, wrenches);
}

/// Throws for the first force that has no value where the run begins.
void require_forces(const PlacedMechanism& placed) {
  const Mechanism& mechanism = *placed.mechanism;
  const std::vector<std::size_t> first = mechanism.coordinate_offsets();
  std::vector<Frame> frames;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    frames.push_back(
        frame_of(mechanism.bodies[b].kind, placed.q.data() + first[b], placed.v.data() + first[b]));
  const auto refuse = [](std::string field) {
    throw Error(Fault{.field = std::move(field),
                      .value = {},
                      .problem = "its force has no finite value where the run begins",
                      .remedy =
                          "check where its ends are, and its formulas at t = 0: a division by zero, the "
                          "root or logarithm of a negative number"});
  };
  // A user's library is called, and blamed, by the run alone.
  for (const auto& element : mechanism.elements)
    if (!element->foreign() &&
        !has_force(*element, marker_at(frames, element->at_from), marker_at(frames, element->at_to)))
      refuse("model.elements." + element->name);
  for (const auto& group : mechanism.groups)
    if (!has_force(*group, frames)) {
      const std::string_view kind = group->kind();
      refuse((kind == "contacts"                 ? "model.contacts."
              : kind == "rope" || kind == "belt" ? "model.ropes."
                                                 : "model.elements.") +
             group->name);
    }
}

StartShifts begin(const config::Scenario& scenario, PlacedMechanism& placed) {
  const config::Start& wanted = scenario.start;
  const PlacedMechanism given = placed;
  if (wanted.assemble == config::Assemble::never)
    require_assembled(placed);
  else
    assemble(placed);
  const StartSizes sizes = sizes_of(given, placed);
  if (wanted.assemble == config::Assemble::nearby)
    require_bearable(beyond(largest_shifts(given, placed, given_velocities(scenario)), sizes, bearable_shift),
                     given);
  const StartShifts shifts = beyond(largest_shifts(given, placed), sizes, unnoticed_shift);
  require_forces(placed);
  if (wanted.equilibrium) settle(placed);
  return shifts;
}

}  // namespace

StartShifts find_start(const config::Scenario& scenario, Model& model) {
  if (!model.mechanism) return {};
  const auto copy = [](const auto& values) { return std::vector<double>(values.begin(), values.end()); };
  PlacedMechanism placed{model.mechanism, copy(model.bodies.x), copy(model.bodies.v)};
  StartShifts shifts;
  try {
    shifts = begin(scenario, placed);
  } catch (const Error& error) {
    rethrow_with_place(error, scenario);
  }
  model.bodies.x = std::move(placed.q);
  model.bodies.v = std::move(placed.v);
  return shifts;
}

std::vector<NamedShift> named_shifts(const StartShifts& shifts, const Model& model) {
  return model.mechanism ? named(shifts, *model.mechanism) : std::vector<NamedShift>();
}

std::string describe(const StartShifts& shifts, const Model& model) {
  const std::string moved = phrase(named_shifts(shifts, model));
  return moved.empty() ? "" : "assembly: the joints shift the initial state, most of all the " + moved;
}

}  // namespace cosimo
