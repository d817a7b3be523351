// Settings of stability maps, for tests.
#pragma once

#include <string>
#include <vector>

#include "simulation/stability.hpp"

namespace cosimo::testing {

/// `couple`: the inside of the section.
inline config::Scenario settings(const std::string& couple, const std::string& order = "") {
  std::vector<std::string> changes{"couple={" + couple + "}"};
  if (!order.empty()) changes.push_back("control.order=" + order);
  return coupling_of(config::parse_scenario(stability_settings(), "test", changes));
}

}  // namespace cosimo::testing
