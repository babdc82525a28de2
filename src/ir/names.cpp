#include "ir/names.h"

#include "ir/words.h"

namespace hocket::ir {

const std::string& Names::bind(const Symbol& s) {
  auto it = spelled_.find(s);
  if (it != spelled_.end()) return it->second;
  return give(s, scopes_.empty() ? nullptr : &scopes_.back());
}

const std::string& Names::name(const Symbol& s) {
  auto it = spelled_.find(s);
  return it != spelled_.end() ? it->second : give(s, nullptr);
}

const std::string& Names::give(const Symbol& s, std::vector<Symbol>* scope) {
  std::string base = s.defined() && !s.name().empty() ? s.name() : "v";
  std::string name = base;
  for (int n = 1; !used_.insert(name).second; ++n) name = base + "_" + std::to_string(n);
  if (scope) scope->push_back(s);
  std::string& spelled = spelled_[s] = spell_name(name);
  plain_[s] = std::move(name);
  return spelled;
}

void Names::keep_only(const std::function<bool(const Symbol&)>& keep) {
  for (auto it = plain_.begin(); it != plain_.end();) {
    if (keep(it->first)) {
      ++it;
      continue;
    }
    used_.erase(it->second);
    spelled_.erase(it->first);
    it = plain_.erase(it);
  }
}

void Names::close() {
  for (const Symbol& s : scopes_.back()) {
    used_.erase(plain_[s]);
    plain_.erase(s);
    spelled_.erase(s);
  }
  scopes_.pop_back();
}

}  // namespace hocket::ir
