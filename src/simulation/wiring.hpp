// What a run has beside its mechanical model: components, and the names that signals go between.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/component_spec.hpp"

namespace cosimo {

struct Wiring {
  struct Link {
    std::string from, to;
    std::string file{};  ///< where it is written, for messages
    int line = 0, column = 0;
  };
  std::vector<std::shared_ptr<const ComponentSpec>> components;
  std::vector<Link> links;
};

}  // namespace cosimo
