#include "tools/box_choice.h"

#include <algorithm>
#include <charconv>

#include "diag/kinds_driver.h"
#include "tools/plain_loops.h"

namespace hocket::tools {

using diag::Diagnostic;
using diag::Result;
namespace kind = diag::kind;

namespace {

constexpr int64_t kUsual = 256;  // where there is no image to go by

Diagnostic bad_words(const std::string& option, const std::string& takes,
                     const std::string& given) {
  return Diagnostic(kind::bad_option).arg("option", option).arg("takes", takes).arg("given", given);
}

// `f=640x480`: for whom (empty: for all), and the numbers.
struct Numbers {
  std::string name;
  std::vector<int64_t> values;
};
Result<Numbers> numbers_of(const std::string& option, const std::string& word, char between) {
  Numbers out;
  const size_t equal = word.rfind('=');
  if (equal != std::string::npos) out.name = word.substr(0, equal);
  const bool nameless = equal == 0;  // `=640x480`
  const char* at = word.data() + (equal == std::string::npos ? 0 : equal + 1);
  const char* const end = word.data() + word.size();
  while (true) {
    int64_t v = 0;
    const auto [after, error] = std::from_chars(at, end, v);
    const bool whole = !nameless && error == std::errc() && (after == end || *after == between);
    if (!whole) {
      const std::string example = between == 'x' ? "640x480" : "0,0";
      return bad_words(option, "whole numbers as " + example + ", or NAME=" + example,
                       "`" + word + "`");
    }
    out.values.push_back(v);
    if (after == end) return out;
    at = after + 1;
  }
}

std::string joined(const std::vector<int64_t>& numbers, const std::string& between) {
  std::string out;
  for (const int64_t n : numbers) out += (out.empty() ? "" : between) + std::to_string(n);
  return out;
}

class Choice {
 public:
  Choice(const Program& program, const ir::PipelineEntry& entry, const Given& given,
         const std::vector<int64_t>& picture, const BoxWords& words)
      : program_(program),
        algorithm_(*program.source.algorithm),
        given_(given),
        picture_(picture),
        words_(words),
        scheduled_(entry, given) {}

  Result<Boxes> go() {
    for (const ir::Symbol& output : scheduled_.outputs()) HOCKET_CHECK(add_output(output));
    for (const ir::ProcRef& loops : made_) alone_.emplace_back(*loops->entry, given_);
    HOCKET_CHECK(read(words_.size, "--output-size", 'x',
                      [](Wish& w, size_t d, int64_t n) { w.extent[d] = n; }));
    HOCKET_CHECK(
        read(words_.min, "--output-min", ',', [](Wish& w, size_t d, int64_t n) { w.min[d] = n; }));
    Found found = largest_boxes(alone_, scheduled_, wishes_, !words_.pad);
    if (!found.fits) return refusal(found.boxes);
    HOCKET_CHECK(as_wished(found.boxes));
    return std::move(found.boxes);
  }

 private:
  // Without a schedule the entry is exact for single points; alone, for those of one output.
  Result<void> add_output(const ir::Symbol& output) {
    auto alone = std::make_shared<ir::Algorithm>(algorithm_);
    alone->outputs = {output};
    HOCKET_TRY(ir::ProcRef loops, plain_loops(alone, program_.options));
    made_.push_back(std::move(loops));
    Wish wish;
    const size_t rank = algorithm_.find(output)->args.size();
    for (size_t d = 0; d < rank; ++d) {
      int64_t usual = d == 2 ? 1 : kUsual;
      if (rank >= 2 && d < picture_.size()) usual = picture_[d];
      wish.usual.push_back(usual);
    }
    wish.min.resize(rank);
    wish.extent.resize(rank);
    wishes_.push_back(std::move(wish));
    return {};
  }

  template <class Set>
  Result<void> read(const std::vector<std::string>& words, const std::string& option, char between,
                    Set&& set) {
    for (const std::string& word : words) {
      HOCKET_TRY(const Numbers numbers, numbers_of(option, word, between));
      std::vector<std::string> known;
      size_t rank = 0;
      std::vector<Wish*> meant;
      for (size_t u = 0; u < wishes_.size(); ++u) {
        known.push_back(name(u));
        if (!numbers.name.empty() && numbers.name != name(u)) continue;
        meant.push_back(&wishes_[u]);
        rank = std::max(rank, wishes_[u].usual.size());
      }
      if (meant.empty()) return unknown_word("output", numbers.name, known);
      if (numbers.values.size() > rank)
        return bad_words(
            option,
            "at most " + std::to_string(rank) + " numbers, as the output has so many dimensions",
            std::to_string(numbers.values.size()));
      for (size_t d = 0; d < numbers.values.size(); ++d) {
        const int64_t n = numbers.values[d];
        if (between == 'x') HOCKET_CHECK(at_least(option, n, 1));
        for (Wish* w : meant)
          if (d < w->usual.size()) set(*w, d, n);
      }
    }
    return {};
  }

  const std::string& name(size_t u) const { return scheduled_.outputs()[u].name(); }

  // `--output-min 1,1` where it says the same of every output, else once for each.
  std::string option_of(const std::string& option, const std::string& between, const Boxes& boxes,
                        std::vector<int64_t> Box::* numbers) const {
    bool same = true;
    for (const Box& b : boxes) same = same && b.*numbers == boxes.front().*numbers;
    std::string out;
    for (size_t u = 0; u < boxes.size(); ++u) {
      if (boxes[u].rank() == 0 || (same && u > 0)) continue;
      out += (out.empty() ? "" : " ") + option + " " + (same ? "" : name(u) + "=") +
             joined(boxes[u].*numbers, between);
    }
    return out;
  }

  // "output of 20 x 7 at 0,0", as far as it was asked for.
  std::string wished(const Boxes& boxes) const {
    if (words_.size.empty() && words_.min.empty()) return "output";
    if (boxes.size() > 1) return "output as asked for";
    std::string out = "output";
    if (!words_.size.empty()) out += " of " + joined(boxes[0].extent, " x ");
    if (!words_.min.empty()) out += " at " + joined(boxes[0].min, ",");
    return out;
  }

  // What a schedule bounds is what it says, whatever was asked for.
  Result<void> as_wished(const Boxes& boxes) const {
    for (size_t u = 0; u < boxes.size(); ++u) {
      for (size_t d = 0; d < boxes[u].rank(); ++d) {
        const std::optional<int64_t> extent = wishes_[u].extent[d], min = wishes_[u].min[d];
        const bool other = extent && *extent != boxes[u].extent[d];
        if (!other && (!min || *min == boxes[u].min[d])) continue;
        return bad_words(
            other ? "--output-size" : "--output-min",
            "the " + std::string(other ? "size" : "min") + " to which the schedule bounds `" +
                name(u) + "`, " + joined(other ? boxes[u].extent : boxes[u].min, other ? "x" : ","),
            std::to_string(other ? *extent : *min) + " in dimension " + std::to_string(d));
      }
    }
    return {};
  }

  Diagnostic refusal(const Boxes& boxes) {
    std::string size = std::to_string(kUsual);
    if (!picture_.empty()) size = std::to_string(picture_[0]) + " x " + std::to_string(picture_[1]);
    Diagnostic e(kind::nothing_fits);
    e.arg("program", program_.name).arg("size", size).arg("output", wished(boxes));
    const std::vector<std::string> unmet = scheduled_.unmet(boxes);
    for (const std::string& message : unmet) e.note(message);
    for (const Lack& l : scheduled_.lacking(boxes, !words_.pad)) {
      const bool input = given_.inputs.contains(l.argument);
      if (!input && !unmet.empty()) continue;  // that is why
      e.note("`" + l.argument + "` " + (input ? "is read from " : "has to hold ") +
             std::to_string(l.needed.min) + " to " + std::to_string(l.needed.max) +
             " in dimension " + std::to_string(l.dimension) +
             (input ? ", the image holds " : ", it is ") + std::to_string(l.there.min) + " to " +
             std::to_string(l.there.max));
    }
    help(e);
    return e;
  }

  // Words that work: each was tried.
  void help(Diagnostic& e) {
    std::vector<Wish> wishes = wishes_;
    for (Wish& w : wishes) std::fill(w.min.begin(), w.min.end(), std::nullopt);
    if (!words_.min.empty()) {
      const Found placed = largest_boxes(alone_, scheduled_, wishes, !words_.pad);
      if (placed.fits) e.help(option_of("--output-min", ",", placed.boxes, &Box::min));
    }
    wishes = wishes_;
    for (Wish& w : wishes) std::fill(w.extent.begin(), w.extent.end(), std::nullopt);
    if (!words_.size.empty()) {
      const Found sized = largest_boxes(alone_, scheduled_, wishes, !words_.pad);
      if (sized.fits) e.help(option_of("--output-size", "x", sized.boxes, &Box::extent));
    }
    if (!words_.pad && largest_boxes(alone_, scheduled_, wishes_, false).fits) e.help("--pad");
  }

  const Program& program_;
  const ir::Algorithm& algorithm_;
  const Given& given_;
  const std::vector<int64_t>& picture_;
  const BoxWords& words_;
  Regions scheduled_;
  std::vector<ir::ProcRef> made_;  // what alone_ reads
  std::vector<Regions> alone_;
  std::vector<Wish> wishes_;
};

}  // namespace

Result<Boxes> choose_boxes(const Program& program, const ir::PipelineEntry& entry,
                           const Given& given, const std::vector<int64_t>& picture,
                           const BoxWords& words) {
  return Choice(program, entry, given, picture, words).go();
}

}  // namespace hocket::tools
