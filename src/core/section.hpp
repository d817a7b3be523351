// The sections of a macro step: what the threads of a rank go through one after the other, each with a wait
// for the slowest at its end. (The document has such sections, PS1 to PS9, in the step of its one solver;
// here that step is taken inside `integrate`, by every subsystem in its own way.) A model that is left whole
// has `integrate`, `control` and `output` only, and the members of its team are the threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cosimo {

enum class Section : std::uint8_t {
  predict,
  fit,
  snapshot,
  integrate,
  exchange,
  couple,
  estimate,
  control,
  output
};

struct SectionText {
  std::string_view name, meaning;
};

inline constexpr std::array<SectionText, 9> section_texts{{
    {"predict", "continuing coupling variables, agreeing on common micro steps"},
    {"fit", "fitting overlaps: how far errors travel, and which bodies are carried"},
    {"snapshot", "saving and restoring solver memory"},
    {"integrate", "micro steps of all subsystems"},
    {"exchange", "messages to and from other ranks"},
    {"couple", "forces at the cuts from the new states; Jacobian and corrector"},
    {"estimate", "the error of the macro step"},
    {"control", "keeping or taking back the step, and choosing the next"},
    {"output", "recording results"},
}};

constexpr std::size_t index(Section section) {
  return static_cast<std::size_t>(section);
}
static_assert(section_texts.size() == index(Section::output) + 1);

}  // namespace cosimo
