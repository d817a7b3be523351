#include "config/faults.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
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

bool Faults::full() const {
  return faults_.size() == max_faults;
}

void Faults::add(Position position, std::string_view field, std::string_view value, Complaint complaint) {
  const std::string& file = sources_[static_cast<std::size_t>(position.source)];
  const auto last_name = [](std::string_view path) { return path.substr(path.rfind('.') + 1); };
  const bool shared = position.source > 0;  // what several parts use has several paths
  if (position.column > 0 && std::ranges::any_of(faults_, [&](const Fault& known) {
        return known.line == position.line && known.column == position.column && known.file == file &&
               known.problem == complaint.problem &&
               (known.field == field || (shared && last_name(known.field) == last_name(field)));
      }))
    return;
  if (faults_.size() == max_faults) {
    ++omitted_;
    return;
  }
  faults_.push_back({file, position.line, position.column, std::string(field), shortened(value),
                     std::move(complaint.problem), std::move(complaint.remedy)});
  ranks_.push_back(position.line > 0 ? position.source : 0);
}

void Faults::fatal(Position position, std::string_view field, std::string_view value, Complaint complaint) {
  if (faults_.size() == max_faults) {
    faults_.pop_back();
    ranks_.pop_back();
  }
  add(position, field, value, std::move(complaint));
  raise();
  throw Error(Fault{});  // not reached: there is a fault
}

void Faults::raise() const {
  if (faults_.empty()) return;
  std::vector<std::size_t> order(faults_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t i) { return std::tuple(ranks_[i], faults_[i].line, faults_[i].column); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  std::vector<Fault> sorted;
  sorted.reserve(order.size() + 1);
  for (const std::size_t i : order) sorted.push_back(faults_[i]);
  if (omitted_ > 0) {
    sorted.push_back({sources_.front(), 0, 0, "", "", "and " + std::to_string(omitted_) + " more faults",
                      "repair the ones above first"});
  }
  throw Error(std::move(sorted));
}

}  // namespace cosimo::config
