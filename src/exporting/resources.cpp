#include "exporting/resources.hpp"

#include <charconv>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace cosimo::exporting {

namespace {

[[noreturn]] void refuse(std::string_view given) {
  throw Error(Fault{.field = "resources",
                    .value = std::string(given),
                    .problem = "is no folder of this machine",
                    .remedy = "unpack the FMU, and name its folder `resources`"});
}

}  // namespace

std::filesystem::path path_of_uri(const char* uri) {
  if (uri == nullptr) refuse("");
  std::string_view text = uri;
  if (!text.starts_with("file:")) {
    if (text.starts_with('/')) return text;  // some importers give a path
    refuse(uri);
  }
  text.remove_prefix(5);
  if (text.starts_with("//")) {  // a host follows: none, or this one
    text.remove_prefix(2);
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) refuse(uri);
    if (const auto host = text.substr(0, slash); !host.empty() && host != "localhost") refuse(uri);
    text.remove_prefix(slash);
  }
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned int code = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ptr == text.data() + i + 3) {
      path += static_cast<char>(code);
      i += 2;
    } else {
      path += text[i];
    }
  }
  return path;
}

std::filesystem::path path_of(const char* path) {
  if (path == nullptr || *path == '\0') refuse("");
  return path;
}

}  // namespace cosimo::exporting
