#include "options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

namespace cosimo::cli {
namespace {

std::string describe(const Numbers& allowed) {
  const char* const what = allowed.whole ? "a whole number" : "a number";
  const char* const low = allowed.above ? "above" : "from";
  if (!std::isfinite(allowed.high))
    return fmt::format("{} {} {:g}{}", what, low, allowed.low, allowed.above ? "" : " on");
  return fmt::format("{} {} {:g} {} {:g}", what, low, allowed.low, allowed.above ? "up to" : "to",
                     allowed.high);
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
