#include "integrator/nvector_archive.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/check.hpp"

namespace cosimo {

namespace {

constexpr std::int32_t none = -1;

}  // namespace

void ValueArchive::operator()(VectorValue& value) {
  const auto known = static_cast<std::int32_t>(arrays_.size());
  std::int32_t number = none;
  if (value.array)
    number =
        static_cast<std::int32_t>(std::find(arrays_.begin(), arrays_.end(), value.array) - arrays_.begin());
  archive_(number);
  if (number < none || number > known) throw ArchiveError("the data hold a vector of no array");
  if (archive_.loading()) value = {};
  archive_(value.c);
  if (number == none) return;
  if (number == known) {
    arrays_.push_back(archive_.loading() ? space_.take_array() : value.array);
    contents(*arrays_.back());
  }
  value.array = arrays_[static_cast<std::size_t>(number)];
}

void ValueArchive::contents(StateArray& array) {
  COSIMO_CHECK(array.count == 0, "a value that was computed");
  const StateLayout& layout = space_.layout();
  archive_(std::span(array.values(), layout.dofs), std::span(array.values() + layout.stride, layout.dofs));
  if (layout.states > 0) archive_(std::span(array.values() + layout.first_state(), layout.states));
}

}  // namespace cosimo
