// XML PolyData as text, with its arrays in base64: private to results/.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace cosimo {

/// Everything before the first element inside <VTKFile type=...>.
std::string vtk_head(std::string_view type);

/// RFC 4648, with padding.
std::string base64(std::span<const std::byte> bytes);

template <class T>
constexpr std::string_view vtk_type() {
  if constexpr (std::is_same_v<T, double>) return "Float64";
  if constexpr (std::is_same_v<T, float>) return "Float32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "Int64";
  if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
}

/// <DataArray ...> with `components` numbers per point or cell. The number of bytes and the bytes are one
/// base64 text, as VTK reads arrays that are not compressed.
std::string vtk_array(std::string_view type, std::string_view name, std::size_t components,
                      std::span<const std::byte> bytes);

template <class T>
std::string vtk_array(std::string_view name, std::span<const T> values, std::size_t components = 1) {
  static_assert(std::endian::native == std::endian::little, "the files say byte_order=\"LittleEndian\"");
  return vtk_array(vtk_type<T>(), name, components, std::as_bytes(values));
}

}  // namespace cosimo
