#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "core/nearest.hpp"

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

std::string word_fault(const std::string& text, const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), text) != allowed.end()) return "";
  const std::vector<std::string_view> words(allowed.begin(), allowed.end());
  const std::string_view meant = nearest(text, words);
  return fmt::format("'{}' is not allowed; {}write {}", text,
                     meant.empty() ? "" : fmt::format("did you mean '{}'? ", meant),
                     fmt::join(allowed, " or "));
}

CLI::Option* add_word(CLI::App& command, const std::string& names, std::string& target,
                      const std::string& help, const std::vector<std::string>& allowed) {
  return command.add_option(names, target, help)
      ->check([allowed](const std::string& text) { return word_fault(text, allowed); })
      ->type_name(fmt::format("{}", fmt::join(allowed, "|")));
}

CLI::Option* add_flag(CLI::App& command, const std::string& names, bool& target, const std::string& help) {
  return command.add_flag(names, target, help)->disable_flag_override();
}

}  // namespace cosimo::cli
