// Shared by the tests of apps/report/: folders that go away, and numbers of a page read back.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace cosimo::page::test {

using cosimo::test::TemporaryFolder;

inline std::string from_base64(const std::string& text) {
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    word = (word << 6U) | static_cast<std::uint32_t>(digits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((word >> static_cast<unsigned>(bits)) & 255U);
  }
  return bytes;
}

template <class T>
std::vector<double> values_in(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return {values.begin(), values.end()};
}

/// Numbers of data.ts; null becomes NaN.
template <class Json>
std::vector<double> decode(const Json& numbers) {
  if (numbers.is_array()) {
    std::vector<double> values;
    for (const auto& number : numbers)
      values.push_back(number.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                        : number.template get<double>());
    return values;
  }
  const auto entry = numbers.begin();
  const std::string bytes = from_base64(entry.value().template get<std::string>());
  if (entry.key() == "f64") return values_in<double>(bytes);
  if (entry.key() == "f32") return values_in<float>(bytes);
  if (entry.key() == "i32") return values_in<std::int32_t>(bytes);
  throw std::runtime_error("unknown numbers: " + entry.key());
}

}  // namespace cosimo::page::test
