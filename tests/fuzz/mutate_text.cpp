// What happens to files in editors, in transfers and on full disks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "mutate.hpp"

namespace cosimo::fuzz {
namespace {

struct Line {
  std::size_t begin, length;  ///< with its end of line
};

Line some_line(const std::string& text, Random& random) {
  const std::size_t at = random.below(text.size());
  const std::size_t before = text.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t begin = before == std::string::npos || at == 0 ? 0 : before + 1;
  return {begin, std::min(text.find('\n', begin), text.size() - 1) + 1 - begin};
}

std::string delete_bytes(std::string& text, Random& random) {
  const std::size_t at = random.below(text.size());
  const std::size_t count = 1 + random.below(random.below(4) == 0 ? 40 : 3);
  text.erase(at, count);
  return fmt::format("{} bytes deleted at {}", count, at);
}

std::string insert_bytes(std::string& text, Random& random) {
  static constexpr std::array<std::string_view, 24> pieces = {
      ":",   " ",  "\n", "-", "{", "}",  "[",  "]", ",", "\"",    "'", "#",
      "&a ", "*a", "!!", "|", ">", "\t", "? ", "%", "@", "---\n", "0", "\xff"};
  const std::size_t at = random.below(text.size());
  const bool known = random.below(4) != 0;
  const std::string piece =
      known ? std::string(random.of(pieces)) : std::string(1, static_cast<char>(random.below(256)));
  text.insert(at, piece);
  return fmt::format("{} inserted at {}", known ? "punctuation" : "a byte", at);
}

std::string swap_bytes(std::string& text, Random& random) {
  const std::size_t a = random.below(text.size());
  const std::size_t b = random.below(2) == 0 ? std::min(a + 1, text.size() - 1) : random.below(text.size());
  std::swap(text[a], text[b]);
  return fmt::format("bytes {} and {} swapped", a, b);
}

std::string flip_bit(std::string& text, Random& random) {
  const std::size_t at = random.below(text.size());
  text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
  return fmt::format("a bit flipped at {}", at);
}

std::string repeat_line(std::string& text, Random& random) {
  const Line line = some_line(text, random);
  const std::string copy = text.substr(line.begin, line.length);
  text.insert(some_line(text, random).begin, copy);
  return fmt::format("line at {} repeated", line.begin);
}

std::string delete_line(std::string& text, Random& random) {
  const Line line = some_line(text, random);
  text.erase(line.begin, line.length);
  return fmt::format("line at {} deleted", line.begin);
}

std::string truncate(std::string& text, Random& random) {
  text.resize(random.below(text.size()));
  return fmt::format("truncated to {} bytes", text.size());
}

}  // namespace

std::string mutate_text(std::string& text, Random& random) {
  static constexpr std::array mutations = {delete_bytes, insert_bytes, swap_bytes, flip_bit,
                                           repeat_line,  delete_line,  truncate};
  return text.empty() ? "nothing left" : random.of(mutations)(text, random);
}

}  // namespace cosimo::fuzz
