// What the tests of the command line share: a call of it, files and pictures in the temporary
// folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "image/image.h"
#include "tools/verbs.h"

namespace hocket::tools {

struct Said {
  int code = 0;
  std::string err, out;
};

inline Said hocket(std::vector<std::string> words) {
  words.insert(words.begin(), "hocket");
  std::vector<const char*> argv;
  argv.reserve(words.size());
  for (const std::string& w : words) argv.push_back(w.c_str());
  std::ostringstream out, err;
  Said said;
  said.code = run_command(static_cast<int>(argv.size()), argv.data(), out, err);
  said.err = err.str();
  said.out = out.str();
  return said;
}

// A folder of this process alone, gone at its end: tests run at the same time.
inline const std::filesystem::path& scratch() {
  struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("hocket_tools_" + std::to_string(getpid()));
    Folder() { std::filesystem::create_directories(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

inline std::string file(const std::string& name, const std::string& text) {
  const std::filesystem::path p = scratch() / name;
  std::ofstream(p) << text;
  return p.string();
}

// Codes of what is wrong with the words of the command line alone: the status is 2 then. D0102 is
// one where no file says the name.
inline bool of_command_line(const std::string& code, bool placed) {
  for (const char* c :
       {"D0001", "D0104", "D0105", "D0109", "D0110", "D0111", "D0113", "T0001", "T0002"})
    if (code == c) return true;
  return code == "D0102" && !placed;
}

// `parts` names the place as `:LINE`, or there is none to be shown.
inline void expect_refused(const std::vector<std::string>& words, const std::string& code,
                           const std::vector<std::string>& parts) {
  const Said said = hocket(words);
  EXPECT_THAT(said.err, ::testing::HasSubstr("error[" + code + "]"));
  bool placed = false;
  for (const std::string& part : parts) {
    EXPECT_THAT(said.err, ::testing::HasSubstr(part));
    placed |= std::regex_search(part, std::regex(":[0-9]"));
  }
  EXPECT_EQ(said.err.find("  --> ") != std::string::npos, placed) << said.err;
  if (code != "D0103") EXPECT_EQ(said.code, of_command_line(code, placed) ? 2 : 1) << said.err;
}

// A gray image of known samples; its path.
inline std::string picture_of(const std::string& name, int w, int h,
                              image::Sample sample = image::Sample::u8, int channels = 1) {
  const std::string p = (scratch() / name).string();
  image::Image im(sample, w, h, channels);
  const int64_t most = sample == image::Sample::u8 ? 256 : 65536;
  for (int c = 0; c < channels; ++c)
    for (int64_t y = 0; y < h; ++y)
      for (int64_t x = 0; x < w; ++x) im.set_value(x, y, c, (x * 3 + y * 5 + c * 7) % most);
  EXPECT_TRUE(image::save(im, p).ok());
  return p;
}

}  // namespace hocket::tools
