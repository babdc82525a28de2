// What tests of images share: random images, bytes from text, a folder that goes away.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include "image/image.h"

namespace hocket::image {

inline Image random_image(Sample sample, std::int64_t width, std::int64_t height, int channels) {
  Image image(sample, width, height, channels);
  std::mt19937 random(static_cast<unsigned>(width * 1000 + height * 10 + channels));
  for (std::byte& byte : image.data) byte = static_cast<std::byte>(random());
  return image;
}

inline std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "hocket_image_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ / name; }
  long count() const { return std::distance(std::filesystem::directory_iterator(folder_), {}); }

 private:
  std::filesystem::path folder_;
};

}  // namespace hocket::image
