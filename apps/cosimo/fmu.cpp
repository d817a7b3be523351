#include "fmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "commands.hpp"
#include "console.hpp"
#include "core/error.hpp"
#include "cosimo/fmu.hpp"
#include "input.hpp"
#include "progress.hpp"
#include "terminal.hpp"

namespace cosimo::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// As it was built or installed: beside the folder of this program.
fs::path binary() {
  std::error_code unknown;
  const fs::path base = fs::read_symlink("/proc/self/exe", unknown).parent_path().parent_path();
  fs::path found;
  for (const char* folder : {"lib", COSIMO_LIBRARY_FOLDER}) {
    found = base / folder / "cosimo" / "cosimo-fmu.so";
    if (fs::exists(found, unknown)) break;
  }
  return found;
}

void tell(const char* what, const std::vector<FmuExport::Variable>& variables) {
  constexpr std::size_t most = 20;
  if (variables.empty()) return say("no {}s\n", what);
  say("{} {}{}\n", variables.size(), what, variables.size() > 1 ? "s" : "");
  std::size_t width = 0;
  const std::size_t shown = std::min(most, variables.size());
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, variables[i].name.size());
  for (std::size_t i = 0; i < shown; ++i)
    say("  {:<{}}  {:.6g} at the start\n", variables[i].name, width, variables[i].start);
  if (shown < variables.size()) say("  and {} more\n", variables.size() - shown);
}

Json as_json(const std::vector<FmuExport::Variable>& variables) {
  Json all = Json::array();
  for (const FmuExport::Variable& each : variables)
    all.push_back({{"name", each.name}, {"start", each.start}});
  return all;
}

Json as_json(const FmuExport& fmu, const std::vector<fs::path>& written) {
  Json files = Json::array();
  for (const fs::path& each : written) files.push_back(each.string());
  return {{"status", "ok"},
          {"files", files},
          {"inputs", as_json(fmu.inputs())},
          {"parameters", as_json(fmu.parameters())},
          {"outputs", as_json(fmu.outputs())},
          {"notes", fmu.notes()}};
}

/// With both versions the second archive is named after the first: model.fmu and model.fmi3.fmu.
fs::path name_for(const fs::path& out, int version, bool both) {
  if (!both || version == 2) return out;
  return out.parent_path() / fs::path(out.stem()).concat(".fmi3").concat(out.extension().string());
}

}  // namespace

int fmu_command(const FmuArguments& arguments) {
  if (from_input(arguments.file))
    throw Error(
        Fault{.field = "FILE",
              .value = arguments.file,
              .problem = "a scenario from standard input has no folder whose files could travel inside",
              .remedy = "write it to a file, and name that"});
  const fs::path out =
      arguments.out.empty() ? fs::path(arguments.file).stem().concat(".fmu") : fs::path(arguments.out);
  std::vector<std::pair<fs::path, int>> wanted;
  for (const int version : {2, 3}) {
    if (!arguments.version.empty() && arguments.version != std::to_string(version)) continue;
    wanted.emplace_back(name_for(out, version, arguments.version.empty()), version);
    FmuExport::require_target(wanted.back().first);
  }
  FmuOptions options;
  options.binary = binary();
  options.threads = arguments.threads;
  std::optional<ProgressLine> line;
  if (arguments.output.text() && on_terminal(stderr)) line.emplace(stderr);
  const double steps = arguments.version.empty() ? 4 : 3;  // reading, building, and one archive per version
  double done = 0;
  if (line)
    options.progress = [&](const std::string& text) {
      line->show({.share = done++ / steps, .left = {}, .more = {text}});
    };
  const FmuExport fmu(arguments.file, arguments.overrides, options);
  std::vector<fs::path> written;
  for (const auto& [archive, version] : wanted) {
    fmu.write(archive, version);
    written.push_back(archive);
  }
  line.reset();
  if (arguments.output.json) print(as_json(fmu, written));
  if (!arguments.output.text()) return success;
  tell("input", fmu.inputs());
  tell("parameter", fmu.parameters());
  tell("output", fmu.outputs());
  for (const std::string& note : fmu.notes()) say("{}\n", note);
  for (const fs::path& each : written) say("Written to {}\n", each.string());
  return success;
}

}  // namespace cosimo::cli
