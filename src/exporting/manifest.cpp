#include "exporting/manifest.hpp"

#include <array>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.hpp"
#include "exporting/write_file.hpp"

namespace cosimo::exporting {

namespace {

constexpr const char* file_name = "cosimo.json";
constexpr int format = 1;
constexpr std::array<std::string_view, 4> words{"independent", "input", "output", "parameter"};

}  // namespace

Manifest read_manifest(const std::filesystem::path& resources) {
  const std::filesystem::path file = resources / file_name;
  try {
    std::ifstream in(file);
    in.exceptions(std::ios::badbit | std::ios::failbit);
    const nlohmann::json json = nlohmann::json::parse(in);
    if (json.at("format").get<int>() != format) throw std::runtime_error("is of another format");
    Manifest manifest;
    json.at("token").get_to(manifest.token);
    json.at("model").get_to(manifest.model);
    json.at("scenario").get_to(manifest.scenario);
    json.at("settings").get_to(manifest.settings);
    json.at("threads").get_to(manifest.threads);
    json.at("end").get_to(manifest.end);
    json.at("tolerance").get_to(manifest.tolerance);
    json.at("control").get_to(manifest.control);
    json.at("saves").get_to(manifest.saves);
    for (const nlohmann::json& each : json.at("variables")) {
      Variable& variable = manifest.variables.emplace_back();
      each.at("name").get_to(variable.name);
      const auto word = each.at("causality").get<std::string>();
      for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == word) variable.causality = static_cast<Causality>(i);
      each.at("start").get_to(variable.start);
      each.at("key").get_to(variable.key);
      each.at("state").get_to(variable.state);
    }
    return manifest;
  } catch (const std::exception& error) {
    throw Error(Fault{.file = file.string(),
                      .problem = std::string("cannot be read: ") + error.what(),
                      .remedy = "unpack the FMU with its resources, or export it again"});
  }
}

void write_manifest(const Manifest& manifest, const std::filesystem::path& resources) {
  nlohmann::json json{{"format", format},
                      {"token", manifest.token},
                      {"model", manifest.model},
                      {"scenario", manifest.scenario},
                      {"settings", manifest.settings},
                      {"threads", manifest.threads},
                      {"end", manifest.end},
                      {"tolerance", manifest.tolerance},
                      {"control", manifest.control},
                      {"saves", manifest.saves},
                      {"variables", nlohmann::json::array()}};
  for (const Variable& variable : manifest.variables)
    json["variables"].push_back({{"name", variable.name},
                                 {"causality", words[static_cast<std::size_t>(variable.causality)]},
                                 {"start", variable.start},
                                 {"key", variable.key},
                                 {"state", variable.state}});
  write_file(resources / file_name, json.dump(1) + '\n');
}

}  // namespace cosimo::exporting
