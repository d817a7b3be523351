// Robots in files of their own, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config::testing {

class RobotFiles : public ::testing::Test {
 protected:
  RobotFiles() {
    std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    for (char& c : name)
      if (c == '/') c = '_';
    folder_ = std::filesystem::path(::testing::TempDir()) / ("robots_" + name);
    std::filesystem::create_directories(folder_);
  }
  ~RobotFiles() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  Scenario parse(const std::string& model) const {
    return parse_scenario("cosimo: 1\nmodel:\n" + model + "simulate: {end: 1, output: 0.1}\n",
                          (folder_ / "s.yaml").string());
  }
  /// Uses the file `name`.
  Scenario use(const std::string& name, const std::string& keys = "") const {
    return parse("  submodels: [{use: " + name + ", name: r" + keys + "}]\n");
  }
  std::vector<Fault> faults(const std::string& name, const std::string& keys = "") const {
    try {
      use(name, keys);
    } catch (const Error& error) {
      return error.faults();
    }
    return {};
  }

  std::filesystem::path folder_;
};

/// The number of the line, from 1, that holds this; 0: none does.
inline int line_with(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) return 0;
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

}  // namespace cosimo::config::testing
