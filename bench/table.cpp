#include "bench/table.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

namespace cosimo::bench {

namespace {

std::string target_text(const Row& r) {
  if (r.goal == Goal::none) return "";
  return fmt::format("{} {:g}", r.goal == Goal::at_least ? ">=" : "<=", r.target);
}

bool met(const Row& r) {
  return r.goal == Goal::none || (r.goal == Goal::at_least ? r.ratio >= r.target : r.ratio <= r.target);
}

void print_row(const Row& r) {
  fmt::print("{:<10} {:<52} {:>11.4g} {:>11.4g} {:<3} {:>8.3g} {:>8} {:<4} {}\n", r.benchmark, r.work,
             r.reference_value, r.our_value, r.unit, r.ratio, target_text(r),
             r.goal == Goal::none ? ""
             : met(r)             ? "yes"
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
  fmt::print("\n{:<10} {:<52} {:>11} {:>11} {:<3} {:>8} {:>8} {:<4}\n", "benchmark", "work", "reference",
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
                    {"met", met(r)},
                    {"note", r.note}});
  const nlohmann::ordered_json all = {{"version", COSIMO_VERSION},
                                      {"cores", std::thread::hardware_concurrency()},
                                      {"rows", rows},
                                      {"remarks", remarks_}};
  return all.dump(2) + "\n";
}

bool Table::all_met() const {
  for (const Row& r : rows_)
    if (!met(r)) return false;
  return true;
}

}  // namespace cosimo::bench
