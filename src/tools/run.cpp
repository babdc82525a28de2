// hocket run FILE IMAGE... -o OUT...: a pipeline on image files; a loop program on random numbers.
//
// A pipeline over (x, y) is run once per channel, one over (x, y, c) once for the whole image. Each
// output of two or three dimensions is written to one file; outputs of fewer are printed. The box
// of every output is the largest for which every input has what is read (output_box.h), as far as
// --output-size and --output-min do not name it. With --pad it is as large as the image, whose edge
// is repeated as far as it is read.
#include <algorithm>
#include <filesystem>
#include <iomanip>

#include "diag/kinds_driver.h"
#include "driver/callable.h"
#include "ir/semantics.h"
#include "support/strings.h"
#include "tools/box_choice.h"
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
using ir::EntryArg;
namespace kind = diag::kind;

namespace {

struct RunOptions {
  ProgramOptions program;
  std::vector<std::string> images, set, out;
  BoxWords box;
  int64_t depth = 0;  // bits of the samples that are written; 0: as those that are read
  bool strict = false;
};

class PictureRun {
 public:
  PictureRun(const Program& program, const Callable& code, const RunOptions& options)
      : program_(program),
        options_(options),
        code_(code),
        meta_(*code.metadata()),
        entry_(*code.artifact().flat->entry) {}

  Result<int> go(Console& console) {
    HOCKET_CHECK(read());
    HOCKET_CHECK(choose_box());
    HOCKET_CHECK(run_channels());
    std::vector<image::Image> files;
    for (size_t k = 0; k < outputs_.size(); ++k)
      if (meta_.arguments[outputs_[k]].dimensions >= 2) files.push_back(std::move(results_[k]));
    HOCKET_CHECK(image::save(files, options_.out));
    size_t file = 0;
    for (size_t k = 0; k < outputs_.size(); ++k) {
      const hocket_argument_t& a = meta_.arguments[outputs_[k]];
      if (a.dimensions < 2) {
        const Plane& p = numbers_[k];
        std::vector<int64_t> extents;
        for (const hocket_dim_t& d : p.dims) extents.push_back(d.extent);
        const ir::Type type = entry_.args[static_cast<size_t>(outputs_[k])].sym.type();
        print_numbers(console.out, a.name, type, extents, p.bytes.data());
        continue;
      }
      const std::string& path = options_.out[file];
      const image::Image& result = files[file++];
      console.out << path << ": " << result.width << " x " << result.height;
      if (result.channels > 1) console.out << ", " << result.channels << " channels";
      console.out << ", " << std::fixed << std::setprecision(2) << ms_ << " ms\n";
      if (cut_[k].here > 0) console.report(samples_cut(a.name, result, cut_[k]));
    }
    return 0;
  }

 private:
  static Diagnostic samples_cut(const std::string& output, const image::Image& file,
                                const Cut& cut) {
    const bool wide = file.sample == image::Sample::u16;
    Diagnostic w(kind::samples_cut);
    w.arg("output", output).arg("count", cut.here);
    w.arg("all", int64_t{file.width} * file.height * file.channels);
    w.arg("bits", int64_t{wide ? 16 : 8}).arg("most", int64_t{wide ? 65535 : 255});
    if (!wide && cut.wide < cut.here) w.help("--depth 16");
    return w;
  }

  Result<void> read() {
    std::vector<std::string> names;
    size_t files = 0;
    for (int i = 0; i < meta_.num_arguments; ++i) {
      const hocket_argument_t& a = meta_.arguments[i];
      if (a.kind == HOCKET_ARGUMENT_SCALAR) {
        names.emplace_back(a.name);
        continue;
      }
      const bool input = a.kind == HOCKET_ARGUMENT_INPUT;
      (input ? inputs_ : outputs_).push_back(i);
      files += !input && a.dimensions >= 2 ? 1 : 0;
      if (a.dimensions > 3 || (input && a.dimensions < 2))
        return Diagnostic(kind::image_rank)
            .arg("argument", std::string(a.name))
            .arg("rank", static_cast<int64_t>(a.dimensions));
    }
    HOCKET_CHECK(read_scalars(names));
    if (files != options_.out.size()) {
      Diagnostic e(kind::wrong_images);
      e.arg("program", program_.name)
          .arg("needed", support::counted(files, "file") + " for its output" +
                             (outputs_.size() == 1 ? "" : "s"))
          .arg("given", static_cast<int64_t>(options_.out.size()));
      std::string help = "-o";
      for (size_t k = 0; k < files; ++k)
        help += k == 0 ? " out.png" : " -o out" + std::to_string(k + 1) + ".png";
      if (files > 0) e.help(help);
      if (files < outputs_.size()) e.note("outputs of one dimension are printed");
      return e;
    }
    std::vector<std::filesystem::path> files_named;
    for (const std::string& path : options_.out) {
      std::error_code unknown;
      const std::filesystem::path meant = std::filesystem::weakly_canonical(path, unknown);
      if (std::find(files_named.begin(), files_named.end(), meant) != files_named.end())
        return Diagnostic(kind::bad_option)
            .arg("option", std::string("-o"))
            .arg("takes", std::string("a file of its own for every output"))
            .arg("given", "`" + path + "` once more");
      files_named.push_back(meant);
    }
    if (inputs_.size() != options_.images.size())
      return Diagnostic(kind::wrong_images)
          .arg("program", program_.name)
          .arg("needed", support::counted(inputs_.size(), "image"))
          .arg("given", static_cast<int64_t>(options_.images.size()));
    for (size_t k = 0; k < inputs_.size(); ++k) {
      const std::string& path = options_.images[k];
      const hocket_argument_t& a = meta_.arguments[inputs_[k]];
      HOCKET_TRY(image::Image im, image::load(path));
      HOCKET_CHECK(check_samples(im, path, a.name, a.type));
      std::vector<int64_t> extents = {im.width, im.height};
      if (a.dimensions == 3) extents.push_back(im.channels);
      given_.inputs[a.name] = std::move(extents);
      images_.push_back(std::move(im));
    }
    return {};
  }

  Result<void> read_scalars(const std::vector<std::string>& names) {
    const Scalars given(options_.set);
    HOCKET_CHECK(given.check_names(program_.name, names));
    scalars_.resize(static_cast<size_t>(meta_.num_arguments));
    for (size_t i = 0; i < entry_.args.size(); ++i) {
      const EntryArg& a = entry_.args[i];
      if (a.kind != EntryArg::Kind::Scalar) continue;
      HOCKET_TRY(scalars_[i], given.bits(program_.name, a.sym, a.default_value));
      if (!a.sym.type().is_float())
        given_.scalars[a.sym.name()] = ir::load_bytes(a.sym.type(), &scalars_[i]).i;
    }
    return {};
  }

  // The outputs' boxes, and how far every input has to be padded.
  Result<void> choose_box() {
    std::vector<int64_t> picture;
    if (!images_.empty()) picture = {images_[0].width, images_[0].height, images_[0].channels};
    HOCKET_TRY(boxes_, choose_boxes(program_, entry_, given_, picture, options_.box));
    pads_.resize(inputs_.size());
    Regions scheduled(entry_, given_);
    for (const int k : outputs_)
      box_of_.push_back(scheduled.output_of(entry_.args[static_cast<size_t>(k)]));
    if (options_.box.pad) pad(scheduled);
    return {};
  }

  void pad(Regions& scheduled) {
    for (size_t k = 0; k < inputs_.size(); ++k) {
      const auto need = scheduled.needed(entry_.args[static_cast<size_t>(inputs_[k])], boxes_);
      const int64_t size[2] = {images_[k].width, images_[k].height};
      for (size_t d = 0; d < 2 && d < need.size(); ++d) {
        if (!need[d] || need[d]->max < need[d]->min) continue;
        pads_[k].low[d] = std::max<int64_t>(0, -need[d]->min);
        pads_[k].high[d] = std::max<int64_t>(0, need[d]->max - size[d] + 1);
      }
    }
  }

  const Box& box(size_t k) const { return boxes_[box_of_[k]]; }  // of output `k`

  // Channels of output `k`: those of the box, or of the image where it is run once for each.
  int channels_of(size_t k) const {
    if (meta_.arguments[outputs_[k]].dimensions == 3) return static_cast<int>(box(k).extent[2]);
    return passes();
  }

  // A pipeline over (x, y) is run once for every channel of its images.
  int passes() const {
    int most = 1;
    for (size_t k = 0; k < inputs_.size(); ++k)
      if (meta_.arguments[inputs_[k]].dimensions == 2) most = std::max(most, images_[k].channels);
    return most;
  }

  // Files have the depth that was asked for, or that of the deepest image; without one that of u16.
  bool is_wide(const hocket_argument_t& output) const {
    if (options_.depth != 0) return options_.depth == 16;
    if (images_.empty()) return output.type.code == HOCKET_TYPE_UINT && output.type.bits == 16;
    return std::any_of(images_.begin(), images_.end(), [](const image::Image& image) {
      return image.sample == image::Sample::u16;
    });
  }

  Result<void> run_channels() {
    results_.resize(outputs_.size());
    cut_.resize(outputs_.size());
    numbers_.resize(outputs_.size());
    bool flat = false;  // some output has no channels of its own
    for (size_t k = 0; k < outputs_.size(); ++k) {
      const hocket_argument_t& a = meta_.arguments[outputs_[k]];
      flat = flat || a.dimensions < 3;
      if (a.dimensions < 2) continue;
      const int64_t count = channels_of(k);
      if (count < 1 || count > 4)
        return Diagnostic(kind::image_rank)
            .arg("argument", std::string(a.name))
            .arg("rank", static_cast<int64_t>(a.dimensions))
            .note("an image has 1 to 4 channels, not " + std::to_string(count));
      const image::Sample sample = is_wide(a) ? image::Sample::u16 : image::Sample::u8;
      results_[k] =
          image::Image(sample, box(k).extent[0], box(k).extent[1], static_cast<int>(count));
    }
    for (int c = 0; c < (flat ? passes() : 1); ++c) HOCKET_CHECK(run_channel(c));
    return {};
  }

  Result<void> run_channel(int c) {
    std::vector<Plane> planes(static_cast<size_t>(meta_.num_arguments));
    std::vector<void*> args;
    size_t k = 0, o = 0;
    for (int i = 0; i < meta_.num_arguments; ++i) {
      const hocket_argument_t& a = meta_.arguments[i];
      Plane& p = planes[static_cast<size_t>(i)];
      const std::string what = "`" + std::string(a.name) + "`";
      if (a.kind == HOCKET_ARGUMENT_SCALAR) {
        args.push_back(&scalars_[static_cast<size_t>(i)]);
        continue;
      }
      if (a.kind == HOCKET_ARGUMENT_INPUT) {
        const image::Image& im = images_[k];
        const int channel = a.dimensions == 3 ? -1 : std::min(c, im.channels - 1);
        HOCKET_TRY(p, plane_of(what, im, channel, a.type, pads_[k]));
        ++k;
      } else {
        std::vector<hocket_dim_t> dims;
        const Box& its = box(o++);
        for (size_t d = 0; d < its.rank(); ++d) dims.push_back({its.min[d], its.extent[d], 1});
        HOCKET_TRY(p, Plane::make(what, a.type, dims));
      }
      args.push_back(p.address());
    }
    const auto start = std::chrono::steady_clock::now();
    HOCKET_CHECK(code_.run(args));
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    ms_ += spent.count();
    for (size_t out = 0; out < outputs_.size(); ++out) {
      const int rank = meta_.arguments[outputs_[out]].dimensions;
      Plane& p = planes[static_cast<size_t>(outputs_[out])];
      if (rank >= 2) cut_[out] += store_plane(p, results_[out], rank == 3 ? -1 : c);
      if (rank < 2 && c == 0) numbers_[out] = std::move(p);
    }
    return {};
  }

  const Program& program_;
  const RunOptions& options_;
  const Callable& code_;
  const hocket_metadata_t& meta_;
  const ir::PipelineEntry& entry_;
  std::vector<int> inputs_, outputs_;
  std::vector<uint64_t> scalars_;
  std::vector<image::Image> images_, results_;
  std::vector<Cut> cut_;  // values of each output that its file cannot hold
  std::vector<Plane> numbers_;
  std::vector<Pad> pads_;
  Given given_;
  Boxes boxes_;
  std::vector<size_t> box_of_;  // which of them an output has
  double ms_ = 0;
};

}  // namespace

Verb add_run(CLI::App& verb) {
  auto o = std::make_shared<RunOptions>();
  add_program_options(verb, o->program);
  verb.add_option("images", o->images, "image files (PNG, PGM, PPM), one per input");
  verb.add_option("-o,--output", o->out, "the image file to write; once for every output")
      ->allow_extra_args(false);
  verb.add_option("--set", o->set, "NAME=VALUE of a parameter or size")->allow_extra_args(false);
  verb.add_option("--output-size", o->box.size,
                  "extents of the outputs, as 640x480, or f=640x480 of one; else what fits")
      ->allow_extra_args(false);
  verb.add_option("--output-min", o->box.min,
                  "least coordinates of the outputs, as 0,0, or f=0,0 of one; else what fits")
      ->allow_extra_args(false);
  verb.add_flag("--pad", o->box.pad,
                "repeat the image's edge, so that the output keeps its size as far as tiles fit");
  verb.add_option("--depth", o->depth, "8 or 16 bits a sample in the files; else as the images");
  add_strict_option(verb, o->strict);
  return [o](Console& console) -> Result<int> {
    if (o->depth != 0 && o->depth != 8 && o->depth != 16)
      return Diagnostic(kind::bad_option)
          .arg("option", std::string("--depth"))
          .arg("takes", std::string("8 or 16"))
          .arg("given", o->depth);
    HOCKET_TRY(Program program, load_program(o->program));
    if (!program.is_pipeline() && (!o->images.empty() || !o->out.empty()))
      return Diagnostic(kind::wrong_images)
          .arg("program", program.name)
          .arg("needed", std::string("no image files, as it is a loop program"))
          .arg("given", static_cast<int64_t>(o->images.size() + o->out.size()));
    HOCKET_TRY(const std::optional<driver::Source> source,
               judged(program.source, program.options, o->strict, console));
    if (!source) return 1;
    HOCKET_TRY(Callable code, Callable::make(*source, program.options));
    for (const Diagnostic& w : code.artifact().warnings) console.report(w);
    if (!program.is_pipeline()) return run_loop_program(code, Scalars(o->set), console);
    return PictureRun(program, code, *o).go(console);
  };
}

}  // namespace hocket::tools
