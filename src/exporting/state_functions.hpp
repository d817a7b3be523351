// What FMI 2.0 and 3.0 do alike with states, beneath their own names and types.
#pragma once

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "exporting/instance.hpp"

namespace cosimo::exporting {

/// Into the state that is there, or a new one.
inline void keep(State state, void** place) {
  if (*place == nullptr)
    *place = new State(std::move(state));
  else
    *static_cast<State*>(*place) = std::move(state);
}

inline const State& state_at(const void* place) {
  if (place == nullptr) throw std::invalid_argument("there is no state");
  return *static_cast<const State*>(place);
}

inline void free_state(void** place) {
  if (place == nullptr) return;
  delete static_cast<State*>(*place);
  *place = nullptr;
}

inline std::size_t serialised_size(const Instance& instance, const void* place) {
  return state_at(place).bytes(instance.manifest().token).size();
}

template <class Byte>
void serialise(const Instance& instance, const void* place, Byte* bytes, std::size_t size) {
  const std::vector<std::byte> all = state_at(place).bytes(instance.manifest().token);
  if (all.size() > size)
    throw std::invalid_argument("the serialised state needs " + std::to_string(all.size()) + " bytes");
  std::memcpy(bytes, all.data(), all.size());
}

template <class Byte>
void deserialise(const Instance& instance, const Byte* bytes, std::size_t size, void** place) {
  keep(State::of_bytes({reinterpret_cast<const std::byte*>(bytes), size}, instance.manifest().token), place);
}

}  // namespace cosimo::exporting
