#include "flat.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "compile_c.h"

namespace hocket::codegen::testing {

namespace {

class JitCompiled : public Compiled {
 public:
  explicit JitCompiled(JitModule module) : module_(std::move(module)) {}
  void* find(const std::string& name) override { return module_.find(name); }

 private:
  JitModule module_;
};

}  // namespace

std::string name_of(Backend backend) {
  switch (backend) {
    case Backend::Jit:
      return "jit";
    case Backend::JitUnoptimised:
      return "jit without optimisation";
    case Backend::JitFull:
      return "jit with all of LLVM's passes";
    case Backend::Gcc:
      return "c by gcc";
    case Backend::Clang:
      return "c by clang";
  }
  return "?";
}

std::string id_of(Backend backend) {
  const char* const ids[] = {"Jit", "JitUnoptimised", "JitFull", "Gcc", "Clang"};
  return ids[static_cast<int>(backend)];
}

std::vector<Backend> all_backends() {
  return {Backend::Jit, Backend::JitUnoptimised, Backend::JitFull, Backend::Gcc, Backend::Clang};
}

JitOptions jit_options(Backend backend) {
  JitOptions options;
  options.verify = true;
  options.optimise = backend == Backend::JitUnoptimised ? Optimise::None
                     : backend == Backend::JitFull      ? Optimise::Full
                                                        : Optimise::Usual;
  int count = 0;
  const hocket_runtime_symbol_t* table = hocket_runtime_table(&count);
  options.runtime.assign(table, table + count);
  return options;
}

// What a failed compile gives: calls fail, tests go on to their next expectation.
class Nothing : public Compiled {
 public:
  void* find(const std::string&) override { return nullptr; }
};

std::unique_ptr<Compiled> compile(Backend backend, const std::vector<ir::ProcRef>& procs) {
  if (backend == Backend::Gcc || backend == Backend::Clang) {
    auto code = compile_c(backend, procs);
    return code != nullptr ? std::move(code) : std::make_unique<Nothing>();
  }
  auto module = JitModule::compile(procs, jit_options(backend));
  if (!module.ok()) {
    ADD_FAILURE() << module.error().message();
    return std::make_unique<Nothing>();
  }
  return std::make_unique<JitCompiled>(std::move(*module));
}

ProcBuilder::ProcBuilder(const std::string& name) : proc_(new ir::Proc) {
  proc_->sym = Symbol::fresh(name, Type::index());
  proc_->form = ir::Form::Flat;
}

namespace {

ir::Param param(const std::string& name, Type type, ir::ParamKind kind) {
  ir::Param p;
  p.sym = Symbol::fresh(name, type);
  p.kind = kind;
  return p;
}

}  // namespace

Symbol ProcBuilder::buffer(const std::string& name, Type element) {
  ir::Param p = param(name, element, ir::ParamKind::Buffer);
  p.shape = {ir::make_index(1)};
  proc_->params.push_back(p);
  return p.sym;
}

Symbol ProcBuilder::window(const std::string& name, Type element, int rank) {
  ir::Param p = param(name, element, ir::ParamKind::Buffer);
  p.window = true;
  p.shape.assign(static_cast<size_t>(rank), ir::make_index(1));
  proc_->params.push_back(p);
  return p.sym;
}

Symbol ProcBuilder::index(const std::string& name) {
  proc_->params.push_back(param(name, Type::index(), ir::ParamKind::Index));
  return proc_->params.back().sym;
}

Symbol ProcBuilder::size(const std::string& name) {
  proc_->params.push_back(param(name, Type::index(), ir::ParamKind::Size));
  return proc_->params.back().sym;
}

Symbol ProcBuilder::scalar(const std::string& name, Type type) {
  proc_->params.push_back(param(name, type, ir::ParamKind::Scalar));
  return proc_->params.back().sym;
}

ir::ProcRef ProcBuilder::build(ir::Body body) {
  proc_->body = std::move(body);
  return proc_;
}

ir::Stmt store(const Symbol& buffer, Expr index, Expr value, ir::StoreOp op) {
  return ir::make_store(buffer, {std::move(index)}, std::move(value), op);
}

Expr lanes_at(Expr base, int lanes) {
  return lanes == 1 ? base : ir::make_ramp(std::move(base), ir::make_index(1), lanes);
}

Expr load(const Symbol& buffer, Expr base, int lanes) {
  return ir::make_load(buffer, buffer.type().with_lanes(lanes), {lanes_at(std::move(base), lanes)});
}

std::vector<Scalar> interesting_values(Type type, size_t count, std::mt19937_64& random) {
  std::vector<Scalar> values;
  if (type.is_float()) {
    const double inf = std::numeric_limits<double>::infinity();
    for (double v : {0.0,
                     1.0,
                     1.5,
                     0.5,
                     2.5,
                     3.5,
                     0.1,
                     127.0,
                     128.0,
                     255.0,
                     255.5,
                     256.0,
                     32767.0,
                     32768.0,
                     65504.0,
                     65519.9,
                     65520.0,
                     65535.0,
                     65536.0,
                     2147483647.0,
                     2147483648.0,
                     4294967295.0,
                     4294967296.0,
                     9223372036854775807.0,
                     18446744073709551615.0,
                     1e30,
                     3.4e38,
                     1e-5,
                     6e-8,
                     1e-40,
                     1e-45,
                     4.9e-324,
                     1.7e308,
                     inf}) {
      values.push_back(Scalar::of_float(type, v));
      values.push_back(Scalar::of_float(type, -v));
    }
    values.push_back(Scalar::of_float(type, std::nan("")));
  } else if (type.is_bool()) {
    values = {Scalar::of_bool(false), Scalar::of_bool(true)};
  } else {
    for (int64_t v : {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255}) {
      values.push_back(Scalar::of_int(type, v));
      values.push_back(Scalar::of_int(type, -v));
    }
    for (int64_t d : {0, 1, 2}) {
      values.push_back(Scalar::of_int(type, type.min_value() + d));
      values.push_back(Scalar::of_int(type, type.max_value() - d));
    }
  }
  if (values.size() > count) values.resize(count);
  while (values.size() < count) {
    uint64_t bits = random();
    if (type.is_float()) {
      uint8_t raw[8];
      switch (bits & 3) {
        case 0: {  // any bits
          bits = random();
          std::memcpy(raw, &bits, 8);
          values.push_back(ir::load_bytes(type, raw));
          break;
        }
        case 1:
          values.push_back(Scalar::of_float(
              type, static_cast<double>(static_cast<int64_t>(random()) >> (random() % 63))));
          break;
        default:
          values.push_back(
              Scalar::of_float(type, std::ldexp(static_cast<double>(static_cast<int64_t>(random())),
                                                static_cast<int>(random() % 40) - 80)));
      }
    } else {
      // Small numbers as often as large ones.
      const int64_t v = static_cast<int64_t>(random()) >> (bits % 64);
      values.push_back(Scalar::of_int(type, v));
    }
  }
  return values;
}

std::vector<uint8_t> bytes_of(const std::vector<Scalar>& values) {
  std::vector<uint8_t> bytes;
  if (values.empty()) return bytes;
  const auto each = static_cast<size_t>(values[0].type.bytes());
  bytes.resize(each * values.size());
  for (size_t i = 0; i < values.size(); ++i) ir::store_bytes(values[i], bytes.data() + i * each);
  return bytes;
}

std::string to_string(const Scalar& s) {
  std::ostringstream out;
  if (s.poison) {
    out << "poison";
  } else if (s.type.is_float()) {
    out << std::hexfloat << s.f << " (" << std::defaultfloat << s.f << ")";
  } else {
    out << s.i;
  }
  out << " " << s.type.name();
  return out.str();
}

GuardedMemory::GuardedMemory(size_t bytes, Side side) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t inner = (bytes + page - 1) / page * page;
  mapped_ = inner + 2 * page;
  map_ = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* first = static_cast<uint8_t*>(map_) + page;
  mprotect(first, inner, PROT_READ | PROT_WRITE);
  data_ = side == Side::End ? first + inner - bytes : first;
}

GuardedMemory::~GuardedMemory() {
  munmap(map_, mapped_);
}

}  // namespace hocket::codegen::testing
