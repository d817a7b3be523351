#include "core/error.hpp"

#include <utility>

namespace cosimo {
namespace {

std::string location(const Fault& fault) {
  std::string text = fault.file;
  for (const int number : {fault.line, fault.line > 0 ? fault.column : 0}) {
    if (number <= 0) continue;
    if (!text.empty()) text += ':';
    text += std::to_string(number);
  }
  return text;
}

std::string lines(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& fault : faults) {
    if (!text.empty()) text += '\n';
    text += to_string(fault);
  }
  return text;
}

}  // namespace

std::string to_string(const Fault& fault) {
  std::string text;
  for (const std::string& piece : {location(fault), fault.field, fault.value, fault.problem}) {
    if (piece.empty()) continue;
    if (!text.empty()) text += ": ";
    text += piece;
  }
  if (!fault.remedy.empty()) {
    if (!text.empty()) text += ' ';
    text += '(' + fault.remedy + ')';
  }
  return text;
}

Error::Error(Fault fault) : Error(std::vector<Fault>{std::move(fault)}) {}

Error::Error(std::vector<Fault> faults) : std::runtime_error(lines(faults)), faults_(std::move(faults)) {}

}  // namespace cosimo
