#include "mechanics/provided_elements.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace cosimo {

namespace {

// Functions of a program are the program's, not a model's: text can name them only through a table that all
// of its models share, as they share the system's table of loaded libraries.
struct Provided {
  std::mutex lock;
  std::map<std::string, std::shared_ptr<const cosimo_user_element>> elements;
};

/// Never destroyed: models may end after everything static has.
Provided& provided() {
  static Provided& all = *new Provided;
  return all;
}

}  // namespace

std::shared_ptr<const cosimo_user_element> put_provided_element(
    const std::string& name, std::shared_ptr<const cosimo_user_element> element) {
  const std::scoped_lock held(provided().lock);
  return std::exchange(provided().elements[name], std::move(element));
}

std::shared_ptr<const cosimo_user_element> provided_element(const std::string& name) {
  const std::scoped_lock held(provided().lock);
  const auto found = provided().elements.find(name);
  return found == provided().elements.end() ? nullptr : found->second;
}

}  // namespace cosimo
