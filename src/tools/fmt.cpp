// hocket fmt FILE...: files in their usual shape; comments stay where they belong.
#include "text/format.h"

#include "tools/program.h"
#include "tools/verbs.h"

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
      // A file that does not parse is left alone.
      HOCKET_TRY(const text::File file, load_file(path));
      HOCKET_TRY(const std::string after, text::format(before, file.name));
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
