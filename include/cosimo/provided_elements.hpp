// Force elements of the program itself: functions that scenarios of this process may name without a library.
//
//   auto rope = std::make_shared<cosimo_user_element>(...);      cosimo/user_element.h
//   cosimo::provide_element("rope", rope);
//   auto scenario = cosimo::Scenario::load("bridge.yaml");       elements: [{kind: user, function: rope, to:
//   deck}]
//
// As of a library, there is one of each name per process. Runs take the element of the moment when their
// model is built, and keep it as long as they need it.
#pragma once

#include <memory>
#include <string>

#include "cosimo/user_element.h"

namespace cosimo {

/// Replaces one of the same name, for models that are built from now on.
void provide_element(const std::string& name, std::shared_ptr<const cosimo_user_element> element);
/// Models that are built from now on do not find it any more.
void withdraw_element(const std::string& name);

}  // namespace cosimo
