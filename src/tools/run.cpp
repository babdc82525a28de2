// hocket run FILE IMAGE... -o OUT: a pipeline on image files; a loop program on random numbers.
//
// A pipeline over (x, y) is run once per channel, one over (x, y, c) once for the whole image. The
// output is as large as the input allows: what its points read has to be there. With --pad the
// output is as large as the image, whose edge is repeated as far as it is read.
#include <algorithm>
#include <iomanip>

#include "diag/kinds_driver.h"
#include "driver/callable.h"
#include "tools/door.h"
#include "tools/loop_run.h"
#include "tools/pictures.h"
#include "tools/program.h"
#include "tools/scalars.h"
#include "tools/verbs.h"

namespace hocket::tools {

using diag::Diagnostic;
using diag::Result;
using driver::Callable;
namespace kind = diag::kind;

namespace {

struct RunOptions {
  ProgramOptions program;
  std::vector<std::string> images, set;
  std::string out;
  bool pad = false, strict = false;
};

// A box of the output or of an input, x and y only.
struct Box {
  int64_t min[2] = {0, 0}, extent[2] = {0, 0};
  int64_t end(int d) const { return min[d] + extent[d]; }
};

class PictureRun {
 public:
  PictureRun(const Program& program, const Callable& code, const RunOptions& options)
      : program_(program), code_(code), options_(options), meta_(*code.metadata()) {}

  Result<int> go(Console& console) {
    HOCKET_CHECK(read());
    HOCKET_CHECK(choose_box());
    const hocket_argument_t& out = meta_.arguments[outputs_.front()];
    const int channels = images_.empty() ? 1 : images_.front().channels;
    const image::Sample sample = images_.empty() ? image::Sample::u8 : images_.front().sample;
    image::Image result(sample, box_.extent[0], box_.extent[1], channels);
    double ms = 0;
    for (int c = out.dimensions == 3 ? -1 : 0; c < (out.dimensions == 3 ? 0 : channels); ++c) {
      HOCKET_TRY(Plane plane, run_channel(c, ms));
      store_plane(plane, result, c);
    }
    HOCKET_CHECK(image::save(result, options_.out));
    console.out << options_.out << ": " << result.width << " x " << result.height;
    if (channels > 1) console.out << ", " << channels << " channels";
    console.out << ", " << std::fixed << std::setprecision(2) << ms << " ms\n";
    return 0;
  }

 private:
  Result<void> read() {
    std::vector<std::string> names;
    const ir::PipelineEntry& entry = *code_.artifact().flat->entry;
    for (int i = 0; i < meta_.num_arguments; ++i) {
      const hocket_argument_t& a = meta_.arguments[i];
      if (a.kind == HOCKET_ARGUMENT_INPUT) inputs_.push_back(i);
      if (a.kind == HOCKET_ARGUMENT_OUTPUT) outputs_.push_back(i);
      if (a.kind == HOCKET_ARGUMENT_SCALAR) {
        names.push_back(a.name);
      } else if (a.dimensions != 2 && a.dimensions != 3) {
        return Diagnostic(kind::image_rank)
            .arg("argument", std::string(a.name))
            .arg("rank", static_cast<int64_t>(a.dimensions));
      }
    }
    const Scalars given(options_.set);
    HOCKET_CHECK(given.check_names(program_.name, names));
    scalars_.resize(static_cast<size_t>(meta_.num_arguments));
    for (size_t i = 0; i < entry.args.size(); ++i)
      if (entry.args[i].kind == ir::EntryArg::Kind::Scalar) {
        HOCKET_TRY(scalars_[i],
                   given.bits(program_.name, entry.args[i].sym, entry.args[i].default_value));
      }
    if (inputs_.size() != options_.images.size() || outputs_.size() != 1)
      return Diagnostic(kind::wrong_images)
          .arg("program", program_.name)
          .arg("needed", std::to_string(inputs_.size()) + " image(s) and gives " +
                             std::to_string(outputs_.size()) + ", of which one file is written")
          .arg("given", static_cast<int64_t>(options_.images.size()));
    for (const std::string& path : options_.images) {
      HOCKET_TRY(image::Image im, image::load(path));
      images_.push_back(std::move(im));
    }
    return {};
  }

  // What input `k` has to hold for an output box: a bounds query.
  Result<Box> needed(size_t k, const Box& output) {
    std::vector<Plane> planes(static_cast<size_t>(meta_.num_arguments));
    std::vector<void*> args;
    for (int i = 0; i < meta_.num_arguments; ++i) {
      const hocket_argument_t& a = meta_.arguments[i];
      Plane& p = planes[static_cast<size_t>(i)];
      if (a.kind == HOCKET_ARGUMENT_SCALAR) {
        args.push_back(&scalars_[static_cast<size_t>(i)]);
        continue;
      }
      const image::Image& im = images_.front();
      const Box whole{{0, 0}, {im.width, im.height}};
      const Box& b = a.kind == HOCKET_ARGUMENT_OUTPUT ? output : whole;
      p.dims = {{b.min[0], b.extent[0], 1}, {b.min[1], b.extent[1], b.extent[0]}};
      if (a.dimensions == 3) p.dims.push_back({0, im.channels, b.extent[0] * b.extent[1]});
      p.buffer.type = a.type;
      p.address()->host = nullptr;  // a query
      args.push_back(&p.buffer);
    }
    HOCKET_CHECK(code_.run(args));
    const std::vector<hocket_dim_t>& d = planes[static_cast<size_t>(inputs_[k])].dims;
    return Box{{d[0].min, d[1].min}, {d[0].extent, d[1].extent}};
  }

  // The output's box, and how far every input has to be padded.
  Result<void> choose_box() {
    if (images_.empty()) {
      box_ = {{0, 0}, {256, 256}};
      return {};
    }
    const image::Image& im = images_.front();
    box_ = {{0, 0}, {im.width, im.height}};
    pads_.resize(inputs_.size());
    for (int round = 0; round < 8; ++round) {
      int64_t low[2] = {0, 0}, high[2] = {0, 0};
      for (size_t k = 0; k < inputs_.size(); ++k) {
        HOCKET_TRY(const Box n, needed(k, box_));
        const int64_t size[2] = {images_[k].width, images_[k].height};
        for (int d = 0; d < 2; ++d) {
          pads_[k].low[d] = std::max<int64_t>(0, -n.min[d]);
          pads_[k].high[d] = std::max<int64_t>(0, n.end(d) - size[d]);
          low[d] = std::max(low[d], pads_[k].low[d]);
          high[d] = std::max(high[d], pads_[k].high[d]);
        }
      }
      if (options_.pad || (low[0] | low[1] | high[0] | high[1]) == 0) return {};
      for (int d = 0; d < 2; ++d) {
        box_.min[d] += low[d];
        box_.extent[d] -= low[d] + high[d];
        if (box_.extent[d] <= 0) return too_small(im);
      }
    }
    return too_small(im);
  }

  Diagnostic too_small(const image::Image& im) const {
    return Diagnostic(kind::nothing_fits)
        .arg("program", program_.name)
        .arg("size", std::to_string(im.width) + " x " + std::to_string(im.height))
        .help("--pad");
  }

  Result<Plane> run_channel(int c, double& ms) {
    std::vector<Plane> planes(static_cast<size_t>(meta_.num_arguments));
    std::vector<void*> args;
    size_t k = 0;
    for (int i = 0; i < meta_.num_arguments; ++i) {
      const hocket_argument_t& a = meta_.arguments[i];
      Plane& p = planes[static_cast<size_t>(i)];
      if (a.kind == HOCKET_ARGUMENT_SCALAR) {
        args.push_back(&scalars_[static_cast<size_t>(i)]);
        continue;
      }
      if (a.kind == HOCKET_ARGUMENT_INPUT) {
        const image::Image& im = images_[k];
        const Pad pad = options_.pad ? pads_[k] : Pad{};
        const int channel = a.dimensions == 3 ? -1 : std::min(std::max(c, 0), im.channels - 1);
        p = plane_of(im, channel, a.type, pad.low[0], pad.high[0], pad.low[1], pad.high[1]);
        ++k;
      } else {
        std::vector<hocket_dim_t> dims = {{box_.min[0], box_.extent[0], 1},
                                          {box_.min[1], box_.extent[1], 1}};
        if (a.dimensions == 3)
          dims.push_back({0, images_.empty() ? 1 : images_.front().channels, 1});
        p = Plane::make(a.type, dims);
      }
      args.push_back(p.address());
    }
    const auto start = std::chrono::steady_clock::now();
    HOCKET_CHECK(code_.run(args));
    ms +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return std::move(planes[static_cast<size_t>(outputs_.front())]);
  }

  struct Pad {
    int64_t low[2] = {0, 0}, high[2] = {0, 0};
  };
  const Program& program_;
  const Callable& code_;
  const RunOptions& options_;
  const hocket_metadata_t& meta_;
  std::vector<int> inputs_, outputs_;
  std::vector<uint64_t> scalars_;
  std::vector<image::Image> images_;
  std::vector<Pad> pads_;
  Box box_;
};

}  // namespace

Verb add_run(CLI::App& verb) {
  auto o = std::make_shared<RunOptions>();
  add_program_options(verb, o->program);
  verb.add_option("images", o->images, "image files (PNG, PGM, PPM), one per input");
  verb.add_option("-o,--output", o->out, "the image file to write");
  verb.add_option("--set", o->set, "NAME=VALUE of a parameter or size");
  verb.add_flag("--pad", o->pad, "repeat the image's edge, so that the output keeps its size");
  add_strict_option(verb, o->strict);
  return [o](Console& console) -> Result<int> {
    HOCKET_TRY(Program program, load_program(o->program));
    HOCKET_TRY(const std::optional<driver::Source> source,
               judged(program.source, program.options, o->strict, console));
    if (!source) return 1;
    HOCKET_TRY(Callable code, Callable::make(*source, program.options));
    for (const Diagnostic& w : code.artifact().warnings) console.report(w);
    if (!program.is_pipeline()) return run_loop_program(code, Scalars(o->set), console);
    if (o->out.empty())
      return Diagnostic(kind::wrong_images)
          .arg("program", program.name)
          .arg("needed", std::string("a file for its output"))
          .arg("given", std::string("none"))
          .help("-o out.png");
    return PictureRun(program, code, *o).go(console);
  };
}

}  // namespace hocket::tools
