#include "config/source_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "config/yaml_tree.hpp"
#include "core/nearest.hpp"

namespace cosimo::config {

std::string similar_file(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.is_regular_file(ignored)) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());  // the order of a folder is arbitrary
  const std::string wanted = file.filename().string();
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view near = nearest(wanted, candidates);
  return near.empty() ? std::string() : (file.parent_path() / near).string();
}

std::string read_source(const std::filesystem::path& file, int source, Faults& faults) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  if (!std::filesystem::exists(status)) {
    const std::string near = similar_file(file);
    faults.fatal({source, 0, 0}, "", "",
                 {"there is no such file",
                  near.empty() ? "check the name and the folder" : "did you mean `" + near + "`?"});
  }
  if (std::filesystem::is_directory(status)) {
    faults.fatal({source, 0, 0}, "", "", {"is a folder", "name the scenario file inside it"});
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  std::array<char, 65536> chunk{};
  while (stream && text.size() <= max_file_size) {
    stream.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.is_open() || stream.bad()) {
    const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : std::string();
    faults.fatal({source, 0, 0}, "", "", {"cannot be read" + reason, "check the permissions of the file"});
  }
  return text;
}

}  // namespace cosimo::config
