#include "ir/symbol.h"

#include <atomic>

#include "support/assert.h"

namespace hocket::ir {

namespace {
uint64_t next_id() {
  static std::atomic<uint64_t> counter{0};
  return counter.fetch_add(1, std::memory_order_relaxed) + 1;
}
}  // namespace

Symbol Symbol::fresh(std::string name, Type type, support::Place place) {
  auto node = support::Ref<SymbolNode>(new SymbolNode);
  node->id = next_id();
  node->name = std::move(name);
  node->type = type;
  node->place = std::move(place);
  return Symbol(support::Ref<const SymbolNode>(node.get()));
}

Symbol Symbol::derived(std::string name, Type type, const Symbol& parent, std::string what,
                       support::Place place) {
  auto node = support::Ref<SymbolNode>(new SymbolNode);
  node->id = next_id();
  node->name = std::move(name);
  node->type = type;
  node->place = std::move(place);
  node->parent = parent;
  node->ancestry = std::move(what);
  return Symbol(support::Ref<const SymbolNode>(node.get()));
}

Symbol Symbol::without_payload() const {
  if (!defined() || !node_->payload.get()) return *this;
  auto node = support::Ref<SymbolNode>(new SymbolNode(*node_));
  node->payload = {};
  return Symbol(support::Ref<const SymbolNode>(node.get()));
}

Symbol Symbol::with_payload(support::Ref<support::RefCounted> payload) const {
  HOCKET_ASSERT(defined(), "payload of an undefined symbol");
  auto node = support::Ref<SymbolNode>(new SymbolNode(*node_));
  node->payload = std::move(payload);
  return Symbol(support::Ref<const SymbolNode>(node.get()));
}

uint64_t Symbol::id() const {
  return node_->id;
}
const std::string& Symbol::name() const {
  return node_->name;
}
Type Symbol::type() const {
  return node_->type;
}
const support::Place& Symbol::place() const {
  return node_->place;
}
Symbol Symbol::parent() const {
  return node_->parent;
}
const std::string& Symbol::ancestry() const {
  return node_->ancestry;
}
support::RefCounted* Symbol::payload() const {
  return defined() ? node_->payload.get() : nullptr;
}

}  // namespace hocket::ir
