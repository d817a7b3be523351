#include "config/faults.hpp"

#include <algorithm>
#include <utility>

namespace cosimo::config {

namespace {

constexpr std::size_t max_faults = 50;
constexpr std::size_t max_value_length = 60;

std::string shortened(std::string_view value) {
  if (value.size() <= max_value_length) return std::string(value);
  std::size_t cut = max_value_length - 3;
  while (cut > 0 && (static_cast<unsigned char>(value[cut]) & 0xC0) == 0x80) --cut;  // keep UTF-8 whole
  return std::string(value.substr(0, cut)) + "...";
}

}  // namespace

int Faults::add_source(std::string name) {
  sources_.push_back(std::move(name));
  return static_cast<int>(sources_.size()) - 1;
}

void Faults::add(Position position, std::string_view field, std::string_view value, Complaint complaint) {
  if (faults_.size() == max_faults) {
    ++omitted_;
    return;
  }
  faults_.push_back({sources_[static_cast<std::size_t>(position.source)], position.line, position.column,
                     std::string(field), shortened(value), std::move(complaint.problem),
                     std::move(complaint.remedy)});
}

void Faults::fatal(Position position, std::string_view field, std::string_view value, Complaint complaint) {
  if (faults_.size() == max_faults) faults_.pop_back();
  add(position, field, value, std::move(complaint));
  raise();
  throw Error(Fault{});  // not reached: there is a fault
}

void Faults::raise() const {
  if (faults_.empty()) return;
  std::vector<Fault> sorted = faults_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Fault& a, const Fault& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  if (omitted_ > 0) {
    sorted.push_back({sources_.front(), 0, 0, "", "", "and " + std::to_string(omitted_) + " more faults",
                      "repair the ones above first"});
  }
  throw Error(std::move(sorted));
}

}  // namespace cosimo::config
