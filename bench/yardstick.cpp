#include "bench/yardstick.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace cosimo::bench {

double yardstick(const char* variable, const std::string& arguments, std::string_view key) {
  const char* program = std::getenv(variable);
  if (!program) return NAN;
  FILE* pipe = popen(fmt::format("{} {}", program, arguments).c_str(), "r");
  if (!pipe) return NAN;
  std::array<char, 512> line{};
  double value = NAN;
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe)) {
    const std::string text = line.data();
    const auto at = text.rfind(key);
    if (at == std::string::npos) continue;
    const char* number = text.c_str() + at + key.size();
    char* end = nullptr;
    const double read = std::strtod(number, &end);
    if (end != number) value = read;
  }
  pclose(pipe);
  return value;
}

}  // namespace cosimo::bench
