// The `units:` section of the table.
#include "config/definition.hpp"

namespace cosimo::config {

Key units_definition() {
  const auto unit = [](const char* name, const char* otherwise, const char* description) {
    return silent_derived(name, {text()}, otherwise, description);
  };
  return silent_derived(
      "units",
      {words({"SI"}),
       section({
           unit("length", "m, where `mass` and `time` are absent too", "such as `mm` or `in`"),
           unit("mass", "kg, or what `force` makes it", "such as `t` or `lb`"),
           unit("time", "s, where `length` and `mass` are absent too", "such as `s` or `ms`"),
           unit("angle", "rad", "such as `deg`; results are in radians"),
           unit("force", "what `mass`, `length` and `time` make it",
                "such as `N` or `lbf`; beside `mass` it is of numbers in this file alone, and results are in "
                "the force that `mass`, `length` and `time` make"),
       })},
      "none, or SI where any value has a unit",
      "what plain numbers mean; a value may have a unit of its own, such as `12 mm` or `3.5 kN/mm` "
      "(docs/units.md)");
}

}  // namespace cosimo::config
