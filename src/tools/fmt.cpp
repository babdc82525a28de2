// hocket fmt FILE...: files in their usual shape; comments stay where they belong.
#include "text/format.h"

#include "driver/written_text.h"
#include "tools/program.h"
#include "tools/verbs.h"

namespace hocket::tools {

namespace {

struct FmtOptions {
  std::vector<std::string> files;
  bool check = false, print = false;
};

// Whether the file is, or is now, in its usual shape. One that does not parse is left alone.
diag::Result<bool> format_one(const std::string& path, const FmtOptions& o, std::ostream& out) {
  HOCKET_TRY(const std::string before, read_text(path));
  HOCKET_TRY(const text::File file, load_file(path));
  HOCKET_TRY(const std::string after, text::format(before, file.name));
  if (o.print) {
    out << after;
  } else if (after != before && o.check) {
    out << path << "\n";
    return false;
  } else if (after != before) {
    HOCKET_CHECK(driver::write_texts(std::vector<driver::WrittenText>{{path, after}}));
  }
  return true;
}

}  // namespace

Verb add_fmt(CLI::App& verb) {
  auto o = std::make_shared<FmtOptions>();
  verb.add_option("files", o->files, ".hk files")->required();
  verb.add_flag("--check", o->check, "change nothing; exit code 1 where a file is not formatted");
  verb.add_flag("--print", o->print, "print instead of writing the file");
  return [o](Console& console) -> diag::Result<int> {
    bool well = true;
    for (const std::string& path : o->files) {
      const diag::Result<bool> formatted = format_one(path, *o, console.out);
      // One that is refused does not keep the others from being formatted.
      if (!formatted) console.report(formatted.error());
      well = well && formatted && *formatted;
    }
    return well ? 0 : 1;
  };
}

}  // namespace hocket::tools
