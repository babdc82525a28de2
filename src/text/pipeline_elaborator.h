// The reader of one pipeline, between syntax and ir::Algorithm; pipelines.h is its door.
//
// pipelines.cpp walks the lines; pipeline_names.cpp says what names and calls in expressions mean;
// pipeline_inputs.cpp reads parameters, domains, declarations and boundaries;
// pipeline_definitions.cpp reads what a definition or an update says.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/algorithm.h"
#include "ir/read/elaborate.h"
#include "text/syntax.h"

namespace hocket::text {

using diag::Diagnostic;
using ir::Algorithm;
using ir::Func;
using ir::Symbol;
using ir::Type;

struct Domain {
  std::string name;  // of the domain, or its variables joined
  ir::ReductionDomain domain;
  std::vector<std::string> read;  // the Funcs that its condition reads
};

// `hist: u32(i)` before the first definition.
struct Declared {
  std::vector<Type> types;
  std::vector<std::string> args;
  Spot spot;
};

class PipelineElaborator : public Elaborator {
 public:
  PipelineElaborator(const ItemSyntax& item, const Source& source)
      : Elaborator(source, item.strict ? ir::NumericMode::Strict : ir::NumericMode::Contract),
        item_(item) {}
  Result<ir::AlgorithmRef> run();

 protected:
  Result<FrontOperand> variable(const std::string& path, const Syntax& at) override;
  Result<FrontOperand> application(const Syntax& s) override;
  Result<FrontOperand> indexed(const Syntax& s) override;

 private:
  // Where the expression stands that is being read.
  enum class Where { Header, DomainBounds, DomainCondition, Pure, Update };

  Result<void> inputs();
  Result<void> scalar(const ParamSyntax& p);
  Result<void> check_range(const ir::ScalarParam& param, const ParamSyntax& p);
  Result<void> outputs();
  Result<void> line(const Line& l);
  Result<void> rdom(const Line& l);
  Result<void> declare(const Line& l);
  Result<void> define(const Line& l);
  void producers_first();
  Result<void> boundary(const Line& l);
  Result<void> pure(const std::string& name, const Line& l);
  Result<void> identity(const std::string& name, const Line& l);
  Result<void> update(Func& f, const Line& l);
  Result<void> over(const Line& l);
  Result<std::vector<Expr>> values(const Line& l, const std::vector<Type>* types);
  Result<Expr> call(const Syntax& s, int value_index);
  void hide_domain(const std::string& name);
  Result<void> check_new(const NameSyntax& n) const;
  support::Place place_of(const std::string& name) const;
  Diagnostic rank(const std::string& name, size_t wanted, size_t given, const Spot& s,
                  const support::Place& defined) const;
  Result<void> use_domain(const Domain* d, const Spot& spot);
  Func& add(const std::string& name, std::vector<Type> types, std::vector<Symbol> args,
            const Line& l);

  Func* find_func(const std::string& name) {
    for (Func& f : algorithm_.funcs)
      if (f.name() == name) return &f;
    return nullptr;
  }
  const ir::ImageParam* find_image(const std::string& name) const {
    for (const ir::ImageParam& p : algorithm_.inputs)
      if (p.sym.name() == name) return &p;
    return nullptr;
  }
  std::vector<std::string> known_names() const;

  const ItemSyntax& item_;
  Algorithm algorithm_;
  std::map<std::string, Domain> domains_;                        // by name
  std::map<std::string, std::pair<std::string, Symbol>> rvars_;  // spelling: domain, variable
  std::map<std::string, Declared> declared_;
  struct Reader {
    std::string name;
    support::Place place;
  };
  std::map<std::string, Reader> readers_;  // Func: who has read it
  // The definition that is being read.
  Where where_ = Where::Header;
  std::string current_;
  std::map<std::string, Symbol> vars_;
  std::map<std::string, Spot> impure_;  // arguments of the Func that are no pure dimension here
  const Domain* domain_ = nullptr;
  std::vector<std::string> domain_reads_;  // by the condition of a domain
  Spot domain_spot_;                       // where it was named first
};

}  // namespace hocket::text
