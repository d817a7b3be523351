#include "series/journal.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

namespace cosimo::series {
namespace {

class JournalTest : public ::testing::Test {
 protected:
  JournalTest()
      : folder(std::filesystem::temp_directory_path() / ("cosimo-journal-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder);
  }
  ~JournalTest() override { std::filesystem::remove_all(folder); }

  static Record done(std::uint64_t identity, double value) {
    return {.identity = identity,
            .measures = 1,
            .done = true,
            .lengths = {-1, 2},
            .numbers = {value, 1, 2, 3, 4}};
  }
  static Record failed(std::uint64_t identity) {
    return {.identity = identity, .measures = 1, .fault = "solver", .message = "no \"way\""};
  }

  std::filesystem::path folder;
};

TEST_F(JournalTest, RemembersToTheBit) {
  const double odd = std::nextafter(0.1, 1);
  {
    Journal journal(folder);
    journal.append(done(0xffffffffffffffffU, odd));
    journal.append(failed(7));
  }
  const Journal journal(folder);
  const Record* record = journal.find(0xffffffffffffffffU, 1);
  ASSERT_NE(record, nullptr);
  EXPECT_TRUE(record->done);
  EXPECT_EQ(record->numbers[0], odd);
  EXPECT_EQ(record->lengths, (std::vector<std::int64_t>{-1, 2}));
  EXPECT_EQ(journal.find(0xffffffffffffffffU, 2), nullptr) << "other measures";
  ASSERT_NE(journal.find(7, 1), nullptr);
  EXPECT_EQ(journal.find(7, 1)->message, "no \"way\"");
}

TEST_F(JournalTest, ATornRecordIsNotThereAndHidesNoOther) {
  {
    Journal journal(folder);
    journal.append(done(1, 1));
    journal.append(done(2, 2));
  }
  const auto file = std::filesystem::directory_iterator(folder)->path();
  const auto whole = std::filesystem::file_size(file);
  for (std::uintmax_t size = whole; size-- > 0;) {
    std::filesystem::resize_file(file, size);
    const Journal journal(folder);
    EXPECT_LE(journal.size(), 1U) << size;
    EXPECT_EQ(journal.find(2, 1), nullptr) << size;
  }
  Journal journal(folder);  // another writer has a file of its own
  journal.append(done(3, 3));
  EXPECT_NE(Journal(folder).find(3, 1), nullptr);
}

TEST_F(JournalTest, AGoodRecordCountsWhateverFollows) {
  {
    Journal first(folder);
    first.append(failed(1));
    first.append(done(1, 5));
  }
  {
    Journal second(folder);
    second.append(failed(1));
  }
  const Journal journal(folder);
  ASSERT_NE(journal.find(1, 1), nullptr);
  EXPECT_TRUE(journal.find(1, 1)->done);
  EXPECT_EQ(journal.size(), 1U);
}

TEST_F(JournalTest, HearsWhatOthersWrite) {
  Journal a(folder), b(folder);
  a.append(done(1, 1.5));
  EXPECT_EQ(b.find(1, 1), nullptr);
  b.refresh();
  ASSERT_NE(b.find(1, 1), nullptr);
  EXPECT_TRUE(b.news(1, 1));
  a.refresh();
  EXPECT_FALSE(a.news(1, 1));  // its own
  b.append(done(1, 2.5));      // the first one counts
  b.append(failed(2));
  a.refresh();
  EXPECT_EQ(a.find(1, 1)->numbers.at(0), b.find(1, 1)->numbers.at(0));
  EXPECT_FALSE(a.find(2, 1)->done);
  Journal later(folder);
  EXPECT_FALSE(later.news(2, 1));
}

TEST_F(JournalTest, NothingIsMadeBeforeThereIsSomethingToSay) {
  const Journal journal(folder);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace cosimo::series
