#include "fmi/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace cosimo::fmi {

namespace {

/// Bytes of the character of UTF-8 that begins here; zero: there is none.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80                      ? 1
                             : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                             : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                             : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                                 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  const bool overlong = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
  const bool beyond = (byte(0) == 0xed && byte(1) >= 0xa0) || (byte(0) == 0xf4 && byte(1) >= 0x90);
  return overlong || beyond ? 0 : length;
}

/// On one line, and in the encoding that summaries are written in.
std::string readable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character(text);
    if (length == 0)
      out += '?';
    else if (length == 1 && static_cast<unsigned char>(text[0]) < 0x20)
      out += ' ';
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

}  // namespace

std::string Fmu::remedy(const char* otherwise) const {
  if (!abilities().needs_tool) return otherwise;
  return fmt::format(
      "it works only where {} is installed and runs: look there, or export it with its code inside",
      description.tool.empty() ? "its tool" : description.tool);
}

void Instance::log(int status, std::string_view message) {
  if (status <= 1 || status > 4) return;  // all is well, or a warning
  constexpr std::size_t most = 500;
  logged_ = readable(message.substr(0, most));
}

Result Instance::judge(const char* name, int status) {
  if (status == 0 || status == 1) return Result::ok;
  failed_in_ = name;
  if (status == 4) dead_ = true;
  if (status == -1) logged_ = "the binary does not have this function";
  if (status == 5) logged_ = "it works asynchronously, which is not supported";
  return status == 2 ? Result::discard : status == 4 ? Result::fatal : Result::error;
}

std::string Instance::complaint() const {
  if (logged_.empty() || *failed_in_ == 0) return logged_.empty() ? failed_in_ : logged_;
  return fmt::format("{}: {}", failed_in_, logged_);
}

std::string story_of(const Instance& instance, Result result) {
  if (instance.gone()) return "the FMU has ended: " + instance.complaint();
  return fmt::format("the FMU reports {}: {}", result == Result::fatal ? "a fatal error" : "an error",
                     instance.complaint());
}

std::unique_ptr<Instance> instantiate(std::shared_ptr<const Fmu> fmu, const std::string& name,
                                      CallName* shown) {
  return fmu->description.version == 2 ? instantiate_fmi2(std::move(fmu), name, shown)
                                       : instantiate_fmi3(std::move(fmu), name, shown);
}

}  // namespace cosimo::fmi
