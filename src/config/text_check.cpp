#include "config/text_check.hpp"

#include <cstddef>
#include <string>

#include "config/yaml_tree.hpp"

namespace cosimo::config {

namespace {

/// Bytes of the UTF-8 character at the start of `text`; 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  if (first >= 0xC2 && first <= 0xDF) length = 2;
  if (first >= 0xE0 && first <= 0xEF) length = 3;
  if (first >= 0xF0 && first <= 0xF4) length = 4;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
}

}  // namespace

std::string_view checked_text(std::string_view text, int source, Faults& faults) {
  if (text.size() > max_file_size) {
    faults.fatal({source, 0, 0}, "", "",
                 {"is larger than " + std::to_string(max_file_size >> 20) + " MiB",
                  "describe long rows of numbers by {ramp: ...}, {blocks: ...} or {uniform: ...}"});
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    faults.fatal({source, 1, 1}, "", "", {"is encoded as UTF-16", "save the file as UTF-8 in your editor"});
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);

  Position here{source, 1, 1};
  bool indenting = true;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0 || is_control(c)) {
      faults.fatal(here, "", "",
                   {"is not a text: it holds bytes that no text holds",
                    "give a scenario file (YAML, UTF-8), not a result or a program"});
    }
    if (c == '\t' && indenting) {
      faults.fatal(here, "", "", {"there is a tab in the indentation", "indent with spaces"});
    }
    if (c != ' ') indenting = false;
    i += length;
    ++here.column;
    if (c == '\n') {
      here = {source, here.line + 1, 1};
      indenting = true;
    }
  }
  return text;
}

}  // namespace cosimo::config
