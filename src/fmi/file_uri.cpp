#include "fmi/file_uri.hpp"

#include <string_view>

namespace cosimo::fmi {

std::string file_uri(const std::filesystem::path& path) {
  constexpr std::string_view digits = "0123456789ABCDEF", others = "-._~/";
  std::string uri = "file://";
  for (const char c : path.string()) {
    const bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                       others.find(c) != std::string_view::npos;
    if (plain) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += {'%', digits[byte >> 4U], digits[byte & 15U]};
  }
  return uri;
}

}  // namespace cosimo::fmi
