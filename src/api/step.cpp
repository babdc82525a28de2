// From C++ to the literals of a trace, and the verbs of Proc, made from the table of operators.
#include "api/step.h"

#include <type_traits>

#include "api/error.h"
#include "api/proc.h"
#include "ir/words.h"

namespace hocket {

using ir::Literal;
using support::Place;

const char* spelling(Tail tail) {
  switch (tail) {
    case Tail::Guard:
      return "guard";
    case Tail::Cut:
      return "cut";
    case Tail::CutAndGuard:
      return "cut_and_guard";
    case Tail::Short:
      return "short";
    case Tail::Perfect:
      return "perfect";
  }
  return "guard";
}

Callee::Callee(const Proc& proc) : name_(proc.name()), proc_(proc.ir()) {}

namespace {

// As a person writes it in a trace: a name where it can be one, else a string.
Literal word(const std::string& text) {
  return !text.empty() && ir::spell_name(text) == text ? Literal::name(text)
                                                       : Literal::string(text);
}

struct ToLiteral {
  const ir::ProcRef& proc;
  const Place& place;

  Literal operator()(const std::string& text) const { return word(text); }
  Literal operator()(int64_t number) const { return Literal::of(number); }
  Literal operator()(const Cursor& c) const { return word(api::pattern_in(proc, c, place)); }
  Literal operator()(const At& at) const { return std::visit(*this, at.value()); }
  Literal operator()(const StmtBlock& block) const {
    return block.ends().size() == 1 ? (*this)(block.ends().front()) : list(block.ends());
  }
  Literal operator()(const IndexText& index) const { return std::visit(*this, index.value()); }
  Literal operator()(const Callee& callee) const { return word(callee.name()); }
  Literal operator()(Tail tail) const { return Literal::name(spelling(tail)); }
  Literal operator()(bool flag) const { return Literal::of_bool(flag); }
  Literal operator()(ir::Type type) const { return word(type.name()); }
  Literal operator()(const Literal& literal) const { return literal; }
  template <class T>
  Literal operator()(const std::vector<T>& items) const {
    return list(items);
  }
  template <class T>
  Literal list(const std::vector<T>& items) const {
    std::vector<Literal> out;
    for (const T& item : items) out.push_back((*this)(item));
    return Literal::list(std::move(out));
  }
};

template <class T>
StepArgument wrapped(const T& value) {
  if constexpr (std::is_same_v<T, int64_t>)
    return StepArgument::of(Literal::of(value));
  else if constexpr (std::is_same_v<T, std::string>)
    return StepArgument::of(word(value));
  else
    return StepArgument::of(value);
}

// A parameter that has to be given stands by position, the others by name.
template <class T>
void collect(std::vector<StepArgument>& out, const char*, const T& value) {
  out.push_back(wrapped(value));
}
template <class T>
void collect(std::vector<StepArgument>& out, const char* name, const std::optional<T>& value) {
  if (value) out.emplace_back(name, wrapped(*value));
}

}  // namespace

Literal StepArgument::literal(const ir::ProcRef& proc, const Place& place) const {
  return std::visit(ToLiteral{proc, place}, value_);
}

#define HOCKET_PARAMETER(Kind, name, ...) HOCKET_PARAMETER_##__VA_OPT__(OPTIONAL)(Kind, name)
#define HOCKET_PARAMETER_(Kind, name) const step::Kind &name,
#define HOCKET_PARAMETER_OPTIONAL(Kind, name) const std::optional<step::Kind>&name,
#define HOCKET_COLLECT(Kind, name, ...) collect(arguments, #name, name);
#define HOCKET_OPERATOR(op, method, run, also, doc, ...)                                \
  Proc Proc::method(HOCKET_FOR_EACH(HOCKET_PARAMETER, __VA_ARGS__) Where where) const { \
    std::vector<StepArgument> arguments;                                                \
    HOCKET_FOR_EACH(HOCKET_COLLECT, __VA_ARGS__)                                        \
    return apply(#op, arguments, where);                                                \
  }
#include "rewrite/operators.def"

}  // namespace hocket
