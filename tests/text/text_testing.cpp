#include "text_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/equal.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "testing/source_dir.h"

namespace hocket::text::testing_text {

namespace {
std::filesystem::path folder() {
  return std::filesystem::path(testing::source_dir()) / "tests/text/golden";
}
}  // namespace

std::vector<std::string> sample_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    if (entry.path().extension() == ".hk") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string sample(const std::string& name) {
  std::ifstream in(folder() / name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void expect_refused(const Refused& r) {
  SCOPED_TRACE(r.text.substr(0, 400));
  diag::Result<File> file = parse(r.text, "t.hk");
  ASSERT_FALSE(file.ok());
  const diag::Diagnostic& d = file.error();
  EXPECT_EQ(d.kind->code, r.code);
  EXPECT_EQ(d.message(), r.message);
  EXPECT_EQ(d.place.line, r.line);
  EXPECT_EQ(d.place.column, r.column);
  std::string more;
  const auto add = [&](const std::string& line) { more += (more.empty() ? "" : "\n") + line; };
  for (const diag::Label& l : d.labels)
    add(std::to_string(l.place.line) + ":" + std::to_string(l.place.column) + " " + l.text);
  for (const std::string& help : d.helps) add("help: " + help);
  for (const std::string& note : d.notes) add("note: " + note);
  EXPECT_EQ(more, r.more);
}

void expect_equal(const File& a, const File& b) {
  ASSERT_EQ(a.items.size(), b.items.size());
  for (size_t i = 0; i < a.items.size(); ++i) {
    ASSERT_EQ(a.items[i].value.index(), b.items[i].value.index());
    if (const auto* x = std::get_if<ir::AlgorithmRef>(&a.items[i].value)) {
      const auto& y = std::get<ir::AlgorithmRef>(b.items[i].value);
      EXPECT_TRUE(ir::equal(**x, *y)) << ir::to_text(**x) << ir::to_text(*y);
      EXPECT_EQ(ir::hash(**x), ir::hash(*y));
    } else if (const auto* s = std::get_if<ir::Schedule>(&a.items[i].value)) {
      EXPECT_TRUE(ir::equal(*s, std::get<ir::Schedule>(b.items[i].value))) << ir::to_text(*s);
    } else if (const auto* p = std::get_if<ir::ProcRef>(&a.items[i].value)) {
      const auto& q = std::get<ir::ProcRef>(b.items[i].value);
      EXPECT_TRUE(ir::equal(**p, *q)) << ir::to_text(**p) << ir::to_text(*q);
      EXPECT_EQ(ir::hash(**p), ir::hash(*q));
    } else if (const auto* t = std::get_if<ir::Trace>(&a.items[i].value)) {
      EXPECT_TRUE(ir::equal(*t, std::get<ir::Trace>(b.items[i].value))) << ir::to_text(*t);
    }
  }
}

void expect_verified(const File& f) {
  for (const ir::AlgorithmRef& a : f.pipelines()) {
    diag::Result<void> ok = ir::verify(*a);
    EXPECT_TRUE(ok.ok()) << ok.error().message();
  }
  for (const ir::ProcRef& p : f.procs()) {
    diag::Result<void> ok = ir::verify(*p);
    EXPECT_TRUE(ok.ok()) << ok.error().message();
  }
}

}  // namespace hocket::text::testing_text
