#include "interp/reason.h"

#include "interp/value.h"
#include "support/strings.h"

namespace hocket::interp {

namespace {
std::string operation(const ir::Expr& e) {
  if (const auto* b = e.as<ir::Binary>()) return support::quoted(ir::spelling(b->op));
  if (const auto* u = e.as<ir::Unary>()) return support::quoted(ir::spelling(u->op));
  return e.as<ir::Ramp>() ? "a ramp" : "an operation";
}
}  // namespace

std::string describe(const Reason& r) {
  const std::string buffer = r.buffer.defined() ? support::quoted(r.buffer.name()) : "memory";
  const std::string at = r.at.empty() ? "" : " at " + spoken(r.at);
  switch (r.kind) {
    case Reason::Kind::None:
      return "nothing";
    case Reason::Kind::Given:
      return buffer + at + " was poison before the run";
    case Reason::Kind::Unwritten:
      return buffer + at + " is read before it is written";
    case Reason::Kind::Overflow:
      return operation(r.expr) + " of " + r.expr.type().element().name() + " overflows";
    case Reason::Kind::Address:
      return buffer + " is read at an index that is poison";
    case Reason::Kind::LaneOff:
      return "a lane of " + buffer + " that is off";
    case Reason::Kind::OutsideInput:
      return buffer + at + " lies outside its region";
    case Reason::Kind::UpdateAddress:
      return "an update of " + buffer + " writes at an index that is poison";
  }
  return "?";
}

}  // namespace hocket::interp
