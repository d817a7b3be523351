#include "optimise.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "commands.hpp"
#include "console.hpp"
#include "cosimo/search.hpp"
#include "errors.hpp"
#include "input.hpp"
#include "python.hpp"

namespace cosimo::cli {
namespace {

namespace fs = std::filesystem;

/// What Python reads. A folder that holds something else is left alone.
fs::path write_definition(const Search& search, const fs::path& folder) {
  fs::path file = folder / "search.json";
  std::error_code unknown;
  if (fs::exists(folder, unknown) && !fs::exists(file, unknown) && !fs::is_empty(folder, unknown))
    throw Error(Fault{.field = "--out",
                      .value = folder.string(),
                      .problem = "holds files that no search wrote",
                      .remedy = "name a new folder, or that of a search"});
  fs::create_directories(folder, unknown);
  std::ofstream stream(file);
  stream << search.to_json();
  stream.close();
  if (!stream) file.clear();
  return file;
}

}  // namespace

int optimise_command(const OptimiseArguments& arguments) {
  const Search search = Search::load(arguments.file);
  search.check();
  const fs::path folder = output_folder(arguments.file, arguments.out, ".search");
  const fs::path definition = write_definition(search, folder);
  if (definition.empty())
    return tell("cannot write to " + folder.string(), run_failed, arguments.output.json);
  std::vector<std::string> words{"-m", "cosimo._command", definition.string()};
  const auto number = [&](const char* name, int n) {
    if (n > 0) words.insert(words.end(), {name, std::to_string(n)});
  };
  number("--workers", arguments.workers);
  number("--threads", arguments.threads);
  if (arguments.output.json) words.emplace_back("--json");
  if (arguments.output.quiet) words.emplace_back("--quiet");
  become_python(words);
  return tell(no_python("optimise"), run_failed, arguments.output.json);
}

int check_search(const std::string& file, const Output& output) {
  const Search search = Search::load(file);
  search.check();
  if (output.json) print({{"status", "ok"}, {"file", file}, {"description", search.describe()}});
  if (output.text()) say("{} is valid\n{}", file, search.describe());
  return success;
}

}  // namespace cosimo::cli
