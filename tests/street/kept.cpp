#include "kept.h"

#include <sstream>

#include "diag/render.h"
#include "text/parser.h"

namespace hocket::street {

namespace {

// The words behind `# key:`; empty where there is no such line.
std::string comment(const std::string& text, const std::string& key) {
  const size_t at = text.find("# " + key + ":");
  if (at == std::string::npos) return "";
  const size_t from = at + key.size() + 3;
  return text.substr(from, text.find('\n', at) - from);
}

Case pipeline(const std::string& text, std::string& wrong) {
  Case c;
  auto file = text::parse(text, "kept.hk");
  if (!file.ok()) {
    wrong = diag::render_text(file.error());
    return c;
  }
  c.algorithm = file->pipelines().at(0);
  for (const text::Item& i : file->items)
    if (const auto* s = std::get_if<ir::Schedule>(&i.value)) c.schedule = *s;
  std::istringstream words(comment(text, "outputs"));
  for (std::string w; words >> w;) {
    if (w == "[") c.outputs.emplace_back();
    if (w == "[" || w == "]") continue;
    if (w == "data") {
      words >> c.data;
      continue;
    }
    std::istringstream pair(w);
    int64_t min = 0, extent = 0;
    char plus = 0;
    pair >> min >> plus >> extent;
    c.outputs.back().emplace_back(min, extent);
  }
  return c;
}

ProgramCase program(const std::string& text, std::string& wrong) {
  ProgramCase c = parse_program(text, &wrong);
  if (!wrong.empty()) return c;
  std::istringstream words(comment(text, "sizes"));
  for (std::string w; words >> w;) {
    if (w == "[")
      c.sizes.emplace_back();
    else if (w == "data")
      words >> c.data;
    else if (w != "]")
      c.sizes.back().push_back(std::stoll(w));
  }
  return c;
}

}  // namespace

Kept read_kept(const std::string& text) {
  Kept out;
  const std::string words = comment(text, "expect");
  if (words.size() < 2) {
    out.wrong = "no `# expect:`";
    return out;
  }
  out.expected = words.substr(1);
  try {
    if (!comment(text, "outputs").empty())
      out.value = pipeline(text, out.wrong);
    else
      out.value = program(text, out.wrong);
  } catch (const std::exception& e) {
    out.wrong = e.what();
  }
  return out;
}

}  // namespace hocket::street
