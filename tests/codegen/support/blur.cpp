#include "blur.h"

namespace hocket::codegen::testing {

namespace {

struct Image {
  Symbol buffer;
  ir::EntryArg arg;

  Image(const std::string& name, ir::EntryArg::Kind kind, ir::Proc& proc)
      : buffer(Symbol::fresh(name, Type::u(16))) {
    arg.kind = kind;
    arg.sym = buffer;
    for (const char* d : {"x", "y"}) {
      ir::EntryDim dim;
      const std::string n = name + "_" + d;
      dim.min = Symbol::fresh(n + "_min", Type::index());
      dim.extent = Symbol::fresh(n + "_extent", Type::index());
      dim.stride = Symbol::fresh(n + "_stride", Type::index());
      for (const Symbol& s : {dim.min, dim.extent, dim.stride}) {
        ir::Param p;
        p.sym = s;
        proc.params.push_back(p);
      }
      arg.dims.push_back(dim);
    }
    ir::Param p;
    p.sym = buffer;
    p.kind = ir::ParamKind::Buffer;
    p.shape = {ir::make_index(1)};
    proc.params.push_back(p);
  }

  Expr min(int d) const { return ir::make_var(arg.dims[static_cast<size_t>(d)].min); }
  Expr extent(int d) const { return ir::make_var(arg.dims[static_cast<size_t>(d)].extent); }
  Expr at(const Expr& x, const Expr& y) const {
    return (y - min(1)) * ir::make_var(arg.dims[1].stride) + (x - min(0));
  }
};

Expr third(const Expr& a, const Expr& b, const Expr& c) {
  return (a + b + c) / ir::make_const(a.type(), 3);
}

}  // namespace

ir::ProcRef blur_pipeline(const BlurOptions& options) {
  support::Ref<ir::Proc> proc(new ir::Proc);
  proc->sym = Symbol::fresh("blur", Type::index());
  proc->form = ir::Form::Flat;
  Image input("input", ir::EntryArg::Kind::Input, *proc);
  Image bv("bv", ir::EntryArg::Kind::Output, *proc);
  const auto n = [](int64_t v) { return ir::make_index(v); };
  for (int d = 0; d < 2; ++d) {
    auto& out = bv.arg.dims[static_cast<size_t>(d)];
    out.required_min = bv.min(d);
    out.required_max = bv.min(d) + bv.extent(d) - n(1);
    auto& in = input.arg.dims[static_cast<size_t>(d)];
    in.required_min = bv.min(d) - n(1);
    in.required_max = bv.min(d) + bv.extent(d);
  }
  auto entry = std::make_shared<ir::PipelineEntry>();
  entry->pipeline = "blur";
  entry->args = {input.arg, bv.arg};
  ir::EntryCheck whole;
  whole.cond = ir::make_binary(ir::BinaryOp::Eq, bv.extent(0) % n(options.lanes), n(0));
  whole.code = HOCKET_ERROR_USER_CHECK_FAILED;
  whole.message = "the width is a multiple of the lanes";
  entry->checks.push_back(whole);
  proc->entry = entry;

  const auto var = [](const char* name) { return Symbol::fresh(name, Type::index()); };
  const Symbol bh = Symbol::fresh("bh", Type::u(16));
  const Symbol s = var("s"), y = var("y"), x1 = var("x"), x2 = var("x"), y0 = var("y0"),
               y_end = var("y_end");
  const Expr width = bv.extent(0);
  const Expr lanes = n(options.lanes);
  const Expr ey = ir::make_var(y);
  const Expr by = ir::make_var(y0);
  const auto row = [&](const Expr& at) { return (at % n(4)) * width; };
  const Expr px = bv.min(0) + ir::make_var(x1) * lanes;
  const auto in = [&](int64_t dx) {
    return load(input.buffer, input.at(px + n(dx), ey), options.lanes);
  };
  ir::Body fill = {store(bh, lanes_at(row(ey) + ir::make_var(x1) * lanes, options.lanes),
                         third(in(-1), in(0), in(1)))};
  const Expr qx = ir::make_var(x2) * lanes;
  const auto up = [&](int64_t dy) { return load(bh, row(ey - n(dy)) + qx, options.lanes); };
  ir::Stmt out = store(bv.buffer, lanes_at(bv.at(bv.min(0) + qx, ey - n(1)), options.lanes),
                       third(up(2), up(1), up(0)));
  if (options.stream) {
    out = ir::edited<ir::Store>(out, [](ir::Store& st) { st.stream = true; });
  }
  ir::Body rows = {ir::make_for(x1, n(0), width / lanes, ir::LoopKind::Seq, fill),
                   ir::make_if(ir::make_binary(ir::BinaryOp::Gt, ey, by),
                               {ir::make_for(x2, n(0), width / lanes, ir::LoopKind::Seq, {out})})};
  ir::Body strip = {ir::make_let(y0, bv.min(1) + ir::make_var(s) * n(options.strip)),
                    ir::make_let(y_end, ir::make_binary(ir::BinaryOp::Min, by + n(options.strip),
                                                        bv.min(1) + bv.extent(1))),
                    ir::make_alloc(bh, {width * n(4)}, "heap"),
                    ir::make_for(y, by - n(1), ir::make_var(y_end) + n(1), ir::LoopKind::Seq, rows),
                    ir::make_free(bh)};
  proc->body = {ir::make_for(s, n(0), (bv.extent(1) + n(options.strip - 1)) / n(options.strip),
                             options.parallel ? ir::LoopKind::Parallel : ir::LoopKind::Seq, strip)};
  return proc;
}

}  // namespace hocket::codegen::testing
