// Items of a file as syntax: pipelines, schedules, procs and traces with their heads, decorators
// and entries. In: tokens. Out: ItemSyntax with a spot on every part; a refusal at the first token
// that fits nothing. The lines inside are parse_lines.cpp's. Called by: parser.cpp.
#include <utility>

#include "diag/kinds_parse.h"
#include "support/edit_distance.h"
#include "text/syntax_parser.h"

namespace hocket::text {

using diag::Diagnostic;

Result<void> SyntaxParser::range(SyntaxRef& min, SyntaxRef& max) {
  HOCKET_CHECK(expect("["));
  HOCKET_TRY(min, expr());
  HOCKET_CHECK(expect(","));
  HOCKET_TRY(max, expr());
  return expect("]");
}

Result<ParamSyntax> SyntaxParser::param(bool pipeline) {
  ParamSyntax p;
  HOCKET_TRY(p.name, name("the name of a parameter"));
  HOCKET_CHECK(expect(":"));
  if (!pipeline && take("[")) {
    p.window = p.tensor = true;
    HOCKET_TRY(p.type, type());
    HOCKET_CHECK(expect("]"));
    HOCKET_CHECK(expect("["));
    HOCKET_TRY(p.shape, exprs("]"));
  } else {
    HOCKET_TRY(p.type, type());
    if (pipeline && take("(")) {
      p.image = true;
      HOCKET_TRY(p.dims, names(")", "the name of a dimension"));
    } else if (!pipeline && take("[")) {
      p.tensor = true;
      HOCKET_TRY(p.shape, exprs("]"));
    }
  }
  if (!pipeline && take("@")) {
    HOCKET_TRY(p.memory, name("the name of a memory"));
  }
  if (pipeline && !p.image) {
    if (take("=")) {
      HOCKET_TRY(p.value, expr());
    }
    if (take_word("in")) HOCKET_CHECK(range(p.min, p.max));
  }
  return p;
}

Result<void> SyntaxParser::params(ItemSyntax& item, bool pipeline) {
  HOCKET_CHECK(expect("("));
  if (take(")")) return {};
  do {
    if (peek().is(")")) break;  // a comma may close the list
    HOCKET_TRY(ParamSyntax p, param(pipeline));
    item.params.push_back(std::move(p));
  } while (take(","));
  return expect(")", "`,` or `)`");
}

Result<ItemSyntax> SyntaxParser::pipeline() {
  ItemSyntax item;
  item.kind = ItemKind::Pipeline;
  const Token& head = next();
  item.spot = head.spot();
  HOCKET_TRY(item.name, name("the name of the pipeline"));
  HOCKET_CHECK(params(item, true));
  HOCKET_CHECK(expect("->"));
  HOCKET_TRY(item.outputs, one_or_more_names("the name of an output"));
  if (peek().is(",")) return unexpected("`:` (several outputs stand in parentheses)");
  item.strict = take_word("strict");
  HOCKET_TRY(item.body, block(head, &SyntaxParser::definition));
  return item;
}

Result<ItemSyntax> SyntaxParser::schedule_or_trace(ItemKind kind) {
  ItemSyntax item;
  item.kind = kind;
  const Token& head = next();
  item.spot = head.spot();
  HOCKET_TRY(item.name,
             name(kind == ItemKind::Trace ? "the name of the trace" : "the name of the schedule"));
  HOCKET_CHECK(expect_word("for"));
  HOCKET_TRY(item.of, name("a name"));
  HOCKET_TRY(item.body, block(head, &SyntaxParser::chain));
  return item;
}

Result<void> SyntaxParser::decorators(ItemSyntax& item) {
  while (take("@")) {
    const Token& word = peek();
    if (take_word("proc")) {
      HOCKET_CHECK(end_line());
      continue;
    }
    auto bad = [&] { return at(diag::kind::instr_arguments, word); };
    if (word.kind != TokenKind::Name || word.text != "instr")
      return unexpected("`proc` or `instr`");
    next();
    if (item.instr || !take("(") || peek().kind != TokenKind::String) return bad();
    bool has_features = false, has_global = false;
    item.instr.emplace();
    HOCKET_TRY(item.instr->c_template, strings());
    while (take(",")) {
      const Token& key = peek();
      if (key.kind != TokenKind::Name || !peek(1).is("=")) return bad();
      if (key.text != "features" && key.text != "global") {
        Diagnostic d =
            at(diag::kind::unknown_keyword, key).arg("name", shown(key.text)).arg("of", "`@instr`");
        did_you_mean(d, std::string(key.text), {"features", "global"});
        return d;
      }
      bool& given = key.text == "features" ? has_features : has_global;
      if (std::exchange(given, true)) return bad();
      bool features = next().text == "features";
      next();
      if (peek().kind != TokenKind::String) return bad();
      HOCKET_TRY(std::string value, strings());
      (features ? item.instr->features : item.instr->global) = std::move(value);
    }
    if (!take(")")) return bad();
    HOCKET_CHECK(end_line());
  }
  return {};
}

Result<ItemSyntax> SyntaxParser::proc() {
  ItemSyntax item;
  item.kind = ItemKind::Proc;
  item.spot = peek().spot();
  HOCKET_CHECK(decorators(item));
  item.flat = take_word("flat");
  const Token& head = peek();
  HOCKET_CHECK(expect_word("def"));
  HOCKET_TRY(item.name, name("the name of the proc"));
  HOCKET_CHECK(params(item, false));
  item.strict = take_word("strict");
  HOCKET_CHECK(open_block(head));
  if (peek().is_word("entry")) {
    const Token& entry = next();
    HOCKET_TRY(item.entry_name, name("the name of a pipeline"));
    HOCKET_TRY(item.entry, block(entry, &SyntaxParser::entry_line));
  }
  while (peek().kind != TokenKind::Dedent && peek().kind != TokenKind::End) {
    bool only_asserts = item.body.empty() || item.body.back().kind == LineKind::Assert;
    if (only_asserts && take("...")) {
      HOCKET_CHECK(end_line());
      break;
    }
    HOCKET_TRY(Line l, statement());
    item.body.push_back(std::move(l));
  }
  if (peek().kind != TokenKind::Dedent) return unexpected("the end of the block");
  next();
  return item;
}

Result<std::vector<ItemSyntax>> SyntaxParser::file() {
  std::vector<ItemSyntax> items;
  while (peek().kind != TokenKind::End) {
    const Token& t = peek();
    if (t.kind == TokenKind::Indent) return at(diag::kind::unexpected_block, peek(1));
    auto add = [&](Result<ItemSyntax> item) -> Result<void> {
      if (!item.ok()) return std::move(item).take_failure();
      items.push_back(std::move(item).value());
      return {};
    };
    if (t.is_word("pipeline")) {
      HOCKET_CHECK(add(pipeline()));
    } else if (t.is_word("schedule")) {
      HOCKET_CHECK(add(schedule_or_trace(ItemKind::Schedule)));
    } else if (t.is_word("trace")) {
      HOCKET_CHECK(add(schedule_or_trace(ItemKind::Trace)));
    } else if (t.is_word("def") || t.is_word("flat") || t.is("@")) {
      HOCKET_CHECK(add(proc()));
    } else {
      Diagnostic d = at(diag::kind::unknown_item, t).arg("word", shown(t.text));
      std::vector<std::string> words = {"pipeline", "schedule", "def", "trace"};
      for (const std::string& close : support::close_names(t.text, words))
        d.help("did you mean `" + close + "`?");
      return d;
    }
  }
  return items;
}

}  // namespace hocket::text
