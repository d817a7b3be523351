#include "output.hpp"

#include <nlohmann/json.hpp>

#include "console.hpp"

namespace cosimo::cli {

void print(const nlohmann::ordered_json& document) {
  // Names of files may be no UTF-8.
  say("{}\n", document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace cosimo::cli
