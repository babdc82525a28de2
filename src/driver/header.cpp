#include "driver/header.h"

#include <cctype>
#include <set>

#include "codegen/c/text.h"
#include "codegen/common/exports.h"
#include "codegen/common/layout.h"

namespace hocket::driver {

namespace {

std::string c_type(ir::Type t) {
  if (t.is_index()) return "int64_t";
  if (t.is_bool()) return "_Bool";
  if (t.is_float()) return t.bits == 64 ? "double" : t.bits == 32 ? "float" : "uint16_t";
  return (t.is_uint() ? "uint" : "int") + std::to_string(t.bits) + "_t";
}

std::string win_type(ir::Type t, size_t rank) {
  return "hocket_win_" + t.name() + "_" + std::to_string(rank);
}

}  // namespace

std::string header_text(const ir::Proc& proc) {
  const std::string name = codegen::exported_name(proc);
  std::string guard = "HOCKET_PROGRAM_";
  for (const char c : name) guard += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string structs, args;
  codegen::CNames names;  // those of the C text
  auto add = [&args](const std::string& a) { args += (args.empty() ? "" : ", ") + a; };
  if (proc.entry) {
    for (const codegen::ArgumentLayout& a : codegen::layout_of(proc).arguments)
      add(a.is_buffer() ? "hocket_buffer_t* " + names.of(a.entry->sym)
                        : c_type(a.type) + " " + names.of(a.entry->sym));
  } else {
    add("const hocket_context_t* context");
    std::set<std::string> seen;
    for (const ir::Param& p : proc.params) {
      const std::string& n = names.of(p.sym);
      if (p.kind != ir::ParamKind::Buffer) {
        add(c_type(p.type()) + " " + n);
      } else if (p.window) {
        const std::string w = win_type(p.type(), p.shape.size());
        add("struct " + w + " " + n);
        if (!seen.insert(w).second) continue;
        std::string upper = "HOCKET_WIN_" + p.type().name() + "_" + std::to_string(p.shape.size());
        structs += "#ifndef " + upper + "\n#define " + upper + "\nstruct " + w + " {\n  " +
                   c_type(p.type()) + "* data;\n  int64_t strides[" +
                   std::to_string(p.shape.size()) + "];\n};\n#endif\n\n";
      } else {
        add(c_type(p.type()) + "* " + n);
      }
    }
  }
  std::string out =
      "#ifndef " + guard + "_H\n#define " + guard + "_H\n\n#include \"hocket_abi.h\"\n\n";
  if (proc.entry || args.find("_Bool") == std::string::npos) {
    out += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  } else {
    out += "#ifdef __cplusplus\n#define _Bool bool\nextern \"C\" {\n#endif\n\n";
  }
  out += structs;
  out += "int32_t " + name + "(" + args + ");\n";
  out += "int32_t " + name + "__argv(const hocket_context_t* context, void* const* args);\n";
  if (proc.entry) {
    out += "extern const hocket_metadata_t " + name + "__metadata;\n";
    out +=
        "int32_t " + name +
        "__body(const hocket_context_t* context, const int64_t* scalars, void* const* pointers);\n";
    out += "void " + name + "__regions(const int64_t* scalars, int64_t* regions);\n";
  }
  return out + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

}  // namespace hocket::driver
