#include "codegen/c/templates.h"

#include <cctype>

#include "codegen/common/words.h"
#include "ir/visit.h"
#include "support/strings.h"

namespace hocket::codegen {

namespace {

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// `{src_data}` is a place for an argument and no word of the text.
void add_words(const std::string& text, std::unordered_set<std::string>& words) {
  for (size_t i = 0; i < text.size();) {
    const size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
    if (end != std::string::npos && is_c_identifier(text.substr(i + 1, end - i - 1))) {
      i = end + 1;
      continue;
    }
    size_t past = i;
    while (past < text.size() && is_letter(text[past])) ++past;
    if (past == i) {
      ++i;
      continue;
    }
    const std::string word = text.substr(i, past - i);
    if (is_c_identifier(word)) words.insert(word);
    i = past;
  }
}

}  // namespace

void add_template_words(const ir::Proc& proc, std::unordered_set<std::string>& words) {
  if (proc.instr) {
    add_words(proc.instr->c_template, words);
    for (const std::string& line : support::split_lines(proc.instr->c_global))
      if (!support::trim(line).starts_with("#include")) add_words(line, words);
    return;
  }
  ir::for_each_stmt(proc.body, [&](const ir::Stmt& s) {
    if (const auto* c = s.as<ir::CallStmt>()) add_template_words(*c->callee, words);
    return true;
  });
}

}  // namespace hocket::codegen
