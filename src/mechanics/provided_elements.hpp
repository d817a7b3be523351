// Force elements that the program gave names to (cosimo/provided_elements.hpp): one table per process.
#pragma once

#include <memory>
#include <string>

#include "cosimo/user_element.h"

namespace cosimo {

/// Null withdraws it. Returns the one before, which may end when the caller lets it go: nobody holds the
/// table then, so that its end may ask for elements itself.
std::shared_ptr<const cosimo_user_element> put_provided_element(
    const std::string& name, std::shared_ptr<const cosimo_user_element> element);

/// Null: there is none. Held as long as the functions are called.
std::shared_ptr<const cosimo_user_element> provided_element(const std::string& name);

}  // namespace cosimo
