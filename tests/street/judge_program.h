// One loop program under one sequence of rewrites, judged: the program before against the program
// after, each by the interpreter with every guard, by LLVM and by C, at several sizes.
//
// In: a file's text (procedures, `p`, a trace), sizes. Out: agreement, a program without meaning
// (it reads what was never written, races, overflows), or a failure in words. Used by:
// street_fuzz_programs, which compiles the C of many cases at once, and street_kept.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "c_library.h"
#include "ir/proc.h"
#include "ir/trace.h"
#include "judge.h"

namespace hocket::street {

// Procedures of targets/x86.hk.
const std::vector<ir::ProcRef>& instructions();

struct ProgramCase {
  ir::ProcRef proc;
  std::vector<ir::ProcRef> callees;  // of the file itself
  std::vector<ir::TraceStep> steps;
  std::vector<std::vector<int64_t>> sizes;  // one value per Size and Index parameter
  uint64_t data = 1;

  // What steps may name: the file's procedures and the instructions.
  std::vector<ir::ProcRef> library() const;
};

// `p` of a text with the procedures before it, as a case without steps; a refusal in words.
ProgramCase parse_program(const std::string& text, std::string* refused);

struct ProgramRun;
struct PreparedProgram {
  Verdict verdict;
  bool native = false;               // before and after have flat forms
  std::vector<ir::ProcRef> c_procs;  // the two, where they have C text
  std::shared_ptr<ProgramRun> run;
};

// Everything but C. `name` makes the entries unique.
PreparedProgram prepare(const ProgramCase& c, const JudgeOptions& options, const std::string& name);
Verdict judge_c(const ProgramCase& c, const PreparedProgram& p, const CLibrary& library);
Verdict judge(const ProgramCase& c, const JudgeOptions& options = {});

// A smaller case that fails as well: fewer steps, sizes and statements. Asks at most `budget`
// times.
ProgramCase reduce(ProgramCase c, const JudgeOf<ProgramCase>& judge, int budget);

// Text that street_kept reads back.
std::string describe(const ProgramCase& c);

}  // namespace hocket::street
