// Flat procs made by hand, run by every back end, compared with ir/semantics.h.
// In: procs. Out: a Compiled that calls them by name. Used by the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "abi/hocket_abi.h"
#include "codegen/llvm/jit.h"
#include "ir/proc.h"
#include "ir/semantics.h"

namespace hocket::codegen::testing {

using ir::Expr;
using ir::Scalar;
using ir::Symbol;
using ir::Type;

using Argv = int32_t (*)(const hocket_context_t*, void* const*);

// Code of one back end, alive as long as the object.
class Compiled {
 public:
  virtual ~Compiled() = default;
  virtual void* find(const std::string& name) = 0;
  int32_t call(const std::string& name, std::vector<void*> args,
               const hocket_context_t* context = nullptr) {
    auto f = reinterpret_cast<Argv>(find(name + "__argv"));
    if (f == nullptr) {
      ADD_FAILURE() << "no function " << name << "__argv";
      return -1000;
    }
    args.push_back(nullptr);
    return f(context, args.data());
  }
};

enum class Backend { Jit, JitUnoptimised, JitFull, Gcc, Clang };
std::string name_of(Backend backend);
std::string id_of(Backend backend);  // as part of a test's name
std::unique_ptr<Compiled> compile(Backend backend, const std::vector<ir::ProcRef>& procs);
// The back ends that every behaviour is tested with.
std::vector<Backend> all_backends();

// Builds a flat proc without an entry (a loop program).
class ProcBuilder {
 public:
  explicit ProcBuilder(const std::string& name);
  Symbol buffer(const std::string& name, Type element);
  Symbol window(const std::string& name, Type element, int rank);
  Symbol index(const std::string& name);
  Symbol size(const std::string& name);
  Symbol scalar(const std::string& name, Type type);
  void require(Expr condition) { proc_->preconditions.push_back(std::move(condition)); }
  ir::ProcRef build(ir::Body body);

 private:
  support::Ref<ir::Proc> proc_;
};

ir::Stmt store(const Symbol& buffer, Expr index, Expr value, ir::StoreOp op = ir::StoreOp::Assign);
// buffer[base + 0 .. lanes-1], or one element where lanes is 1.
Expr load(const Symbol& buffer, Expr base, int lanes);
Expr lanes_at(Expr base, int lanes);

// Values of a type that are worth trying: ends, zero, ones, odd floats, then random bits.
std::vector<Scalar> interesting_values(Type type, size_t count, std::mt19937_64& random);
std::vector<uint8_t> bytes_of(const std::vector<Scalar>& values);
std::string to_string(const Scalar& s);

// Memory whose end (or start) touches a page that must not be touched.
class GuardedMemory {
 public:
  enum class Side { End, Start };
  GuardedMemory(size_t bytes, Side side);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  uint8_t* data() const { return data_; }

 private:
  void* map_ = nullptr;
  size_t mapped_ = 0;
  uint8_t* data_ = nullptr;
};

}  // namespace hocket::codegen::testing
