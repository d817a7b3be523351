// What a run has beside its mechanical model: components, and the names that signals go between.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/component_spec.hpp"
#include "network/course.hpp"

namespace cosimo {

struct Wiring {
  struct Link {
    std::string from, to;
    std::string file{};  ///< where it is written, for messages
    int line = 0, column = 0;
    std::string label{};  ///< in results; empty: from -> to
  };
  std::vector<std::shared_ptr<const ComponentSpec>> components;
  std::vector<Link> links;
  /// Inputs from outside. They change while a run goes on, and belong to the session.
  std::shared_ptr<OuterInputs> outer = std::make_shared<OuterInputs>();
};

}  // namespace cosimo
