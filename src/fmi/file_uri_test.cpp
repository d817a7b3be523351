#include "fmi/file_uri.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "fmi/temporary_folder.hpp"

namespace cosimo {
namespace {

TEST(FileUri, EncodesWhatIsNotPlain) {
  EXPECT_EQ(fmi::file_uri("/tmp/A-z_0.9~/x"), "file:///tmp/A-z_0.9~/x");
  EXPECT_EQ(fmi::file_uri("/my folder/50%#?"), "file:///my%20folder/50%25%23%3F");
  EXPECT_EQ(fmi::file_uri("/R\xc3\xa4"
                          "der"),
            "file:///R%C3%A4der");
}

TEST(TemporaryFolders, AreAbsolute) {
  const TemporaryFolder base;
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  const std::filesystem::path relative = std::filesystem::relative(base.path());
  setenv("TMPDIR", relative.c_str(), 1);
  const TemporaryFolder inside;
  EXPECT_TRUE(inside.path().is_absolute()) << inside.path();
  EXPECT_TRUE(std::filesystem::equivalent(inside.path().parent_path(), base.path()));
  if (before != nullptr)
    setenv("TMPDIR", kept.c_str(), 1);
  else
    unsetenv("TMPDIR");
}

}  // namespace
}  // namespace cosimo
