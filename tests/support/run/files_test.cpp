// A file is written whole, or stays as it was.
#include "support/files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace hocket::support {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("hocket_files_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(Files, NothingElseIsLeftBehind) {
  const std::string path = folder_ / "a.hk";
  EXPECT_EQ(write_whole_file(path, "one"), 0);
  EXPECT_EQ(write_whole_file(path, std::string("t\0o", 3)), 0);
  EXPECT_EQ(read(path), std::string("t\0o", 3));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Files, ALinkStaysALinkAndPermissionsStay) {
  ASSERT_EQ(write_whole_file(folder_ / "target", "old"), 0);
  fs::permissions(folder_ / "target", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("target", folder_ / "link");
  EXPECT_EQ(write_whole_file(folder_ / "link", "new"), 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read(folder_ / "target"), "new");
  EXPECT_EQ(fs::status(folder_ / "target").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Files, WhereTheFolderIsMissingNothingIsWritten) {
  EXPECT_NE(write_whole_file(folder_ / "missing" / "a.hk", "text"), 0);
  EXPECT_NE(write_whole_file(folder_, "text"), 0);  // a folder is no file
}

}  // namespace
}  // namespace hocket::support
