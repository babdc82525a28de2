// street_kept FILE...: what the fuzzers once found, judged again by every witness. A file says in
// its first line what is to come out, `# expect: agree` or `# expect: refused R0201`, and holds a
// pipeline with a schedule and `# outputs: [ min+extent ... ] data N`, or procedures with a trace
// and
// `# sizes: [ ... ] data N`, as the fuzzers write them. Exit status 1 where another verdict comes
// out or a file is not read.

#include <cstdio>
#include <fstream>
#include <sstream>

#include "diag/render.h"
#include "judge.h"
#include "judge_program.h"
#include "text/parser.h"

using namespace hocket;

namespace {

// The words behind `# key:`; empty where there is no such line.
std::string comment(const std::string& text, const std::string& key) {
  const size_t at = text.find("# " + key + ":");
  if (at == std::string::npos) return "";
  const size_t from = at + key.size() + 3;
  return text.substr(from, text.find('\n', at) - from);
}

street::Verdict broken(std::string said) {
  return {street::Verdict::Kind::Fail, std::move(said), -1};
}

street::Verdict pipeline(const std::string& text) {
  auto file = text::parse(text, "kept.hk");
  if (!file.ok()) return broken(diag::render_text(file.error()));
  street::Case c;
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
  return street::judge(c);
}

street::Verdict program(const std::string& text) {
  std::string refused;
  street::ProgramCase c = street::parse_program(text, &refused);
  if (!refused.empty()) return broken(refused);
  std::istringstream words(comment(text, "sizes"));
  for (std::string w; words >> w;) {
    if (w == "[")
      c.sizes.emplace_back();
    else if (w == "data")
      words >> c.data;
    else if (w != "]")
      c.sizes.back().push_back(std::stoll(w));
  }
  return street::judge(c);
}

// Verdict in the words of `# expect:`: `agree`, `refused R0201`, `meaningless`, `fail`.
std::string spoken(const street::Verdict& v) {
  static const char* const words[] = {"agree", "refused", "meaningless", "fail"};
  std::string out = words[static_cast<int>(v.kind)];
  if (v.kind == street::Verdict::Kind::Refused) out += " " + v.text.substr(0, v.text.find(':'));
  return out;
}

street::Verdict judged(const char* name, std::string& expected) {
  std::ifstream in(name);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) return broken("cannot be read");
  const std::string words = comment(text.str(), "expect");
  if (words.size() < 2) return broken("no `# expect:`");
  expected = words.substr(1);
  try {
    const bool is_pipeline = !comment(text.str(), "outputs").empty();
    return is_pipeline ? pipeline(text.str()) : program(text.str());
  } catch (const std::exception& e) {
    return broken(e.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool good = argc > 1;
  for (int i = 1; i < argc; ++i) {
    std::string expected = "a verdict";
    const street::Verdict v = judged(argv[i], expected);
    const bool right = v.kind != street::Verdict::Kind::Fail && spoken(v) == expected;
    std::printf("%s: %s %s\n", argv[i], spoken(v).c_str(), v.text.c_str());
    if (!right) std::printf("  FAILS: %s was expected\n", expected.c_str());
    good = good && right;
  }
  return good ? 0 : 1;
}
