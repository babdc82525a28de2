#include "api/library.h"

#include <fstream>
#include <sstream>

#include "diag/kinds_driver.h"
#include "driver/target_library.h"
#include "support/edit_distance.h"
#include "text/parser.h"

namespace hocket {

using diag::Diagnostic;
using support::Place;

namespace {

// The last one of that name.
template <class List, class NameOf>
auto find(const List& list, const std::string& name, NameOf&& name_of) {
  auto found = list.rbegin();
  while (found != list.rend() && name_of(*found) != name) ++found;
  return found;
}

template <class List, class NameOf>
auto& get(const List& list, const std::string& file, const char* what, const std::string& name,
          const Place& place, NameOf&& name_of) {
  const auto found = find(list, name, name_of);
  if (found != list.rend()) return *found;
  Diagnostic d = Diagnostic(diag::kind::no_such_item, place)
                     .arg("file", file)
                     .arg("what", what)
                     .arg("name", name);
  std::vector<std::string> known;
  for (const auto& item : list) known.push_back(name_of(item));
  for (const std::string& n : support::close_names(name, known))
    d.help("did you mean `" + n + "`?");
  throw Error(std::move(d));
}

std::string proc_name(const ir::ProcRef& p) {
  return p->name();
}

}  // namespace

Library Library::target() {
  Library out;
  out.file_ = "targets";
  out.procs_ = or_throw(driver::target_procs());
  return out;
}

Library Library::parse(std::string_view text, const std::string& file_name) {
  text::Known known;
  known.procs = or_throw(driver::target_procs());
  const text::File file = or_throw(text::parse(text, file_name, known));
  Library out;
  out.file_ = file_name;
  out.procs_ = file.procs();
  for (const text::Item& item : file.items)
    if (const auto* t = std::get_if<ir::Trace>(&item.value)) out.traces_.push_back(*t);
  return out;
}

Library Library::load(const std::string& path, Where where) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in || text.fail())
    throw Error(Diagnostic(diag::kind::no_such_file, Place::of(where)).arg("file", path));
  return parse(text.str(), support::path_below_root(path));
}

Proc Library::proc(const std::string& name, Where where) const {
  return Proc(get(procs_, file_, "procedure", name, Place::of(where), proc_name), procs_);
}
const ir::Trace& Library::trace(const std::string& name, Where where) const {
  return get(traces_, file_, "trace", name, Place::of(where),
             [](const ir::Trace& t) { return t.name; });
}
bool Library::contains(const std::string& name) const {
  return find(procs_, name, proc_name) != procs_.rend();
}

}  // namespace hocket
