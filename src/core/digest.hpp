// A digest of texts, equal on every machine: FNV-1a with 64 bits. Tells texts apart that were not made to
// collide.
//
//   Digest digest;
//   digest.add("some text");
//   digest.value();
#pragma once

#include <cstdint>
#include <string_view>

namespace cosimo {

class Digest {
 public:
  constexpr void add(std::string_view text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

constexpr std::uint64_t digest(std::string_view text) {
  Digest all;
  all.add(text);
  return all.value();
}

}  // namespace cosimo
