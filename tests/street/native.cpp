#include "native.h"

#include <sys/mman.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <cstring>

namespace hocket::street {

Guarded::Guarded(size_t bytes, bool at_end) {
  const size_t page = 4096, whole = (bytes + page - 1) / page * page;
  size_ = whole + 2 * page;
  base_ =
      static_cast<uint8_t*>(mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (whole > 0) mprotect(base_ + page, whole, PROT_READ | PROT_WRITE);
  data_ = base_ + page + (at_end ? whole - bytes : 0);
}

Guarded::~Guarded() {
  munmap(base_, size_);
}

namespace {

thread_local sigjmp_buf* way_back = nullptr;
std::string note;

void on_fault(int) {
  if (way_back) siglongjmp(*way_back, 1);
  const char* const what = "memory outside every buffer was touched on a thread of the pool:\n";
  ssize_t done = write(2, what, std::strlen(what));
  done += write(2, note.data(), note.size());
  _exit(done > 0 ? 3 : 4);
}

}  // namespace

void set_fault_note(std::string text) {
  note = std::move(text);
}

Called call_guarded(Argv entry, void* const* arguments) {
  struct sigaction action, old[4];
  std::memset(&action, 0, sizeof action);
  action.sa_handler = on_fault;
  action.sa_flags = SA_NODEFER;
  const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
  for (int i = 0; i < 4; ++i) sigaction(signals[i], &action, &old[i]);
  sigjmp_buf here;
  Called out;
  if (sigsetjmp(here, 1) == 0) {
    way_back = &here;
    out.code = entry(nullptr, arguments);
  } else {
    out.fault = true;
  }
  way_back = nullptr;
  for (int i = 0; i < 4; ++i) sigaction(signals[i], &old[i], nullptr);
  return out;
}

hocket_type_t abi_type(ir::Type type) {
  hocket_type_t t;
  std::memset(&t, 0, sizeof t);
  t.code = static_cast<uint8_t>(type.code == ir::TypeCode::BFloat ? HOCKET_TYPE_BFLOAT
                                : type.is_float()                 ? HOCKET_TYPE_FLOAT
                                : type.is_bool()                  ? HOCKET_TYPE_BOOL
                                : type.is_uint()                  ? HOCKET_TYPE_UINT
                                                                  : HOCKET_TYPE_INT);
  t.bits = type.bits;
  t.lanes = 1;
  return t;
}

std::string spoken_code(int code) {
  char text[512] = "";
  if (const hocket_error_t* e = hocket_last_error()) hocket_error_message(e, text, sizeof text);
  return "code " + std::to_string(code) + " " + text;
}

codegen::JitOptions jit_options() {
  codegen::JitOptions options;
  int count = 0;
  const hocket_runtime_symbol_t* table = hocket_runtime_table(&count);
  options.runtime.assign(table, table + count);
  return options;
}

}  // namespace hocket::street
