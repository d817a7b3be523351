#include "body_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "core/nearest.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/result_folder.hpp"

namespace cosimo::cli {
namespace {

Error bad_bodies(std::string_view text, std::string problem) {
  return Error(Fault{.field = "--bodies",
                     .value = std::string(text),
                     .problem = std::move(problem),
                     .remedy = "write names of bodies, their numbers from 1, and ranges of these, like "
                               "crank,5,10-20"});
}

std::int64_t number_of(std::string_view text, std::string_view all) {
  std::int64_t body = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), body);
  if (error != std::errc() || end != text.data() + text.size() || body < 1)
    throw bad_bodies(all, fmt::format("'{}' is not a body number", text));
  return body;
}

std::int64_t body_named(std::string_view name, std::string_view all,
                        const std::vector<std::filesystem::path>& folders) {
  std::vector<std::string> known;
  for (const std::filesystem::path& path : folders) {
    const ResultFolder folder(path);
    for (const RecordedColumn& column : folder.columns()) {
      if (column.body_name == name) return column.body;
      if (known.empty() || known.back() != column.body_name) known.push_back(column.body_name);
    }
  }
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const std::string_view meant = nearest(name, candidates);
  throw bad_bodies(all, fmt::format("no body named '{}' is recorded{}", name,
                                    meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant)));
}

}  // namespace

std::vector<std::int64_t> chosen_bodies(std::string_view text,
                                        const std::vector<std::filesystem::path>& folders) {
  constexpr std::int64_t most = 100'000'000;  // a range is a typing error long before memory ends
  std::vector<std::int64_t> bodies;
  if (text.empty()) return bodies;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    begin = end + 1;
    if (item.find_first_of("-0123456789") != 0 && !item.empty()) {
      bodies.push_back(body_named(item, text, folders));
      continue;
    }
    const std::size_t dash = item.find('-');
    const std::int64_t first = number_of(item.substr(0, dash), text);
    const std::int64_t last = dash == std::string_view::npos ? first : number_of(item.substr(dash + 1), text);
    if (last < first || last - first >= most)
      throw bad_bodies(text, fmt::format("'{}' is not a range", item));
    for (std::int64_t body = first; body <= last; ++body) bodies.push_back(body);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

}  // namespace cosimo::cli
