// Every refusal of images, and files that were damaged in every way: an answer, never a crash.
// Images have no line in a program, so the place of a refusal is the file named in its message.
#include <sys/stat.h>

#include "../image_fixture.h"
#include "diag/render.h"

namespace hocket::image {
namespace {

template <class T>
std::string refusal(const diag::Result<T>& result) {
  if (result.ok()) return "accepted";
  const std::string text = diag::render_text(result.error());
  return text.substr(0, text.find('\n'));
}

TEST(ImageFail, NoFile) {
  EXPECT_EQ(refusal(load("/no/such.png")), "error[I0001]: there is no file `/no/such.png`");
}

TEST(ImageFail, Unreadable) {
  const Folder folder;
  std::filesystem::create_directory(folder.path("d"));
  EXPECT_EQ(refusal(load(folder.path("d"))),
            "error[I0002]: cannot read `" + folder.path("d") + "`: Is a directory");
}

TEST(ImageFail, NoImage) {
  for (const char* text : {"", "P", "P5", "P8 1 1 255\n0", "\x89PNG", "GIF89a", "hello, world"}) {
    EXPECT_EQ(refusal(decode(bytes_of(text), "a.png")),
              "error[I0003]: `a.png` is no image in a format that is read (PNG, PGM, PPM)")
        << text;
  }
}

TEST(ImageFail, DamagedPnm) {
  struct Case {
    const char* text;
    const char* reason;
  };
  for (const Case& c :
       {Case{"P5 \n", "its header holds no size"},
        {"P5 3 x 255\n", "its header holds no size"},
        {"P5 3 -1 255\n", "its header holds no size"},
        {"P5 99999999999 1 255\n", "its header holds no size"},
        {"P5 0 1 255\n", "it has no pixels"},
        {"P5 1 1 0\n1", "its greatest value is 0"},
        {"P5 1 1 65536\n1", "its greatest value is 65536"},
        {"P5 1 1 255", "it ends too early"},
        {"P5 2 2 255\nabc", "it ends too early"},
        {"P5 2 1 256\nabc", "it ends too early"},
        {"P2 2 2 255\n1 2 3", "it ends too early"},
        {"P2 1 1 9\n10 ", "a sample is 10, the greatest value is 9"},
        {"P5 1 1 9\n\x0a", "a sample is 10, the greatest value is 9"},
        {"P2 2 1 9\n1 x 3 4", "it ends too early or holds something else than numbers"}}) {
    EXPECT_EQ(refusal(decode(bytes_of(c.text), "a.pgm")),
              std::string("error[I0004]: `a.pgm` is damaged: ") + c.reason)
        << c.text;
  }
}

TEST(ImageFail, Unsupported) {
  for (const char* format : {"P1", "P4", "P7"}) {
    EXPECT_EQ(refusal(decode(bytes_of(std::string(format) + "\n1 1\n0"), "a")),
              std::string("error[I0005]: `a` has the format ") + format + ", which is not read");
  }
}

TEST(ImageFail, TooLarge) {
  EXPECT_EQ(refusal(decode(bytes_of("P6 2000000000 2000000000 255\n"), "a")),
            "error[I0006]: `a` has 2000000000 x 2000000000 pixels, more than 8589934592 bytes");
}

TEST(ImageFail, Unwritable) {
  const Folder folder;
  const Image image = random_image(Sample::u8, 2, 2, 1);
  EXPECT_EQ(
      refusal(save(image, folder.path("no/a.png"))),
      "error[I0007]: cannot write `" + folder.path("no/a.png") + "`: No such file or directory");
  std::filesystem::create_directory(folder.path("d.png"));
  EXPECT_EQ(refusal(save(image, folder.path("d.png"))),
            "error[I0007]: cannot write `" + folder.path("d.png") + "`: Is a directory");
  EXPECT_EQ(folder.count(), 1);
  if (std::filesystem::exists("/dev/full")) {
    std::filesystem::create_symlink("/dev/full", folder.path("full.png"));
    EXPECT_EQ(
        refusal(save(image, folder.path("full.png"))),
        "error[I0007]: cannot write `" + folder.path("full.png") + "`: No space left on device");
  }
}

TEST(ImageFail, Ending) {
  const Image image = random_image(Sample::u8, 2, 2, 1);
  for (const char* path : {"out", "out.gif", "a.png/out", ".", ""}) {
    EXPECT_EQ(refusal(save(image, path)),
              std::string("error[I0008]: `") + path +
                  "` ends in no name of an image format that is written (.png, .pgm, .ppm, .pnm)");
  }
}

TEST(ImageFail, Channels) {
  EXPECT_EQ(refusal(save(random_image(Sample::u8, 2, 2, 3), "a.pgm")),
            "error[I0009]: `a.pgm`: .pgm cannot hold 3 channels");
  EXPECT_EQ(refusal(save(random_image(Sample::u8, 2, 2, 1), "a.ppm")),
            "error[I0009]: `a.ppm`: .ppm cannot hold 1 channels");
  EXPECT_EQ(refusal(save(random_image(Sample::u8, 2, 2, 2), "a.pnm")),
            "error[I0009]: `a.pnm`: PNM cannot hold 2 channels");
}

TEST(ImageFail, NoPixels) {
  EXPECT_EQ(refusal(save(Image(Sample::u8, 0, 4, 1), "a.png")),
            "error[I0010]: cannot write `a.png`: the image has no pixels");
}

// ---- damage ----

std::vector<std::vector<std::byte>> samples() {
  std::vector<std::vector<std::byte>> files;
  for (Sample sample : {Sample::u8, Sample::u16}) {
    for (int channels : {1, 3, 4}) {
      files.push_back(*encode(random_image(sample, 9, 7, channels), Format::png, ""));
      if (channels < 4)
        files.push_back(*encode(random_image(sample, 9, 7, channels), Format::pnm, ""));
    }
  }
  files.push_back(bytes_of("P3 2 2 255 1 2 3 4 5 6 7 8 9 10 11 12\n"));
  return files;
}

TEST(ImageDamage, EveryTruncationIsRefused) {
  for (const std::vector<std::byte>& file : samples()) {
    const bool as_text = file[1] == std::byte{'3'};
    // The last blank of a text may be missing, and half of its last number looks like a number.
    const std::size_t whole = file.size() - (as_text ? 2 : 0);
    for (std::size_t size = 0; size < whole; ++size) {
      const auto result = decode(std::span(file).first(size), "a");
      ASSERT_FALSE(result.ok()) << size << " of " << file.size();
      ASSERT_TRUE(result.error().kind->code == "I0004" || result.error().kind->code == "I0003");
    }
  }
}

TEST(ImageDamage, EveryFlippedBitGetsAnAnswer) {
  int refused = 0, accepted = 0;
  for (std::vector<std::byte> file : samples()) {
    for (std::size_t at = 0; at < file.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        file[at] ^= std::byte(1 << bit);
        const auto result = decode(file, "a");
        ++(result.ok() ? accepted : refused);
        if (result.ok()) {
          ASSERT_EQ(static_cast<std::int64_t>(result->data.size()),
                    result->width * result->height * result->channels * result->sample_bytes());
        }
        file[at] ^= std::byte(1 << bit);
      }
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(accepted, 1000);  // samples of a PNM file may have any value
}

TEST(ImageDamage, RandomBytesAfterAHeaderGetAnAnswer) {
  std::mt19937 random(5);
  for (const std::vector<std::byte>& file : samples()) {
    for (int round = 0; round < 300; ++round) {
      std::vector<std::byte> bytes(file.begin(), file.begin() + 3 + random() % (file.size() - 3));
      for (unsigned more = random() % 200; more > 0; --more) {
        bytes.push_back(static_cast<std::byte>(random()));
      }
      (void)decode(bytes, "a").ok();
    }
  }
}

// A few bytes that claim a gigapixel must not take gigabytes.
TEST(ImageDamage, ClaimsOutOfProportionAreRefusedBeforeMemoryIsTaken) {
  EXPECT_EQ(refusal(decode(bytes_of("P6 40000 40000 255\nxyz"), "a")),
            "error[I0004]: `a` is damaged: it ends too early");
  std::vector<std::byte> png = *encode(random_image(Sample::u8, 9, 7, 1), Format::png, "");
  // Width in bytes 16 to 19; its checksum covers bytes 12 to 28 and stands behind them.
  png[16] = std::byte{1};
  std::uint32_t crc = 0xFFFFFFFF;
  for (std::size_t i = 12; i < 29; ++i) {
    crc ^= std::to_integer<std::uint32_t>(png[i]);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
  }
  crc = ~crc;
  for (int i = 0; i < 4; ++i) png[29 + i] = static_cast<std::byte>(crc >> (24 - 8 * i));
  EXPECT_EQ(refusal(decode(png, "a")), "error[I0004]: `a` is damaged: it ends too early");
}

}  // namespace
}  // namespace hocket::image
