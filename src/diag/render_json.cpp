#include <nlohmann/json.hpp>

#include "diag/render.h"
#include "diag/source_line.h"

namespace hocket::diag {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Place& known) {
  const Place place = with_source_line(known);
  Json out = {{"file", place.file}, {"line", place.line}};
  if (place.column > 0) out["column"] = place.column;
  if (place.end_column > 0) out["end_column"] = place.end_column;
  if (!place.text.empty()) out["text"] = place.text;
  return out;
}

Json json_of(const std::vector<Label>& labels) {
  Json out = Json::array();
  for (const Label& label : labels) {
    out.push_back({{"place", json_of(label.place)}, {"text", label.text}});
  }
  return out;
}

Json json_of(const Nest& nest) {
  Json out = {{"lines", nest.lines}};
  if (nest.caret_line >= 0) {
    out["caret"] = {
        {"line", nest.caret_line}, {"column", nest.caret_column}, {"length", nest.caret_length}};
  }
  return out;
}

}  // namespace

std::string render_json(const Diagnostic& diagnostic, bool pretty) {
  const KindInfo& kind = diagnostic.kind.info();
  Json out = {{"code", kind.code},
              {"kind", kind.name},
              {"severity", spoken(kind.severity)},
              {"category", spoken(kind.category)},
              {"message", diagnostic.message()}};
  for (const Arg& arg : diagnostic.args) {
    const std::int64_t* number = std::get_if<std::int64_t>(&arg.value);
    out["args"][arg.name] = number != nullptr ? Json(*number) : Json(arg.words());
  }
  if (diagnostic.place.known()) out["place"] = json_of(diagnostic.place);
  if (!diagnostic.labels.empty()) out["labels"] = json_of(diagnostic.labels);
  if (!diagnostic.context.empty()) out["context"] = json_of(diagnostic.context);
  if (!diagnostic.nest.lines.empty()) out["nest"] = json_of(diagnostic.nest);
  if (!diagnostic.witness.empty()) out["witness"] = diagnostic.witness;
  if (!diagnostic.helps.empty()) out["helps"] = diagnostic.helps;
  if (!diagnostic.notes.empty()) out["notes"] = diagnostic.notes;
  // Bytes that are not UTF-8 (a user's file may hold them) are replaced, never thrown about.
  return out.dump(pretty ? 2 : -1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace hocket::diag
