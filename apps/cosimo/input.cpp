#include "input.hpp"

#include <array>
#include <cstdio>

#include "cosimo/cluster.hpp"

namespace cosimo::cli {
namespace {

constexpr std::size_t longest = std::size_t{65} << 20;  // a little more than a scenario file may have

std::string read_all() {
  std::string text;
  std::array<char, 65536> chunk{};
  while (text.size() < longest) {
    const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), stdin);
    if (n == 0) break;
    text.append(chunk.data(), n);
  }
  return text;
}

}  // namespace

const std::string& read_input() {
  static const std::string text = read_all();
  return text;
}

Scenario load(const std::string& file, std::span<const std::string> overrides) {
  if (from_input(file)) return Scenario::parse(read_input(), input_name, overrides);
  return Scenario::load(file, overrides);
}

Scenario load(const std::string& file, std::span<const std::string> overrides, Cluster& cluster) {
  if (!from_input(file)) return cluster.load(file, overrides);
  return cluster.parse(cluster.leads() ? read_input() : "", input_name, overrides);
}

std::filesystem::path output_folder(const std::string& file, const std::string& out, const char* ending) {
  if (!out.empty()) return out;
  return std::filesystem::path(from_input(file) ? input_name : file).stem().concat(ending);
}

}  // namespace cosimo::cli
