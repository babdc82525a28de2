// hocket explain CODE: the page behind a message.
#include "diag/explain.h"
#include "tools/verbs.h"

namespace hocket::tools {

Verb add_explain(CLI::App& verb) {
  auto code = std::make_shared<std::string>();
  verb.add_option("code", *code, "as it stands in brackets, S0412")->required();
  return [code](Console& console) -> diag::Result<int> {
    HOCKET_TRY(std::string page, diag::explain(*code));
    console.out << page;
    return 0;
  };
}

}  // namespace hocket::tools
