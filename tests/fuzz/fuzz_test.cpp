// The fuzzing program finds what it looks for: programs with planted faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string_view>
#include <thread>

#include "judge.hpp"
#include "mutate.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cosimo::fuzz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Patience short_patience{.run_s = 0.05, .end_s = 0.3, .bytes = 0};

int refuse() {
  std::fputs("cosimo: error: mutant.yaml:1: no\n", stderr);
  return 2;
}

/// What is found about a program that does `check` or `run` so.
std::vector<std::string> faults_of(const std::function<int()>& check, const std::function<int()>& run,
                                   const Patience& patience = short_patience) {
  const test::TemporaryFolder folder;
  const Program program = [&](int, char** argv) {
    return std::string_view(argv[1]) == "check" ? check() : run();
  };
  return judge(program, "a: 1\n", folder / "trial", patience).faults;
}

int well() {
  return 0;
}

int sleep_on() {
  std::this_thread::sleep_for(std::chrono::minutes(1));
  return 0;
}

TEST(Judge, FindsNothingWhereNothingIsWrong) {
  EXPECT_THAT(faults_of(well, well), IsEmpty());
  EXPECT_THAT(faults_of(refuse, refuse), IsEmpty());
  EXPECT_THAT(faults_of(well,
                        [] {
                          std::fputs("cosimo: error: the run failed\n", stderr);
                          return 1;
                        }),
              IsEmpty());
}

TEST(Judge, FindsSignalsAndWrongExitCodes) {
  EXPECT_THAT(faults_of(well, [] { return std::raise(SIGKILL); }),
              ElementsAre(HasSubstr("run ends by signal 9")));
  EXPECT_THAT(faults_of(well, [] { return 134; }), ElementsAre("run ends with exit code 134"));
}

TEST(Judge, FindsWhatIsNotExplained) {
  EXPECT_THAT(faults_of(well, [] { return 1; }), ElementsAre(HasSubstr("without a message")));
  const auto nameless = [] {
    std::fputs("cosimo: error: no\n", stderr);
    return 2;
  };
  EXPECT_THAT(faults_of(nameless, refuse), ElementsAre("check refuses without naming the file"));
  const auto sorry = [] {
    std::fputs("cosimo: error: this should not have happened, sorry\n", stderr);
    return 1;
  };
  EXPECT_THAT(faults_of(well, sorry), ElementsAre(HasSubstr("should not have happened")));
}

TEST(Judge, FindsThatCheckAndRunDisagree) {
  EXPECT_THAT(faults_of(well, refuse), ElementsAre("check accepts what run refuses"));
  EXPECT_THAT(faults_of(refuse, well), ElementsAre("check refuses what run accepts"));
}

TEST(Judge, FindsWhatDoesNotEnd) {
  EXPECT_THAT(faults_of(sleep_on, well), ElementsAre(HasSubstr("check does not end")));
  EXPECT_THAT(faults_of(well, sleep_on), ElementsAre(HasSubstr("run does not end")));
}

TEST(Judge, InterruptsLongRuns) {
  const auto long_run = [] {
    std::signal(SIGTERM, [](int) { ::_exit(0); });
    return sleep_on();
  };
  EXPECT_THAT(faults_of(well, long_run, {.run_s = 0.05, .end_s = 20, .bytes = 0}), IsEmpty());
}

TEST(Judge, FindsFilesLeftElsewhere) {
  EXPECT_THAT(faults_of(well,
                        [] {
                          std::ofstream("stray") << 1;
                          return 0;
                        }),
              ElementsAre("'stray' is left beside the output folder"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Judge, BoundsMemory) {
  const auto large = [] { return std::malloc(std::size_t{1} << 30) == nullptr ? std::raise(SIGKILL) : 0; };
  EXPECT_THAT(faults_of(well, large, {.run_s = 20, .end_s = 20, .bytes = 0}), IsEmpty());
  EXPECT_THAT(faults_of(well, large, {.run_s = 0.05, .end_s = 20, .bytes = std::size_t{1} << 29}),
              ElementsAre(HasSubstr("signal 9")));
}
#endif

class Mutants : public ::testing::Test {
 protected:
  static Corpus corpus() {
    const std::array folders = {std::filesystem::path(COSIMO_SOURCE_DIR) / "examples"};
    return Corpus::of(folders, R"({"properties": {"chain": {"enum": ["spring", "masses"]}}})");
  }
};

TEST_F(Mutants, FollowFromSeedAndNumberAlone) {
  const Corpus files = corpus(), again = corpus();
  std::set<std::string> texts;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const Mutant one = mutant(files, 3, number);
    EXPECT_EQ(one.text, mutant(again, 3, number).text) << number;
    texts.insert(one.text);
  }
  EXPECT_GT(texts.size(), 180u);  // now and then a mutation finds no place
  EXPECT_NE(mutant(files, 3, 0).text, mutant(files, 4, 0).text);
}

TEST_F(Mutants, SourcesAreReadAndWrittenWithoutChange) {
  const Corpus files = corpus();
  ASSERT_GT(files.sources.size(), 15u);
  for (const Corpus::Source& source : files.sources)
    EXPECT_EQ(to_text(parse(source.text)), source.text) << source.name;
  EXPECT_THAT(files.words, ElementsAre("chain", "enum", "masses", "properties", "spring"));
}

}  // namespace
}  // namespace cosimo::fuzz
