// What is computed, as a number: two variants with the same identity give the same results, to the bit, on
// one kind of processor; so a variant whose identity the folder knows is done.
//
// It is a digest (FNV-1a, 64 bits) of
//   - the effective scenario without `run`, every key with its value, defaults included: comments, order of
//     keys, other words for the same number do not count;
//   - the contents of all files that it names (libraries, FMUs, meshes, curves), in the place of their names,
//     so that folders may move;
//   - the program, byte by byte.
//
// Making a scenario effective costs about as much as checking it, which the first run of a series pays for
// every variant. A folder remembers what came out (IdentityCache): later runs compare what went in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cosimo/cosimo.hpp"

namespace cosimo::series {

/// Digests of files by name, each read once. From any thread.
class FileDigests {
 public:
  /// 0: it cannot be read.
  std::uint64_t of(const std::filesystem::path& file);

 private:
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> known_;
};

/// A scenario file as it was when the series began, whatever becomes of it on disk.
class ScenarioSource {
 public:
  /// Throws Error when it cannot be read.
  explicit ScenarioSource(const std::filesystem::path& file);
  ScenarioSource(std::string name, std::string text);

  Scenario with(std::span<const std::string> settings) const;
  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  std::uint64_t digest() const { return digest_; }  ///< of the text

 private:
  std::string name_, text_;
  std::uint64_t digest_ = 0;
};

struct Identity {
  std::uint64_t value = 0;
  std::vector<std::string> files{};  ///< that it depends on, ascending: included and named ones
};

Identity identity_of(const Scenario& scenario, std::uint64_t program, FileDigests& files);

/// "00c0ffee00c0ffee".
std::string hex(std::uint64_t value);

/// From what goes in (the text of the scenario file, settings, program) to the identity that came out, as
/// long as the files on the way are what they were.
class IdentityCache {
 public:
  /// A file that is missing or damaged is an empty cache.
  IdentityCache(std::filesystem::path file, FileDigests& files);

  /// 0: not known.
  std::uint64_t find(std::uint64_t input) const;
  void add(std::uint64_t input, const Identity& identity);
  /// Written beside the file and renamed, when there is something new.
  void save();

 private:
  struct Entry {
    std::uint64_t identity = 0;
    std::size_t set = 0;
  };
  std::filesystem::path file_;
  FileDigests& files_;
  std::vector<std::vector<std::string>> sets_;  ///< of files
  std::map<std::vector<std::string>, std::size_t> set_of_;
  std::map<std::uint64_t, Entry> entries_;
  bool changed_ = false;
};

/// Of what goes in.
std::uint64_t input_digest(const ScenarioSource& source, std::span<const std::string> settings,
                           std::uint64_t program);

}  // namespace cosimo::series
