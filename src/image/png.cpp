// PNG by libpng: every kind is read (palettes and small depths become 8 bits, a transparent colour
// becomes alpha); 8 and 16 bits, 1 to 4 channels are written.
// libpng reports errors by longjmp, so the functions that call it hold nothing that has a
// destructor; everything they fill belongs to their caller.
#include <png.h>

#include <bit>
#include <csetjmp>
#include <cstring>
#include <utility>

#include "diag/kinds_image.h"
#include "image/formats.h"

namespace hocket::image {

namespace {

using diag::Diagnostic;
using diag::Result;

// A byte of a PNG file stands for at most 1032 bytes of samples (deflate's bound), one bit samples
// count eight to a byte.
constexpr std::int64_t kSamplesPerByte = 1032 * 8;
constexpr int kCompression = 4;  // about twice as fast as zlib's default, a few per cent larger

struct Shape {
  png_uint_32 width, height;
  int depth, channels;
};

// What a libpng callback sees.
struct Stream {
  std::span<const std::byte> in;
  std::vector<std::byte>* out = nullptr;
  char message[128] = {};
};

void on_error(png_structp png, png_const_charp message) {
  Stream* stream = static_cast<Stream*>(png_get_error_ptr(png));
  std::strncpy(stream->message, message, sizeof stream->message - 1);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep to, std::size_t count) {
  Stream* stream = static_cast<Stream*>(png_get_io_ptr(png));
  if (count > stream->in.size()) png_error(png, "it ends too early");
  std::memcpy(to, stream->in.data(), count);
  stream->in = stream->in.subspan(count);
}

void on_write(png_structp png, png_bytep from, std::size_t count) {
  Stream* stream = static_cast<Stream*>(png_get_io_ptr(png));
  const std::byte* bytes = reinterpret_cast<const std::byte*>(from);
  bool full = false;
  try {  // no exception may pass through libpng
    stream->out->insert(stream->out->end(), bytes, bytes + count);
  } catch (...) {
    full = true;
  }
  if (full) png_error(png, "no memory");
}

void on_flush(png_structp) {}

// libpng's two structs, freed at the end of the scope that does not longjmp.
class Reader {
 public:
  explicit Reader(Stream& stream)
      : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &stream, on_error, on_warning)),
        info(png ? png_create_info_struct(png) : nullptr) {
    if (png) png_set_read_fn(png, &stream, on_read);
  }
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  bool ready() const { return png && info; }

  png_structp png;
  png_infop info;
};

class Writer {
 public:
  explicit Writer(Stream& stream)
      : png(png_create_write_struct(PNG_LIBPNG_VER_STRING, &stream, on_error, on_warning)),
        info(png ? png_create_info_struct(png) : nullptr) {
    if (png) png_set_write_fn(png, &stream, on_write, on_flush);
  }
  ~Writer() { png_destroy_write_struct(&png, &info); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  bool ready() const { return png && info; }

  png_structp png;
  png_infop info;
};

bool read_shape(Reader& reader, Shape& shape) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_set_user_limits(reader.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_read_info(reader.png, reader.info);
  png_set_expand(reader.png);  // palettes, small depths, a transparent colour
  if constexpr (std::endian::native == std::endian::little) png_set_swap(reader.png);
  png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  shape.width = png_get_image_width(reader.png, reader.info);
  shape.height = png_get_image_height(reader.png, reader.info);
  shape.depth = png_get_bit_depth(reader.png, reader.info);
  shape.channels = png_get_channels(reader.png, reader.info);
  return true;
}

bool read_rows(Reader& reader, png_bytepp rows) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_read_image(reader.png, rows);
  png_read_end(reader.png, nullptr);
  return true;
}

bool write_rows(Writer& writer, const Shape& shape, png_bytepp rows) {
  static constexpr int kColours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                     PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  if (setjmp(png_jmpbuf(writer.png))) return false;
  png_set_user_limits(writer.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_compression_level(writer.png, kCompression);
  png_set_IHDR(writer.png, writer.info, shape.width, shape.height, shape.depth,
               kColours[shape.channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(writer.png, writer.info);
  if constexpr (std::endian::native == std::endian::little) png_set_swap(writer.png);
  png_write_image(writer.png, rows);
  png_write_end(writer.png, writer.info);
  return true;
}

// From the interleaved rows of the file to planes.
template <class T>
void to_planes(const T* rows, T* planes, std::int64_t pixels, int channels) {
  for (int c = 0; c < channels; ++c) {
    for (std::int64_t i = 0; i < pixels; ++i) planes[c * pixels + i] = rows[i * channels + c];
  }
}

template <class T>
void to_rows(const T* planes, T* rows, std::int64_t pixels, int channels) {
  for (int c = 0; c < channels; ++c) {
    for (std::int64_t i = 0; i < pixels; ++i) rows[i * channels + c] = planes[c * pixels + i];
  }
}

// Samples of 16 bits lie in vectors of bytes, which are aligned for them.
const std::uint16_t* wide(const std::vector<std::byte>& bytes) {
  return reinterpret_cast<const std::uint16_t*>(bytes.data());
}
std::uint16_t* wide(std::vector<std::byte>& bytes) {
  return reinterpret_cast<std::uint16_t*>(bytes.data());
}

std::vector<png_bytep> row_pointers(std::vector<std::byte>& rows, std::int64_t height) {
  std::vector<png_bytep> pointers(static_cast<std::size_t>(height));
  const std::size_t stride = rows.size() / pointers.size();
  for (std::size_t y = 0; y < pointers.size(); ++y) {
    pointers[y] = reinterpret_cast<png_bytep>(rows.data() + y * stride);
  }
  return pointers;
}

}  // namespace

bool is_png(std::span<const std::byte> bytes) {
  static constexpr unsigned char kMagic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  return bytes.size() >= sizeof kMagic && std::memcmp(bytes.data(), kMagic, sizeof kMagic) == 0;
}

Result<Image> decode_png(std::span<const std::byte> bytes, const std::string& name) {
  Stream stream;
  stream.in = bytes;
  Reader reader(stream);
  Shape shape = {};
  if (!reader.ready()) return damaged(name, "libpng cannot start");
  if (!read_shape(reader, shape)) return damaged(name, stream.message);
  HOCKET_TRY(
      Image image,
      make_image(shape.depth == 16 ? Sample::u16 : Sample::u8, shape.width, shape.height,
                 shape.channels, static_cast<std::int64_t>(bytes.size()), kSamplesPerByte, name));
  std::vector<std::byte> rows(image.data.size());
  std::vector<png_bytep> pointers = row_pointers(rows, image.height);
  if (!read_rows(reader, pointers.data())) return damaged(name, stream.message);
  const std::int64_t pixels = image.width * image.height;
  if (image.sample == Sample::u8) {
    to_planes(rows.data(), image.data.data(), pixels, image.channels);
  } else {
    to_planes(wide(std::as_const(rows)), wide(image.data), pixels, image.channels);
  }
  return image;
}

Result<std::vector<std::byte>> encode_png(const Image& image, const std::string& name) {
  std::vector<std::byte> bytes;
  Stream stream;
  stream.out = &bytes;
  Writer writer(stream);
  std::vector<std::byte> rows(image.data.size());
  std::vector<png_bytep> pointers = row_pointers(rows, image.height);
  const std::int64_t pixels = image.width * image.height;
  if (image.sample == Sample::u8) {
    to_rows(image.data.data(), rows.data(), pixels, image.channels);
  } else {
    to_rows(wide(image.data), wide(rows), pixels, image.channels);
  }
  const Shape shape = {static_cast<png_uint_32>(image.width),
                       static_cast<png_uint_32>(image.height), image.sample == Sample::u8 ? 8 : 16,
                       image.channels};
  if (!writer.ready() || !write_rows(writer, shape, pointers.data())) {
    return Diagnostic(diag::kind::image_unwritable)
        .arg("path", name)
        .arg("reason", std::string(writer.ready() ? stream.message : "libpng cannot start"));
  }
  return bytes;
}

}  // namespace hocket::image
