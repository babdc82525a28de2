// Identity: every loop variable, let, buffer, parameter, Func and Var is a Symbol.
//
// Two symbols are the same thing exactly if their ids are equal; the name is only how a person
// spells it, and the printer renames where two names in one scope would collide. Ids come from one
// process counter and never affect output, hash or order of anything that is shown or stored.
// A symbol remembers its ancestry (`xo`: outer half of `x`, split at blur.cpp:31) for messages.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "ir/type.h"
#include "support/ref.h"
#include "support/source.h"

namespace hocket::ir {

class Symbol;

struct SymbolNode;

class Symbol {
 public:
  Symbol() = default;
  // A new identity with a spoken name. `type` is the type of the value a reference to it has
  // (element type for buffers and Funcs).
  static Symbol fresh(std::string name, Type type, support::Place place = {});
  // A new identity that descends from `parent` (`what` reads "outer half of", "copy of", ...).
  static Symbol derived(std::string name, Type type, const Symbol& parent, std::string what,
                        support::Place place = {});
  // The same identity without the payload: breaks reference cycles (a Func that reads itself).
  Symbol without_payload() const;
  Symbol with_payload(support::Ref<support::RefCounted> payload) const;

  bool defined() const { return node_.get() != nullptr; }
  uint64_t id() const;
  const std::string& name() const;
  Type type() const;
  const support::Place& place() const;
  // Undefined where the symbol has no ancestor.
  Symbol parent() const;
  const std::string& ancestry() const;
  // Opaque data of the front end (a Func's definitions), kept alive by expressions that name it.
  support::RefCounted* payload() const;

  friend bool operator==(const Symbol& a, const Symbol& b) {
    return a.defined() == b.defined() && (!a.defined() || a.id() == b.id());
  }
  // For ordered containers that are never iterated in an order that reaches the output.
  friend bool operator<(const Symbol& a, const Symbol& b) {
    return (a.defined() ? a.id() : 0) < (b.defined() ? b.id() : 0);
  }

 private:
  explicit Symbol(support::Ref<const SymbolNode> node) : node_(std::move(node)) {}
  support::Ref<const SymbolNode> node_;
};

struct SymbolNode : support::RefCounted {
  uint64_t id = 0;
  std::string name;
  Type type;
  support::Place place;
  Symbol parent;
  std::string ancestry;
  support::Ref<support::RefCounted> payload;
};

}  // namespace hocket::ir

template <>
struct std::hash<hocket::ir::Symbol> {
  size_t operator()(const hocket::ir::Symbol& s) const noexcept {
    return s.defined() ? std::hash<uint64_t>{}(s.id()) : 0;
  }
};
