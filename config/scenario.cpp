#include "config/scenario.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "config/check.hpp"
#include "config/definition.hpp"
#include "config/effective.hpp"
#include "config/faults.hpp"
#include "config/nearest.hpp"
#include "config/number.hpp"
#include "config/override.hpp"
#include "config/read.hpp"
#include "config/rules.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

namespace {

/// A file of the same folder that was probably meant; empty when there is none.
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

/// Reads a little more than a file may have at most: enough to see that it is too large.
std::string read_file(const std::filesystem::path& file, Faults& faults) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  if (!std::filesystem::exists(status)) {
    const std::string near = similar_file(file);
    faults.fatal({}, "", "",
                 {"there is no such file",
                  near.empty() ? "check the name and the folder" : "did you mean `" + near + "`?"});
  }
  if (std::filesystem::is_directory(status)) {
    faults.fatal({}, "", "", {"is a folder", "name the scenario file inside it"});
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
    faults.fatal({}, "", "", {"cannot be read" + reason, "check the permissions of the file"});
  }
  return text;
}

/// A file of another format version is not worth further complaints.
void require_version(const Node& root, Faults& faults) {
  const Node* version = root.find("cosimo");
  if (version == nullptr || version->kind != Node::Kind::scalar) return;
  const auto parsed = parse_integer(version->text);
  const auto* number = std::get_if<std::int64_t>(&parsed);
  if (number == nullptr || *number == format_version) return;
  faults.fatal(version->position, "cosimo", version->text,
               {"this program does not read this version of the file format",
                scenario_definition().find("cosimo")->hint});
}

Scenario parse(std::string_view text, std::string_view name, std::span<const std::string> overrides,
               Faults& faults) {
  Node root = parse_yaml(text, 0, faults);
  if (root.kind == Node::Kind::null) {
    faults.fatal(
        {0, 1, 1}, "", "",
        {"is empty", "begin with `cosimo: 1`, `model:` and `simulate:`; see examples/quickstart.yaml"});
  }
  for (const std::string& setting : overrides) apply_override(root, setting, faults);
  require_version(root, faults);

  Checked checked = check(std::move(root), faults);
  resolve(checked);
  check_model_rules(checked.root, faults);
  check_run_rules(checked.root, faults);
  check_couple_rules(checked.root, faults);
  check_scheme_rules(checked.root, faults);
  check_solve_rules(checked.root, faults);
  faults.raise();

  Scenario scenario = read_scenario(checked.root);
  scenario.file = name;
  scenario.effective = effective_yaml(checked.root);
  return scenario;
}

}  // namespace

Scenario load_scenario(const std::filesystem::path& file, std::span<const std::string> overrides) {
  Faults faults(file.string());
  const std::string text = read_file(file, faults);
  return parse(text, file.string(), overrides, faults);
}

Scenario parse_scenario(std::string_view text, std::string_view name,
                        std::span<const std::string> overrides) {
  Faults faults(name);
  return parse(text, name, overrides, faults);
}

}  // namespace cosimo::config
