#include "errors.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "excerpt.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace cosimo::cli {
namespace {

using Json = nlohmann::ordered_json;

Json fault_json(const Fault& fault, std::string_view message) {
  Json json = {{"message", message}};
  if (!fault.file.empty()) json["file"] = fault.file;
  if (fault.line > 0) json["line"] = fault.line;
  if (fault.line > 0 && fault.column > 0) json["column"] = fault.column;
  if (!fault.field.empty()) json["field"] = fault.field;
  if (!fault.value.empty()) json["value"] = fault.value;
  json["problem"] = fault.problem;
  if (!fault.remedy.empty()) json["remedy"] = fault.remedy;
  return json;
}

void print_errors(Json errors, int code) {
  print({{"status", "error"}, {"exit_code", code}, {"errors", std::move(errors)}});
}

}  // namespace

void say_error(std::string_view text) {
  const Look look = look_of(stderr);
  say(stderr, "cosimo: {} {}\n", painted("error:", Paint::red, look), text);
}

int tell(const Error& error, int code, bool json) {
  if (error.faults().empty()) return tell(error.what(), code, json);
  const Look look = look_of(stderr);
  Json errors = Json::array();
  for (const Fault& fault : error.faults()) {
    say_error(to_string(fault));
    // What another rank has read may differ from the file here.
    if (!fault.problem.starts_with("rank ")) put(stderr, excerpt(fault, look));
    if (json) errors.push_back(fault_json(fault, to_string(fault)));
  }
  if (json) print_errors(std::move(errors), code);
  return code;
}

int tell(std::string_view text, int code, bool json, Fault parts) {
  say_error(text);
  if (json) {
    Json errors = Json::array();
    if (parts.problem.empty()) parts.problem = text;
    errors.push_back(fault_json(parts, text));
    print_errors(std::move(errors), code);
  }
  return code;
}

}  // namespace cosimo::cli
