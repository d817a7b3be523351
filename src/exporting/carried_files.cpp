#include "exporting/carried_files.hpp"

#include <yaml-cpp/yaml.h>

#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "config/robot_file.hpp"
#include "core/error.hpp"
#include "exporting/carried_robot.hpp"
#include "exporting/write_file.hpp"
#include "fmi/unpack.hpp"

namespace cosimo::exporting {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw Error(Fault{.file = file.string(), .problem = "cannot be read", .remedy = "check the name"});
  std::string all = std::move(text).str();
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // of UTF-8; places in the text do not count it
  if (all.starts_with(mark)) all.erase(0, mark.size());
  return all;
}

fs::path whole(const fs::path& file) {
  std::error_code failed;
  const fs::path path = fs::weakly_canonical(file, failed);
  return failed ? fs::absolute(file).lexically_normal() : path;
}

[[noreturn]] void refuse(const fs::path& file, const YAML::Node& at, std::string problem,
                         std::string remedy) {
  throw Error(Fault{.file = file.string(),
                    .line = at.Mark().line + 1,
                    .column = at.Mark().column + 1,
                    .value = at.Scalar(),
                    .problem = std::move(problem),
                    .remedy = std::move(remedy)});
}

enum class Kind { none, file, part, fmu };

/// What a key of a scenario or of a part of it names.
Kind kind_of(std::string_view key) {
  if (key == "include" || key == "use") return Kind::part;
  if (key == "file" || key == "library") return Kind::file;
  return key == "fmu" ? Kind::fmu : Kind::none;
}

/// There, or inside an archive that is there.
bool is_there(fs::path file) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) return true;
  while (file.has_relative_path()) {
    file = file.parent_path();
    if (fs::exists(file, ignored)) return fs::is_regular_file(file, ignored);
  }
  return false;
}

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

/// Where the scalar at `first`, behind its anchor and tag, begins and ends. Nothing: not on one line as it
/// is.
std::optional<std::pair<std::size_t, std::size_t>> bounds_of(const std::string& text, std::size_t first,
                                                             const std::string& value) {
  while (first < text.size() && (text[first] == '&' || text[first] == '!'))
    first = text.find_first_not_of(" \t", text.find_first_of(" \t\n", first));
  if (first >= text.size()) return {};
  const char quote = text[first];
  if (quote != '"' && quote != '\'') {
    if (text.compare(first, value.size(), value) != 0) return {};
    return std::pair(first, first + value.size());
  }
  for (std::size_t i = first + 1; i < text.size(); ++i) {
    const bool twice = quote == '\'' && text[i] == quote && i + 1 < text.size() && text[i + 1] == quote;
    if (twice || (quote == '"' && text[i] == '\\'))
      ++i;
    else if (text[i] == quote)
      return std::pair(first, i + 1);
  }
  return {};
}

class Carrier {
 public:
  Carrier(const fs::path& scenario, const fs::path& folder)
      : root_(whole(scenario).parent_path()), folder_(folder) {}

  fs::path scenario(const fs::path& file) {
    const fs::path place(scenario_name);
    placed_.emplace(whole(file), place);
    write(place, with_new_names(text_of(file), "", file, place));
    return place;
  }

  /// Of the command line: names are relative to the scenario.
  std::string setting(const std::string& text, const fs::path& file, const fs::path& place) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return text;
    const std::string key = text.substr(0, equals);
    return key + "=" + with_new_names(text.substr(equals + 1), key, file, place);
  }

  std::vector<fs::path> sources() const {
    std::vector<fs::path> all;
    for (const auto& [file, place] : placed_) all.push_back(file);
    return all;
  }

 private:
  static constexpr const char* scenario_name = "scenario.yaml";  // whatever the user's is called

  /// By place in the text. An anchored name has one, however often it is used.
  using Names = std::map<std::size_t, std::pair<YAML::Node, std::string>>;

  /// The same text with names of the copies. `key`: what it is the value of, with dots between.
  std::string with_new_names(std::string text, std::string_view key, const fs::path& file,
                             const fs::path& place) {
    Names names;
    const std::size_t dot = key.rfind('.');
    const bool settles = key.starts_with("model.parameters.") || key.find(".set.") != std::string_view::npos;
    if (!settles)
      walk(YAML::Load(text), dot == std::string_view::npos ? key : key.substr(dot + 1), file, place, names);
    for (auto each = names.rbegin(); each != names.rend(); ++each) {
      const auto& [node, name] = each->second;
      const auto bounds = bounds_of(text, each->first, node.Scalar());
      if (!bounds)
        refuse(file, node, "this name of a file cannot be written anew for the FMU", "write it on one line");
      text.replace(bounds->first, bounds->second - bounds->first, quoted(name));
    }
    return text;
  }

  void walk(const YAML::Node& node, std::string_view key, const fs::path& file, const fs::path& place,
            Names& names) {
    if (node.IsScalar()) {
      if (const Kind kind = kind_of(key); kind != Kind::none) refer(node, kind, file, place, names);
    } else if (node.IsSequence()) {  // of names, or of entries
      for (const auto& each : node) walk(each, each.IsScalar() ? key : "", file, place, names);
    } else if (node.IsMap()) {
      for (const auto& each : node)
        if (each.first.IsScalar() && each.first.Scalar() != "parameters" && each.first.Scalar() != "set")
          walk(each.second, each.first.Scalar(), file, place, names);
    }
  }

  /// What is not there is not asked for: a setting took its place.
  void refer(const YAML::Node& node, Kind kind, const fs::path& file, const fs::path& place, Names& names) {
    const fs::path found = file.parent_path() / node.Scalar();
    if (node.Scalar().empty() || !is_there(whole(found))) return;
    const auto known = placed_.find(whole(found));
    const fs::path there = known != placed_.end() ? known->second : carry(found, kind, file, node);
    const fs::path name = there.lexically_relative(place.parent_path());
    if (name != fs::path(node.Scalar()).lexically_normal())
      names[static_cast<std::size_t>(node.Mark().pos)] = {node, name.string()};
  }

  /// Where the copy of `file` is, which `by` names at `at`.
  fs::path carry(const fs::path& file, Kind kind, const fs::path& by, const YAML::Node& at) {
    const fs::path place = place_of(whole(file));
    placed_.emplace(whole(file), place);
    std::error_code failed;
    if (kind == Kind::fmu) {
      fs::create_directories(folder_ / place);
      unpack_fmu(whole(file), folder_ / place);
    } else if (!fs::is_regular_file(file, failed)) {
      refuse(by, at, "is no file", "name a file");
    } else if (kind == Kind::part && config::is_robot_file(file)) {
      write(place, carried_robot(file, [&](const fs::path& mesh) {
              const auto known = placed_.find(whole(mesh));
              const fs::path there = known != placed_.end() ? known->second : carry(mesh, Kind::file, by, at);
              return there.lexically_relative(place.parent_path()).string();
            }));
    } else if (kind == Kind::part) {
      write(place, with_new_names(text_of(file), "", file, place));
    } else {
      fs::create_directories((folder_ / place).parent_path());
      copy_to(file, folder_ / place);
    }
    return place;
  }

  /// What is beside the scenario keeps its place, so that its names stay as they are.
  fs::path place_of(const fs::path& file) {
    const fs::path inside = file.lexically_relative(root_);
    if (!inside.empty() && *inside.begin() != ".." && inside != scenario_name) return inside;
    fs::path place;
    do {
      place = fs::path("files") / std::to_string(++outside_);
    } while (fs::exists(root_ / place));
    return place / file.filename();
  }

  void write(const fs::path& place, const std::string& text) const {
    fs::create_directories((folder_ / place).parent_path());
    write_file(folder_ / place, text);
  }

  const fs::path root_, folder_;
  std::map<fs::path, fs::path> placed_;
  int outside_ = 0;
};

}  // namespace

Carried carry_files(const fs::path& scenario, const std::vector<std::string>& settings,
                    const fs::path& folder) {
  Carrier carrier(scenario, folder);
  Carried carried{carrier.scenario(scenario), {}, {}};
  for (const std::string& each : settings)
    carried.settings.push_back(carrier.setting(each, scenario, carried.scenario));
  carried.sources = carrier.sources();
  return carried;
}

}  // namespace cosimo::exporting
