// Images to files and back: every kind of sample and number of channels, every format.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "../image_fixture.h"
#include "testing/source_dir.h"

namespace hocket::image {
namespace {

TEST(RoundTrip, PngHoldsEveryImage) {
  for (Sample sample : {Sample::u8, Sample::u16}) {
    for (int channels = 1; channels <= 4; ++channels) {
      for (std::int64_t width : {1, 2, 7, 64}) {
        const Image image = random_image(sample, width, 9, channels);
        const auto bytes = encode(image, Format::png, "x.png");
        ASSERT_TRUE(bytes.ok());
        const auto back = decode(*bytes, "x.png");
        ASSERT_TRUE(back.ok()) << back.error().message();
        EXPECT_EQ(*back, image) << channels << " channels, " << width << " wide";
      }
    }
  }
}

TEST(RoundTrip, PnmHoldsGrayAndRgb) {
  for (Sample sample : {Sample::u8, Sample::u16}) {
    for (int channels : {1, 3}) {
      const Image image = random_image(sample, 7, 5, channels);
      const auto bytes = encode(image, Format::pnm, "x.pnm");
      ASSERT_TRUE(bytes.ok());
      EXPECT_EQ(*decode(*bytes, "x.pnm"), image);
    }
  }
}

TEST(RoundTrip, Files) {
  const Folder folder;
  const Image gray = random_image(Sample::u16, 20, 30, 1),
              rgb = random_image(Sample::u8, 20, 30, 3);
  for (const char* name : {"a.png", "a.PNG", "a.pgm", "a.pnm"}) {
    ASSERT_TRUE(save(gray, folder.path(name)).ok()) << name;
    EXPECT_EQ(*load(folder.path(name)), gray) << name;
  }
  for (const char* name : {"b.png", "b.ppm", "b.pnm"}) {
    ASSERT_TRUE(save(rgb, folder.path(name)).ok()) << name;
    EXPECT_EQ(*load(folder.path(name)), rgb) << name;
  }
}

TEST(RoundTrip, TheContentDecidesOnTheWayIn) {
  const Folder folder;
  const Image image = random_image(Sample::u8, 4, 4, 1);
  ASSERT_TRUE(save(image, folder.path("a.png")).ok());
  std::filesystem::rename(folder.path("a.png"), folder.path("a.txt"));
  EXPECT_EQ(*load(folder.path("a.txt")), image);
}

TEST(Layout, PlanarWithTheDimensionsOfABuffer) {
  Image image(Sample::u16, 3, 2, 2);
  image.set_value(2, 1, 1, 0x1234);
  EXPECT_EQ(image.data.size(), 24u);
  EXPECT_EQ(image.value(2, 1, 1), 0x1234);
  EXPECT_EQ(reinterpret_cast<const std::uint16_t*>(image.data.data())[11], 0x1234);
  const std::vector<hocket_dim_t> dims = image.dims();
  ASSERT_EQ(dims.size(), 3u);
  EXPECT_EQ(dims[1].stride, 3);
  EXPECT_EQ(dims[2].stride, 6);
  EXPECT_EQ(dims[2].extent, 2);
  EXPECT_EQ(image.type().bits, 16);
  EXPECT_EQ(Image(Sample::u8, 3, 2, 1).dims().size(), 2u);
}

TEST(Read, TheAstronaut) {
  const auto image = load(testing::source_dir() + "/data/astronaut.png");
  ASSERT_TRUE(image.ok()) << image.error().message();
  EXPECT_EQ(image->width, 512);
  EXPECT_EQ(image->height, 512);
  EXPECT_EQ(image->channels, 3);
  EXPECT_EQ(image->sample, Sample::u8);
  // Two pixels as other programs read them.
  EXPECT_EQ(image->value(0, 0, 0), 154);
  EXPECT_EQ(image->value(0, 0, 1), 147);
  EXPECT_EQ(image->value(0, 0, 2), 151);
  EXPECT_EQ(image->value(200, 100, 0), 81);
  EXPECT_EQ(image->value(200, 100, 1), 57);
  EXPECT_EQ(image->value(200, 100, 2), 17);
}

TEST(Read, TextPnmWithCommentsAndOtherGreatestValues) {
  const auto gray =
      decode(bytes_of("P2 # a comment\n3 # width\n2\n15\n0 1 2\n# rows\n 3 14 15"), "t");
  ASSERT_TRUE(gray.ok()) << gray.error().message();
  EXPECT_EQ(gray->sample, Sample::u8);
  EXPECT_EQ(gray->value(0, 0), 0);
  EXPECT_EQ(gray->value(1, 0), 17);
  EXPECT_EQ(gray->value(2, 1), 255);
  const auto rgb = decode(bytes_of("P3\n1 1 1023\n0 512 1023\n"), "t");
  ASSERT_TRUE(rgb.ok()) << rgb.error().message();
  EXPECT_EQ(rgb->sample, Sample::u16);
  EXPECT_EQ(rgb->channels, 3);
  EXPECT_EQ(rgb->value(0, 0, 1), 32800);
  EXPECT_EQ(rgb->value(0, 0, 2), 65535);
}

TEST(Read, BinaryPnmSamplesMayLookLikeComments) {
  const auto image = decode(bytes_of("P5 2 1 255\n##"), "t");
  ASSERT_TRUE(image.ok()) << image.error().message();
  EXPECT_EQ(image->value(0, 0), '#');
  EXPECT_EQ(image->value(1, 0), '#');
}

TEST(Read, PngOfOtherKinds) {
  // One bit gray, palette with a transparent colour, interlaced: made by other programs.
  const std::string folder = testing::source_dir() + "/tests/image/run/";
  const auto bit = load(folder + "gray1.png");
  ASSERT_TRUE(bit.ok()) << bit.error().message();
  EXPECT_EQ(bit->channels, 1);
  EXPECT_EQ(bit->sample, Sample::u8);
  for (int x = 0; x < 9; ++x) EXPECT_EQ(bit->value(x, 0), x % 2 ? 255 : 0);
  const auto palette = load(folder + "palette_alpha.png");
  ASSERT_TRUE(palette.ok()) << palette.error().message();
  EXPECT_EQ(palette->channels, 4);
  EXPECT_EQ(palette->value(1, 0, 0), 200);
  EXPECT_EQ(palette->value(1, 0, 3), 255);
  EXPECT_EQ(palette->value(0, 0, 3), 0);
  const auto interlaced = load(folder + "interlaced.png");
  ASSERT_TRUE(interlaced.ok()) << interlaced.error().message();
  for (int y = 0; y < 11; ++y) {
    for (int x = 0; x < 13; ++x) EXPECT_EQ(interlaced->value(x, y), x * 11 + y);
  }
}

TEST(Write, AnOlderFileIsReplacedWholeAndNothingIsLeftBeside) {
  const Folder folder;
  const Image first = random_image(Sample::u8, 30, 30, 1),
              second = random_image(Sample::u8, 5, 5, 1);
  ASSERT_TRUE(save(first, folder.path("a.png")).ok());
  ASSERT_TRUE(save(second, folder.path("a.png")).ok());
  EXPECT_EQ(*load(folder.path("a.png")), second);
  EXPECT_EQ(folder.count(), 1);
}

TEST(Write, ThroughASymbolicLink) {
  const Folder folder;
  const Image image = random_image(Sample::u8, 3, 3, 1);
  ASSERT_TRUE(save(image, folder.path("real.png")).ok());
  std::filesystem::create_symlink("real.png", folder.path("link.png"));
  const Image other = random_image(Sample::u8, 4, 4, 1);
  ASSERT_TRUE(save(other, folder.path("link.png")).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.png")));
  EXPECT_EQ(*load(folder.path("real.png")), other);
}

TEST(Write, IntoAPipe) {
  const Folder folder;
  const std::string path = folder.path("pipe.png");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDWR);
  const Image image = random_image(Sample::u8, 3, 3, 1);
  ASSERT_TRUE(save(image, path).ok());
  std::vector<std::byte> bytes(4096);
  bytes.resize(static_cast<std::size_t>(::read(reader, bytes.data(), bytes.size())));
  ::close(reader);
  EXPECT_EQ(*decode(bytes, "pipe"), image);
}

}  // namespace
}  // namespace hocket::image
