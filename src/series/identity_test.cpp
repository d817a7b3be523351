#include "series/identity.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace cosimo::series {
namespace {

class IdentityTest : public ::testing::Test {
 protected:
  IdentityTest()
      : folder(std::filesystem::temp_directory_path() / ("cosimo-identity-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder / "moved");
    write("push.csv", "t,f\n0,0\n1,5\n");
    write("push2.csv", "t,f\n0,0\n1,5\n");
  }
  ~IdentityTest() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::uint64_t of(const std::string& text, const std::vector<std::string>& settings = {},
                   std::uint64_t program = 1, const std::string& place = "") const {
    FileDigests files;
    const ScenarioSource source((folder / place / "model.yaml").string(), text);
    return identity_of(source.with(settings), program, files).value;
  }

  const std::string chain =
      "cosimo: 1\nmodel:\n  chain: {masses: 2, mass: 1, spring: {c: [100, 50, 100]}, initial: {x: [-0.1, "
      "0.1]}}\n"
      "simulate: {end: 1}\n";
  const std::string curve =
      "cosimo: 1\nmodel:\n  curves: [{name: push, file: push.csv, time: t, value: f}]\n  bodies: [{name: b, "
      "kind: "
      "point, mass: 1}]\n  elements: [{name: e, kind: applied, to: b, force: [push(t), 0, 0]}]\nsimulate: "
      "{end: 1}\n";
  std::filesystem::path folder;
};

TEST_F(IdentityTest, IsOfWhatIsComputedNotOfHowItIsWritten) {
  const std::uint64_t one = of(chain);
  EXPECT_EQ(of("# a comment\n" + chain), one);
  EXPECT_EQ(of(chain + "solve: {rtol: 1.0e-6}\n"), one) << "a default";
  EXPECT_EQ(of(chain + "run: {threads: 3, checkpoint: {every: 5 s}}\n"), one);
  EXPECT_EQ(of(chain, {"model.chain.mass=1.0"}), one);
  EXPECT_EQ(of(chain, {"run.threads=2"}), one);
  EXPECT_NE(of(chain, {"model.chain.mass=1.5"}), one);
  EXPECT_NE(of(chain + "solve: {rtol: 1.0e-7}\n"), one);
  EXPECT_NE(of(chain, {}, 2), one) << "another program";
}

TEST_F(IdentityTest, FilesWithOddNamesCountByTheirContentsToo) {
  const std::string name = "its \\\"push\\\" \\\\ 2.csv", file = "its \"push\" \\ 2.csv";
  write(file, "t,f\n0,0\n1,5\n");
  std::string text = curve;
  text.replace(text.find("push.csv"), 8, '"' + name + '"');
  const std::uint64_t one = of(text);
  EXPECT_EQ(of(text), one);
  write(file, "t,f\n0,0\n1,7\n");
  EXPECT_NE(of(text), one);
}

TEST_F(IdentityTest, FilesThatAScenarioNamesCountByTheirContentsWhereverTheyAre) {
  const std::uint64_t one = of(curve);
  std::filesystem::copy(folder / "push.csv", folder / "moved");
  EXPECT_EQ(of(curve, {}, 1, "moved"), one);
  write("push.csv", "t,f\n0,0\n1,7\n");
  EXPECT_NE(of(curve), one);
}

TEST_F(IdentityTest, ACacheForgetsWhatFilesHaveChanged) {
  const ScenarioSource source((folder / "model.yaml").string(), chain);
  const std::vector<std::string> settings{"model.chain.mass=3"};
  const std::uint64_t input = input_digest(source, settings, 1);
  const std::filesystem::path cached = folder / "identities";
  {
    FileDigests files;
    IdentityCache cache(cached, files);
    EXPECT_EQ(cache.find(input), 0U);
    cache.add(input, {42, {(folder / "push.csv").string()}});
    cache.save();
  }
  {
    FileDigests files;
    EXPECT_EQ(IdentityCache(cached, files).find(input), 42U);
    EXPECT_EQ(IdentityCache(cached, files).find(input_digest(source, settings, 2)), 0U);
  }
  write("push.csv", "t,f\n0,0\n1,6\n");
  FileDigests files;
  EXPECT_EQ(IdentityCache(cached, files).find(input), 0U);
  write("identities", "damaged");
  EXPECT_EQ(IdentityCache(cached, files).find(input), 0U);
}

TEST_F(IdentityTest, FilesCountByTheirContents) {
  FileDigests files;
  const std::uint64_t one = files.of(folder / "push.csv");
  EXPECT_NE(one, 0U);
  EXPECT_EQ(files.of(folder / "push2.csv"), one);
  EXPECT_EQ(files.of(folder / "nowhere.csv"), 0U);
  write("push2.csv", "t,f\n0,0\n1,5.\n");
  EXPECT_EQ(files.of(folder / "push2.csv"), one) << "read once";
  FileDigests later;
  EXPECT_NE(later.of(folder / "push2.csv"), one);
}

}  // namespace
}  // namespace cosimo::series
