// Wagons on a track that hold on to it by friction, two and two with friction between them: every element
// that remembers is in one part, and copies have to remember as their owners do.
#pragma once

#include <fmt/format.h>

#include <string>

namespace cosimo::testing {

inline std::string train(int wagons, const std::string& rest) {
  std::string bodies, elements;
  for (int i = 1; i <= wagons; ++i) {
    bodies +=
        fmt::format("    - {{name: w{}, kind: point, dimensions: 1, mass: {}, position: {}, velocity: {}}}\n",
                    i, 1 + 0.3 * (i % 3), 2 * i, 0.4 * ((i * i) % 7 - 3));
    elements += fmt::format(
        "    - {{name: brake{0}, kind: friction, to: w{0}, measure: displacement, axis: [1], limit: 1.5, "
        "sliding: 1, stiffness: 2000, damping: 20}}\n",
        i);
    if (i == 1) continue;
    elements += fmt::format("    - {{name: spring{1}, kind: spring, from: w{0}, to: w{1}, c: 100, d: 0.2}}\n",
                            i - 1, i);
    if (i % 2 == 0)
      elements += fmt::format(
          "    - {{name: gear{1}, kind: friction, from: w{0}, to: w{1}, measure: displacement, axis: [1], "
          "limit: 2, stiffness: 1000, damping: 10}}\n",
          i - 1, i);
  }
  return fmt::format("cosimo: 1\nmodel:\n  bodies:\n{}  elements:\n{}simulate: {{end: 1, output: 0.05}}\n{}",
                     bodies, elements, rest);
}

}  // namespace cosimo::testing
