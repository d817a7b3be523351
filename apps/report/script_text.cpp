#include "apps/report/script_text.hpp"

#include <string_view>

namespace cosimo::page {

std::string dump(const nlohmann::ordered_json& json) {
  using nlohmann::ordered_json;
  std::string plain = json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  // All of these occur in strings only, where an escape means the same.
  static constexpr std::string_view line = "\xe2\x80\xa8", paragraph = "\xe2\x80\xa9";
  if (plain.find('<') == std::string::npos && plain.find(line) == std::string::npos &&
      plain.find(paragraph) == std::string::npos)
    return plain;
  std::string text;
  text.reserve(plain.size() + 64);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::string_view rest = std::string_view(plain).substr(i, 3);
    if (plain[i] == '<') {
      text += "\\u003c";
    } else if (rest == line || rest == paragraph) {
      text += rest == line ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      text += plain[i];
    }
  }
  return text;
}

}  // namespace cosimo::page
