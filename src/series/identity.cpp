#include "series/identity.hpp"

#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "config/scenario.hpp"
#include "config/source_file.hpp"
#include "config/yaml_tree.hpp"
#include "core/digest.hpp"
#include "series/frame.hpp"
#include "simulation/output_folder.hpp"

namespace cosimo::series {

namespace {

void add(Digest& digest, std::uint64_t number) {
  digest.add({reinterpret_cast<const char*>(&number), sizeof number});
}

/// A digest of bytes, eight at a time: programs are large.
std::uint64_t digest_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return 0;
  std::vector<char> block(std::size_t{1} << 20U);
  std::uint64_t value = 0xcbf29ce484222325ULL;
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto n = static_cast<std::size_t>(in.gcount());
    for (std::size_t i = 0; i + 8 <= n; i += 8) {
      std::uint64_t word = 0;
      std::copy_n(block.data() + i, 8, reinterpret_cast<char*>(&word));
      value = (value ^ word) * 0x100000001b3ULL;
      value ^= value >> 29U;  // the high bits of a product reach the low ones
    }
    for (std::size_t i = n / 8 * 8; i < n; ++i)
      value = (value ^ static_cast<unsigned char>(block[i])) * 0x100000001b3ULL;
  }
  return in.bad() ? 0 : value;
}

/// The quotation mark that ends what begins here; those behind a backslash belong to the text.
std::size_t end_of_quotes(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '"') return i;
    if (text[i] == '\\') ++i;
  }
  return text.npos;
}

std::string without_escapes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

/// The scenario's lines but for the section `run`, which never changes a result. Texts that are absolute
/// names of files are files: names are made absolute where they are read, and nothing else is.
template <class Line, class File>
void walk(std::string_view effective, Line line, File file) {
  bool skipped = false;
  while (!effective.empty()) {
    const std::size_t end = std::min(effective.find('\n'), effective.size() - 1) + 1;
    std::string_view text = effective.substr(0, end);
    effective.remove_prefix(end);
    if (text.front() != ' ') skipped = text.starts_with("run:");
    if (skipped) continue;
    for (std::size_t quote; (quote = text.find("\"/")) != text.npos;) {
      const std::size_t close = end_of_quotes(text, quote + 1);
      if (close == text.npos) break;
      const std::string name = without_escapes(text.substr(quote + 1, close - quote - 1));
      std::error_code failed;
      line(text.substr(0, quote));
      if (std::filesystem::is_regular_file(name, failed))
        file(name);
      else
        line(name);
      text.remove_prefix(close + 1);
    }
    line(text);
  }
}

}  // namespace

std::uint64_t FileDigests::of(const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  const auto [at, fresh] = known_.emplace(file.string(), 0);
  if (fresh) at->second = digest_of_file(file);
  return at->second;
}

ScenarioSource::ScenarioSource(const std::filesystem::path& file) : name_(file.string()) {
  config::Faults faults(name_);
  text_ = config::read_source(file, 0, faults);
  digest_ = cosimo::digest(text_);
}

ScenarioSource::ScenarioSource(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), digest_(cosimo::digest(text_)) {}

Scenario ScenarioSource::with(std::span<const std::string> settings) const {
  const bool archive = text_.starts_with("PK");  // a package of several files is read by name
  return archive ? Scenario::load(name_, settings) : Scenario::parse(text_, name_, settings);
}

Identity identity_of(const Scenario& scenario, std::uint64_t program, FileDigests& files) {
  Digest digest;
  add(digest, program);
  std::set<std::string> names;
  walk(
      scenario.data().effective, [&](std::string_view text) { digest.add(text); },
      [&](const std::string& name) {
        add(digest, files.of(name));
        names.insert(name);
      });
  // Included files are in the effective scenario; the cache has to know them.
  const std::vector<std::string>& sources = scenario.data().sources;
  for (std::size_t i = 1; i < sources.size(); ++i)
    if (!sources[i].starts_with("--set ")) names.insert(sources[i]);
  return {digest.value(), {names.begin(), names.end()}};
}

std::string hex(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

std::uint64_t input_digest(const ScenarioSource& source, std::span<const std::string> settings,
                           std::uint64_t program) {
  Digest digest;
  add(digest, program);
  digest.add(source.name());
  add(digest, source.digest());
  for (const std::string& setting : settings) {
    add(digest, setting.size());
    digest.add(setting);
  }
  return digest.value();
}

IdentityCache::IdentityCache(std::filesystem::path file, FileDigests& files)
    : file_(std::move(file)), files_(files) {
  std::ifstream in(file_, std::ios::binary);
  FrameReader reader;
  reader.feed(std::string(std::istreambuf_iterator<char>(in), {}));
  const auto frame = reader.next();
  if (!frame || frame->head.value("is", "") != "identities") return;
  std::vector<bool> same;
  for (const Json& set : frame->head["sets"]) {
    std::vector<std::string> names;
    bool all = true;
    for (const Json& entry : set) {
      names.push_back(entry[0]);
      all = all && files_.of(names.back()) == entry[1].get<std::uint64_t>();
    }
    same.push_back(all);
    set_of_.emplace(names, sets_.size());
    sets_.push_back(std::move(names));
  }
  for (std::size_t i = 0; i + 3 <= frame->numbers.size(); i += 3) {
    const auto set = std::bit_cast<std::uint64_t>(frame->numbers[i + 2]);
    if (set >= same.size() || !same[set]) continue;
    entries_[std::bit_cast<std::uint64_t>(frame->numbers[i])] = {
        std::bit_cast<std::uint64_t>(frame->numbers[i + 1]), set};
  }
}

std::uint64_t IdentityCache::find(std::uint64_t input) const {
  const auto at = entries_.find(input);
  return at != entries_.end() ? at->second.identity : 0;
}

void IdentityCache::add(std::uint64_t input, const Identity& identity) {
  const auto [set, fresh] = set_of_.emplace(identity.files, sets_.size());
  if (fresh) sets_.push_back(identity.files);
  entries_[input] = {identity.value, set->second};
  changed_ = true;
}

void IdentityCache::save() {
  if (!changed_) return;
  Frame frame{{{"is", "identities"}, {"sets", Json::array()}}};
  for (const std::vector<std::string>& set : sets_) {
    Json entries = Json::array();
    for (const std::string& name : set) entries.push_back({name, files_.of(name)});
    frame.head["sets"].push_back(std::move(entries));
  }
  frame.numbers.reserve(3 * entries_.size());
  for (const auto& [input, entry] : entries_)
    for (const std::uint64_t number : {input, entry.identity, std::uint64_t{entry.set}})
      frame.numbers.push_back(std::bit_cast<double>(number));
  write_text(file_, encoded(frame));
  changed_ = false;
}

}  // namespace cosimo::series
