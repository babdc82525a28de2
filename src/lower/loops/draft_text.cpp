#include "lower/loops/draft_text.h"

#include "ir/print.h"

namespace hocket::lower::loops {

using namespace ir;

namespace {

std::string end(const Expr& e) {
  return e.defined() ? to_text(e) : "unbounded";
}

std::string regions(const FuncNest& n, const Box& box) {
  std::string out;
  for (size_t d = 0; d < box.size(); ++d)
    out += "  " + n.func->args[d].name() + " from " + end(box[d].min) + " to " + end(box[d].max) +
           "\n";
  return out;
}

std::string slides(const FuncNest& n) {
  std::string out;
  for (size_t d = 0; d < n.slides_on.size(); ++d)
    if (n.slides_on[d] >= 0)
      out += "  " + n.func->args[d].name() + " slides: from " + end(n.needed[d].min) + " to " +
             end(n.needed[d].max) + "\n";
  return out.empty() ? "  nothing slides\n" : out;
}

std::string statements(const std::vector<Stmt>& lets) {
  std::string out;
  for (const Stmt& s : lets)
    if (const auto* let = s.as<Let>())
      out += "  " + let->sym.name() + " = " + to_text(let->value) + "\n";
  return out;
}

std::string nests(const FuncNest& n) {
  std::string out;
  for (size_t s = 0; s < n.stages.size(); ++s) {
    std::string pad = "  ";
    if (n.stages.size() > 1)
      out += "  " + schedule::spoken(n.func->sym, static_cast<int>(s)) + "\n";
    for (const NestLoop& l : n.stages[s].loops) {
      out += pad + "for " + l.name + " in " + spelling(l.kind) + "(" + to_text(l.lo) + ", " +
             to_text(l.hi) + ")\n";
      pad += "  ";
    }
    for (const Expr& g : n.stages[s].guards) out += pad + "if " + to_text(g) + "\n";
    if (n.stages[s].where.defined()) out += pad + "if " + to_text(n.stages[s].where) + "\n";
  }
  return out;
}

std::string storage(const FuncNest& n) {
  std::string out;
  for (size_t d = 0; d < n.store_extent.size(); ++d) {
    out += "  " + n.func->args[d].name() + " from " + end(n.store_min[d]) + ", extent " +
           end(n.store_extent[d]);
    if (d < n.fold.size() && n.fold[d] > 0) out += ", folded by " + std::to_string(n.fold[d]);
    out += "\n";
  }
  return out.empty() ? "  no storage of its own\n" : out;
}

}  // namespace

const char* spelling(Step step) {
  switch (step) {
    case Step::InlineFuncs:
      return "inline_funcs";
    case Step::InferRegion:
      return "infer_region";
    case Step::Slide:
      return "slide";
    case Step::BindRegion:
      return "bind_region";
    case Step::MakeNests:
      return "make_nests";
    case Step::PlaceStorage:
      return "place_storage";
  }
  return "";
}

std::string draft_text(Step step, const FuncNest& n) {
  std::string out = n.func->name() + "\n";
  switch (step) {
    case Step::InlineFuncs:
      return out;
    case Step::InferRegion:
      return out + (n.output ? "  as the caller asks\n" : regions(n, n.needed));
    case Step::Slide:
      return out + slides(n);
    case Step::BindRegion:
      return out + (n.output ? "  as the caller asks\n" : statements(n.lets));
    case Step::MakeNests:
      return out + nests(n);
    case Step::PlaceStorage:
      return out + storage(n);
  }
  return out;
}

}  // namespace hocket::lower::loops
