#include "cosimo/provided_elements.hpp"

#include <utility>

#include "mechanics/provided_elements.hpp"

namespace cosimo {

void provide_element(const std::string& name, std::shared_ptr<const cosimo_user_element> element) {
  put_provided_element(name, std::move(element));
}

void withdraw_element(const std::string& name) {
  put_provided_element(name, nullptr);
}

}  // namespace cosimo
