#include "results/vtk_text.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "core/check.hpp"

namespace cosimo {

std::string vtk_head(std::string_view type) {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"" + std::string(type) +
         "\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt32\">\n";
}

std::string base64(std::span<const std::byte> bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < there ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) text += k <= there ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string vtk_array(std::string_view type, std::string_view name, std::size_t components,
                      std::span<const std::byte> bytes) {
  COSIMO_CHECK(bytes.size() <= std::numeric_limits<std::uint32_t>::max(), "an array of at most 4 GiB");
  const auto count = static_cast<std::uint32_t>(bytes.size());
  std::vector<std::byte> block(sizeof count + bytes.size());
  std::memcpy(block.data(), &count, sizeof count);
  if (!bytes.empty()) std::memcpy(block.data() + sizeof count, bytes.data(), bytes.size());
  std::string text = "<DataArray type=\"";
  text.append(type).append("\" Name=\"").append(name);
  if (components > 1) text.append("\" NumberOfComponents=\"").append(std::to_string(components));
  return text.append("\" format=\"binary\">").append(base64(block)).append("</DataArray>\n");
}

}  // namespace cosimo
