#include "integrator/scratch.hpp"

#include "integrator/slab.hpp"

namespace cosimo {

Scratch::Scratch(std::size_t rows, std::size_t size, std::size_t first) : pitch_(Slab::pitch_of(size)) {
  thread_local AlignedVector storage;
  const std::size_t needed = Slab::storage_for(rows, size, first);
  if (storage.size() < needed) storage.resize(needed);
  start_ = storage.data() + Slab::start_in(storage.data(), first);
}

}  // namespace cosimo
