// cosimo_bench [NAME...] [--quick | --full] [--threads N] [--until T] [--json FILE]
// cosimo_bench light-cone|cone-law FILE.svg
// Ends with 0 whether targets are met or not, 1 when a benchmark fails, 2 on wrong arguments.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/benchmarks.hpp"

namespace {

using namespace cosimo::bench;

struct Benchmark {
  std::string_view name;
  void (*function)(const Options&, Table&);
};
// `memory` comes first: a forked process begins with what its parent holds.
constexpr std::array<Benchmark, 22> all{{{"memory", memory},
                                         {"solver", solver},
                                         {"snapshot", snapshot},
                                         {"sync", sync},
                                         {"chain", chain},
                                         {"overlap", overlap},
                                         {"multirate", multirate},
                                         {"headline", headline},
                                         {"schemes", schemes},
                                         {"jacobian", jacobian},
                                         {"multibody", multibody},
                                         {"partition", partition},
                                         {"distributed", distributed},
                                         {"plan", plan},
                                         {"tree", tree},
                                         {"cores", cores},
                                         {"ways", ways},
                                         {"between", between},
                                         {"implicit", implicit},
                                         {"contacts", contacts},
                                         {"fmi", fmi},
                                         {"sweep", sweep}}};

struct Picture {
  std::string_view name;
  void (*function)(const std::string& file);
};
constexpr std::array<Picture, 2> pictures{{{"light-cone", light_cone}, {"cone-law", cone_law}}};

/// Draws what the words ask for; false when they ask for no picture.
bool draw(const std::vector<std::string_view>& words) {
  if (words.empty()) return false;
  for (const Picture& picture : pictures) {
    if (picture.name != words.front()) continue;
    if (words.size() != 2) throw std::invalid_argument(fmt::format("{} needs one file", picture.name));
    picture.function(std::string(words[1]));
    return true;
  }
  return false;
}

struct Request {
  Options options;
  std::string json = "build/bench.json";
  std::vector<std::string_view> names;
};

/// The whole of `text` as a positive number.
template <class Number>
Number positive(std::string_view option, std::string_view text) {
  Number value{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || !(value > 0) || value - value != 0)
    throw std::invalid_argument(fmt::format("{} needs a positive number, not '{}'", option, text));
  return value;
}

Request parse(const std::vector<std::string_view>& words) {
  Request request;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const auto value = [&] {
      if (i + 1 == words.size()) throw std::invalid_argument(fmt::format("{} needs a value", word));
      return words[++i];
    };
    if (word == "--quick") {
      request.options.quick = true;
    } else if (word == "--full") {
      request.options.full = true;
    } else if (word == "--threads") {
      request.options.threads = positive<int>(word, value());
    } else if (word == "--until") {
      request.options.until = positive<double>(word, value());
    } else if (word == "--json") {
      request.json = value();
    } else if (std::any_of(all.begin(), all.end(), [&](const Benchmark& b) { return b.name == word; })) {
      request.names.push_back(word);
    } else {
      std::string known;
      for (const Benchmark& b : all) known += fmt::format(" {}", b.name);
      throw std::invalid_argument(
          fmt::format("no benchmark or option '{}'; benchmarks:{}; options: --quick --full --threads N "
                      "--until T --json FILE",
                      word, known));
    }
  }
  if (request.options.quick && request.options.full)
    throw std::invalid_argument("--quick and --full exclude each other");
  return request;
}

void run(const Request& request) {
  Table table;
  for (const Benchmark& b : all)
    if (request.names.empty() || std::count(request.names.begin(), request.names.end(), b.name) > 0)
      b.function(request.options, table);
  table.print();
  fmt::print("{} of {} targets met\n", table.met(), table.targets());
  std::ofstream file(request.json);
  file << table.json() << std::flush;
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", request.json));
  fmt::print("written to {}\n", request.json);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    if (!draw(words)) run(parse(words));
    return 0;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 1;
  }
}
