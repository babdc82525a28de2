#include "judge.h"

#include <vector>

#include "diag/kinds_target.h"
#include "diag/render.h"
#include "ir/equal.h"
#include "ir/verify.h"
#include "support/strings.h"
#include "text/parser.h"

namespace hocket::text::fuzz {

namespace {

std::string outside(const support::Place& place, const std::vector<std::string>& lines) {
  const std::string where = std::to_string(place.line) + ":" + std::to_string(place.column);
  // One line more than there are: the end of the text, after its last line end.
  if (place.line < 1 || place.line > static_cast<int>(lines.size()) + 1) return "line of " + where;
  const size_t width = place.line <= static_cast<int>(lines.size())
                           ? lines[static_cast<size_t>(place.line - 1)].size()
                           : 0;
  if (place.column < 1 || place.column > static_cast<int>(width) + 1) return "column of " + where;
  return place.end_column > place.column ? "" : "end of " + where;
}

std::string refusal(const diag::Diagnostic& d, const std::string& text) {
  std::vector<std::string> lines = {""};
  for (char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  const std::string message = d.message();
  if (std::string bad = outside(d.place, lines); !bad.empty()) return bad + " of: " + message;
  for (const diag::Label& l : d.labels)
    if (std::string bad = outside(l.place, lines); !bad.empty()) return bad + " of: " + l.text;
  // The parser asks the target for the memories that there are.
  if (d.kind->code[0] != 'P' && !d.is(diag::kind::unknown_memory))
    return "not of the parser: " + message;
  // An argument that nobody gave shows as its name in angle brackets.
  for (size_t at = 0; (at = d.kind->message.find('{', at)) != std::string_view::npos; ++at) {
    const size_t end = d.kind->message.find('}', at);
    const std::string gap = "<" + std::string(d.kind->message.substr(at + 1, end - at - 1)) + ">";
    if (message.find(gap) != std::string::npos && text.find(gap) == std::string::npos)
      return "a gap in: " + message;
  }
  if (diag::render_text(d).empty() || diag::render_json(d, false).empty()) return "no words";
  return "";
}

bool same(const Item& a, const Item& b) {
  if (a.value.index() != b.value.index()) return false;
  if (const auto* x = std::get_if<ir::AlgorithmRef>(&a.value))
    return ir::equal(**x, *std::get<ir::AlgorithmRef>(b.value));
  if (const auto* s = std::get_if<ir::Schedule>(&a.value))
    return ir::equal(*s, std::get<ir::Schedule>(b.value));
  if (const auto* p = std::get_if<ir::ProcRef>(&a.value))
    return ir::equal(**p, *std::get<ir::ProcRef>(b.value));
  return ir::equal(std::get<ir::Trace>(a.value), std::get<ir::Trace>(b.value));
}

std::string reading(const File& file) {
  for (const ir::AlgorithmRef& a : file.pipelines())
    if (diag::Result<void> ok = ir::verify(*a); !ok.ok())
      return "breaks an invariant: " + ok.error().message();
  for (const ir::ProcRef& p : file.procs())
    if (diag::Result<void> ok = ir::verify(*p); !ok.ok())
      return "breaks an invariant: " + ok.error().message();
  const std::string printed = to_text(file);
  diag::Result<File> again = parse(printed, "printed.hk");
  if (!again.ok()) return "printed text is refused: " + diag::render_text(again.error()) + printed;
  if (again->items.size() != file.items.size()) return "printed text has other items: " + printed;
  for (size_t i = 0; i < file.items.size(); ++i)
    if (!same(file.items[i], again->items[i])) return "printed text differs: " + printed;
  if (to_text(*again) != printed) return "printed text prints differently: " + printed;
  return "";
}

}  // namespace

std::string complaint(const std::string& text) {
  diag::Result<File> file = parse(text, "fuzz.hk");
  return file.ok() ? reading(*file) : refusal(file.error(), text);
}

}  // namespace hocket::text::fuzz
