// hocket fmt FILE...: files in their usual shape; comments stay where they belong.
#include "diag/kinds_driver.h"
#include "tools/program.h"
#include "tools/verbs.h"
#if __has_include("text/format.h")
#include "text/format.h"
#endif

namespace hocket::tools {

Verb add_fmt(CLI::App& verb) {
  struct Options {
    std::vector<std::string> files;
    bool check = false, print = false;
  };
  auto o = std::make_shared<Options>();
  verb.add_option("files", o->files, ".hk files")->required();
  verb.add_flag("--check", o->check, "change nothing; exit code 1 where a file is not formatted");
  verb.add_flag("--print", o->print, "print instead of writing the file");
  return [o](Console& console) -> diag::Result<int> {
    int code = 0;
    for (const std::string& path : o->files) {
      HOCKET_TRY(std::string before, read_text(path));
      HOCKET_TRY(text::File file, text::parse(before, support::path_below_root(path)));
#if __has_include("text/format.h")
      const std::string after = text::format(file);
#else
      if (!file.comments.empty())
        return diag::Diagnostic(diag::kind::cannot_write)
            .arg("file", path)
            .note("comments cannot be kept yet");
      const std::string after = text::to_text(file);
#endif
      if (o->print) {
        console.out << after;
      } else if (after != before && o->check) {
        console.out << path << "\n";
        code = 1;
      } else if (after != before) {
        HOCKET_CHECK(write_text(path, after));
      }
    }
    return code;
  };
}

}  // namespace hocket::tools
