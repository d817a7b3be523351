#include "options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

namespace cosimo::cli {
namespace {

/// As people write it: 1e6, not 1e+06.
std::string plain(double value) {
  std::string text = fmt::format("{:g}", value);
  if (const auto e = text.find("e+"); e != std::string::npos)
    text.erase(e + 1, text.find_first_not_of("+0", e + 1) - e - 1);
  return text;
}

std::string describe(const Numbers& allowed) {
  const char* const what = allowed.whole ? "a whole number" : "a number";
  const char* const low = allowed.above ? "above" : "from";
  if (!std::isfinite(allowed.high))
    return fmt::format("{} {} {}{}", what, low, plain(allowed.low), allowed.above ? "" : " on");
  return fmt::format("{} {} {} {} {}", what, low, plain(allowed.low), allowed.above ? "up to" : "to",
                     plain(allowed.high));
}

}  // namespace

std::string number_fault(const std::string& text, const Numbers& allowed) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const bool good = error == std::errc() && rest == end && std::isfinite(value) &&
                    (!allowed.whole || value == std::floor(value)) && value >= allowed.low &&
                    value <= allowed.high && !(allowed.above && value == allowed.low);
  return good ? "" : fmt::format("'{}' is not {}", text, describe(allowed));
}

std::string name_fault(const std::string& text) {
  return text.empty() ? "the name is empty; write one, or leave the option out" : "";
}

}  // namespace cosimo::cli
