#include "bench/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

namespace cosimo::bench {

namespace {

std::string target_text(const Row& r) {
  if (r.goal == Goal::none) return "";
  return fmt::format("{} {:g}", r.goal == Goal::at_least ? ">=" : "<=", r.target);
}

bool has_target(const Row& r) {
  return r.goal != Goal::none;
}

bool is_met(const Row& r) {
  return r.goal == Goal::at_least ? r.ratio >= r.target : r.ratio <= r.target;
}

void print_row(const Row& r) {
  fmt::print("{:<10} {:<72} {:>11.4g} {:>11.4g} {:<4} {:>8.3g} {:>8} {:<4} {}\n", r.benchmark, r.work,
             r.reference_value, r.our_value, r.unit, r.ratio, target_text(r),
             !has_target(r) ? ""
             : is_met(r)    ? "yes"
                            : "NO",
             fmt::format("vs {}{}{}", r.reference, r.note.empty() ? "" : "; ", r.note));
  std::fflush(stdout);
}

}  // namespace

void Table::add(Row row) {
  print_row(row);
  rows_.push_back(std::move(row));
}

void Table::remark(const std::string& text) {
  fmt::print("           {}\n", text);
  std::fflush(stdout);
  remarks_.push_back(text);
}

void Table::print() const {
  fmt::print("\n{:<10} {:<72} {:>11} {:>11} {:<4} {:>8} {:>8} {:<4}\n", "benchmark", "work", "reference",
             "ours", "", "ratio", "target", "met");
  for (const Row& r : rows_) print_row(r);
}

std::string Table::json() const {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Row& r : rows_)
    rows.push_back({{"benchmark", r.benchmark},
                    {"work", r.work},
                    {"reference", r.reference},
                    {"reference_value", r.reference_value},
                    {"our_value", r.our_value},
                    {"unit", r.unit},
                    {"ratio", r.ratio},
                    {"target", target_text(r)},
                    {"met", has_target(r) ? nlohmann::ordered_json(is_met(r)) : nlohmann::ordered_json()},
                    {"note", r.note}});
  const nlohmann::ordered_json all = {{"version", COSIMO_VERSION},
                                      {"cores", std::thread::hardware_concurrency()},
                                      {"rows", rows},
                                      {"remarks", remarks_}};
  return all.dump(2) + "\n";
}

std::size_t Table::targets() const {
  return static_cast<std::size_t>(std::count_if(rows_.begin(), rows_.end(), has_target));
}

std::size_t Table::met() const {
  return static_cast<std::size_t>(
      std::count_if(rows_.begin(), rows_.end(), [](const Row& r) { return has_target(r) && is_met(r); }));
}

}  // namespace cosimo::bench
