// street_kept FILE...: what the fuzzers once found, judged again by every witness; kept.h says what
// a file holds. Exit status 1 where another verdict comes out or a file is not read.

#include <cstdio>
#include <fstream>
#include <sstream>

#include "kept.h"

using namespace hocket;

namespace {

street::Verdict broken(std::string said) {
  return {street::Verdict::Kind::Fail, std::move(said), -1};
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
  const street::Kept kept = street::read_kept(text.str());
  if (!kept.expected.empty()) expected = kept.expected;
  if (!kept.wrong.empty()) return broken(kept.wrong);
  try {
    return std::visit([](const auto& c) { return street::judge(c); }, kept.value);
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
