// What stands behind Func, ImageParam, Param and RDom: shared, mutable until a compile reads it.
//
// A symbol carries its contents as payload, so that an expression keeps alive what it names; a
// Func's own definitions name it without payload, so that nothing keeps itself alive. Called by:
// api/ alone.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/buffer.h"
#include "api/param.h"
#include "driver/callable.h"
#include "ir/algorithm.h"
#include "ir/schedule.h"
#include "ir/visit.h"
#include "schedule/plan.h"

namespace hocket::api {

struct DomainContents : support::RefCounted {
  std::string name;
  ir::ReductionDomain domain;
  // The first definition over it: from then on it stays what it is.
  std::string user;
  support::Place used;
};

struct ImageContents : support::RefCounted {
  ir::ImageParam image;  // its symbol has no payload
  Buffer<> bound;
  std::shared_ptr<const void> keep;  // memory under `bound` that nothing else holds
};

struct ParamContents : support::RefCounted {
  ir::ScalarParam param;
  uint64_t bits = 0;  // the value in its type's bytes
  bool set = false;
};

// A directive with the loops it names as symbols: their words are settled when all are known.
struct Said {
  ir::Directive directive;
  std::vector<ir::Symbol> loops;  // in place of the last names
  ir::Symbol site;                // compute_at, store_at: the consumer's identity
};

struct Compiled;

struct FuncContents : support::RefCounted {
  ir::Func func;        // its symbol has no payload, and is another one once it is defined
  ir::Symbol identity;  // stays what it is: a place in the loops may be named before there are any
  bool defined = false;
  std::vector<Said> said;
  uint64_t version = 0;  // counts every change

  std::optional<schedule::Plan> draft;  // of this Func alone, for the verbs
  std::vector<ir::Symbol> draft_names;
  std::mutex mutex;
  std::shared_ptr<const Compiled> compiled;
};

// The loops' words: a symbol's own name, or one by its position among the nameless.
std::string word_of(const ir::Symbol& loop, std::vector<ir::Symbol>& nameless);

// Refuses an expression over values of Funcs or images: `what` is known before anything is
// computed.
void refuse_values(const ir::Expr& e, const std::string& what, const support::Place& place);

struct Snapshot {
  ir::AlgorithmRef algorithm;
  ir::Schedule schedule;
  std::vector<const FuncContents*> funcs;  // consumers first
  std::vector<uint64_t> versions;          // of funcs
  // Contents behind the algorithm's arguments, in order: an image or a parameter.
  std::vector<support::Ref<support::RefCounted>> arguments;
};
// Freezes what the outputs need. `name` of the pipeline: empty takes the first output's.
Snapshot snapshot(const std::vector<support::Ref<FuncContents>>& outputs, const std::string& name);

// Where the value of an argument comes from: one of the two.
struct Slot {
  ImageContents* image = nullptr;
  ParamContents* param = nullptr;
};
struct Compiled {
  driver::Callable callable;
  Snapshot made_from;
  std::vector<Slot> slots;
  bool is_current() const;
};
std::shared_ptr<const Compiled> compiled(const std::vector<support::Ref<FuncContents>>& outputs,
                                         const std::string& name);

// The box of a buffer, per dimension its min and extent.
using BufferBox = std::vector<std::pair<int64_t, int64_t>>;
// What the code writes of outputs over these boxes, asked of the code itself: as large as they are,
// or larger where tails run past them. `boxes` stays as it is where that cannot be asked or where
// nothing holds it; what is wrong then the call says.
void grow_to_what_is_written(const Compiled& code, std::vector<BufferBox>& boxes);

// The arguments of a call: what is bound to inputs and parameters, then the outputs.
int32_t call(const Compiled& code, hocket_buffer_t* const* outputs, size_t count);
void call_or_throw(const Compiled& code, hocket_buffer_t* const* outputs, size_t count,
                   const std::source_location& where);

}  // namespace hocket::api
