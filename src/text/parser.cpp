#include "text/parser.h"

#include <map>

#include "diag/kinds_parse.h"
#include "ir/print.h"
#include "text/loops.h"
#include "text/pipelines.h"
#include "text/schedules.h"
#include "text/syntax_parser.h"

namespace hocket::text {

namespace {

using diag::Diagnostic;

// One name may stand for a pipeline, a schedule, a proc and a trace, but for no two of a kind.
Result<void> check_names(const std::vector<ItemSyntax>& items, const Source& source) {
  std::map<std::pair<ItemKind, std::string>, Spot> seen;
  for (const ItemSyntax& i : items) {
    auto [first, is_new] = seen.emplace(std::pair(i.kind, i.name.name), i.name.spot);
    if (!is_new)
      return Diagnostic(diag::kind::defined_twice, source.place(i.name.spot))
          .arg("name", i.name.name)
          .label(source.place(first->second), "`" + i.name.name + "` is defined here first");
  }
  return {};
}

const ir::Algorithm* find_last(const std::vector<ir::AlgorithmRef>& list, const std::string& name) {
  for (auto a = list.rbegin(); a != list.rend(); ++a)
    if ((*a)->name == name) return a->get();
  return nullptr;
}

Result<Item> elaborate(const ItemSyntax& i, const Source& source, const LoopContext& context) {
  Item item;
  item.place = source.place(i.spot);
  switch (i.kind) {
    case ItemKind::Pipeline: {
      // Done before, since schedules and procs may stand above their pipeline.
      break;
    }
    case ItemKind::Schedule: {
      HOCKET_TRY(item.value,
                 elaborate_schedule(i, source, find_last(context.pipelines, i.of.name)));
      break;
    }
    case ItemKind::Proc: {
      Result<ir::ProcRef> proc = elaborate_proc(i, source, context);
      if (!proc.ok()) {
        return std::move(proc).take_failure();
      }
      item.value = std::move(proc).value();
      break;
    }
    case ItemKind::Trace: {
      HOCKET_TRY(item.value, elaborate_trace(i, source));
      break;
    }
  }
  return item;
}

template <class T>
const T* find(const File& file, std::string_view name, std::string_view (*name_of)(const T&)) {
  for (const Item& i : file.items) {
    const T* t = std::get_if<T>(&i.value);
    if (t && name_of(*t) == name) return t;
  }
  return nullptr;
}

}  // namespace

diag::Result<File> parse(std::string_view text, std::string file_name, const Known& known) {
  File file;
  file.name = file_name;
  file.source = text;
  const Source source(file.source, std::move(file_name));
  HOCKET_TRY(Tokens tokens, lex(source));
  HOCKET_TRY(std::vector<ItemSyntax> items, SyntaxParser(source, tokens).file());
  HOCKET_CHECK(check_names(items, source));
  LoopContext context{known.procs, known.pipelines};
  std::vector<ir::AlgorithmRef> own;
  for (const ItemSyntax& i : items) {
    if (i.kind != ItemKind::Pipeline) continue;
    HOCKET_TRY(ir::AlgorithmRef a, elaborate_pipeline(i, source));
    own.push_back(a);
    context.pipelines.push_back(std::move(a));
  }
  size_t next = 0;
  for (const ItemSyntax& i : items) {
    if (i.kind == ItemKind::Pipeline) {
      file.items.push_back({own[next++], source.place(i.spot)});
      continue;
    }
    HOCKET_TRY(Item item, elaborate(i, source, context));
    if (const auto* p = std::get_if<ir::ProcRef>(&item.value)) context.procs.push_back(*p);
    file.items.push_back(std::move(item));
  }
  file.comments = std::move(tokens.comments);
  return file;
}

ir::AlgorithmRef File::pipeline(std::string_view n) const {
  const auto* a = find<ir::AlgorithmRef>(
      *this, n, [](const ir::AlgorithmRef& x) { return std::string_view(x->name); });
  return a ? *a : nullptr;
}
const ir::Schedule* File::schedule(std::string_view n) const {
  return find<ir::Schedule>(*this, n,
                            [](const ir::Schedule& x) { return std::string_view(x.name); });
}
ir::ProcRef File::proc(std::string_view n) const {
  const auto* p =
      find<ir::ProcRef>(*this, n, [](const ir::ProcRef& x) { return std::string_view(x->name()); });
  return p ? *p : ir::ProcRef();
}
const ir::Trace* File::trace(std::string_view n) const {
  return find<ir::Trace>(*this, n, [](const ir::Trace& x) { return std::string_view(x.name); });
}

std::vector<ir::AlgorithmRef> File::pipelines() const {
  std::vector<ir::AlgorithmRef> out;
  for (const Item& i : items)
    if (const auto* a = std::get_if<ir::AlgorithmRef>(&i.value)) out.push_back(*a);
  return out;
}

std::vector<ir::ProcRef> File::procs() const {
  std::vector<ir::ProcRef> out;
  for (const Item& i : items)
    if (const auto* p = std::get_if<ir::ProcRef>(&i.value)) out.push_back(*p);
  return out;
}

std::string to_text(const File& file) {
  std::string out;
  for (const Item& i : file.items) {
    if (!out.empty()) out += "\n";
    if (const auto* a = std::get_if<ir::AlgorithmRef>(&i.value)) out += ir::to_text(**a);
    if (const auto* s = std::get_if<ir::Schedule>(&i.value)) out += ir::to_text(*s);
    if (const auto* p = std::get_if<ir::ProcRef>(&i.value)) out += ir::to_text_alone(**p);
    if (const auto* t = std::get_if<ir::Trace>(&i.value)) out += ir::to_text(*t);
  }
  return out;
}

}  // namespace hocket::text
