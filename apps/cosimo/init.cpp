#include "init.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>

#include "commands.hpp"
#include "console.hpp"
#include "core/error.hpp"
#include "templates.hpp"

namespace cosimo::cli {
namespace {

using Json = nlohmann::ordered_json;

int list(const Output& output) {
  Json all = Json::array();
  std::string text = "Models to begin with:\n";
  for (const Template& one : templates()) {
    all.push_back({{"name", one.name}, {"summary", one.summary()}});
    text += fmt::format("  {:<12}{}\n", one.name, one.summary());
  }
  if (output.json)
    print(all);
  else
    say("{}", text + "\nTo write one:  cosimo init NAME\n");
  return success;
}

/// A new file: one that is there already stays as it is, whoever made it and however lately.
void write_new(const std::string& file, const std::string& text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0 && errno == EEXIST)
    throw Error(Fault{.field = "--out",
                      .value = file,
                      .problem = "there is such a file already",
                      .remedy = "name another one with -o, or -o - to print the model"});
  const auto failed = [&file](int number) {
    throw IoError(fmt::format("{}: cannot be written: {}", file, std::generic_category().message(number)));
  };
  if (descriptor < 0) failed(errno);
  const ssize_t written = ::write(descriptor, text.data(), text.size());
  const int number = written < 0 ? errno : ENOSPC;
  const bool closed = ::close(descriptor) == 0;
  if (written == static_cast<ssize_t>(text.size()) && closed) return;
  ::unlink(file.c_str());
  failed(number);
}

}  // namespace

int init_command(const InitArguments& arguments) {
  if (arguments.list) return list(arguments.output);
  const auto all = templates();
  const auto chosen =
      std::find_if(all.begin(), all.end(), [&](const Template& one) { return one.name == arguments.name; });
  const std::string file =
      arguments.out.empty() || arguments.out == "-" ? arguments.name + ".yaml" : arguments.out;
  const std::string text = filled(*chosen, file);
  if (arguments.out == "-") {
    if (arguments.output.json)
      print({{"template", arguments.name}, {"text", text}});
    else
      say("{}", text);
    return success;
  }
  write_new(file, text);
  if (arguments.output.json) print({{"template", arguments.name}, {"file", file}});
  if (arguments.output.text())
    say("{0} is written: {1}\nTo run it:  cosimo run {0}\n", file, chosen->summary());
  return success;
}

}  // namespace cosimo::cli
