// Files, written whole; what went wrong is said in the system's words, which std::filesystem::copy_file
// loses.
#pragma once

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace cosimo::exporting {

inline void finish(std::ofstream& out, const std::filesystem::path& to) {
  out.flush();
  if (out) return;
  throw IoError("cannot write " + to.string() + (errno != 0 ? ": " + std::string(std::strerror(errno)) : ""));
}

inline void write_file(const std::filesystem::path& to, std::string_view text) {
  errno = 0;
  std::ofstream out(to, std::ios::binary);
  out << text;
  finish(out, to);
}

/// Replaces `to`.
inline void copy_to(const std::filesystem::path& from, const std::filesystem::path& to) {
  errno = 0;
  std::ifstream in(from, std::ios::binary);
  if (!in) throw IoError("cannot read " + from.string() + ": " + std::strerror(errno));
  std::ofstream out(to, std::ios::binary);
  std::array<char, 65536> some{};  // `out << in.rdbuf()` would say nothing of a rest that does not fit
  while (out && in) {
    in.read(some.data(), some.size());
    out.write(some.data(), in.gcount());
  }
  if (in.bad()) throw IoError("cannot read " + from.string() + ": " + std::strerror(errno));
  finish(out, to);
}

}  // namespace cosimo::exporting
