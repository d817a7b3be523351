// cosimo_bench [NAME...] [--quick] [--threads N] [--until T] [--json FILE]
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "bench/benchmarks.hpp"

int main(int argc, char** argv) {
  using namespace cosimo::bench;
  const std::vector<std::pair<std::string, void (*)(const Options&, Table&)>> all = {
      {"solver", solver}, {"snapshot", snapshot},   {"sync", sync},
      {"chain", chain},   {"multirate", multirate}, {"headline", headline}};
  Options options;
  std::string json = "build/bench.json";
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--threads") {
      options.threads = std::atoi(value().c_str());
    } else if (word == "--until") {
      options.until = std::atof(value().c_str());
    } else if (word == "--json") {
      json = value();
    } else {
      names.push_back(word);
    }
  }
  for (const std::string& name : names) {
    bool known = false;
    for (const auto& entry : all) known = known || entry.first == name;
    if (!known) {
      fmt::print(stderr, "bench: no benchmark '{}'; known: solver snapshot sync chain multirate headline\n",
                 name);
      return 2;
    }
  }
  try {
    Table table;
    for (const auto& [name, function] : all) {
      bool wanted = names.empty();
      for (const std::string& n : names) wanted = wanted || n == name;
      if (wanted) function(options, table);
    }
    table.print();
    std::ofstream(json) << table.json();
    fmt::print("written to {}\n", json);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 1;
  }
}
