// Random directives for a pipeline: any of them anywhere, or few that make what is stored slide.
#include <optional>

#include "random_pipeline.h"

namespace hocket::street {

using namespace ir;
using interp::Random;

namespace {

// The first stage behind a Func that reads it, where there is one.
bool find_reader(const Algorithm& a, size_t of, size_t* func, int* stage) {
  for (size_t c = of + 1; c < a.funcs.size(); ++c)
    for (int s = 0; s < a.funcs[c].num_stages(); ++s) {
      bool reads = false;
      for_each_call(a.funcs[c].stage(s),
                    [&](const Call& n) { reads |= n.func == a.funcs[of].sym; });
      if (!reads) continue;
      *func = c;
      *stage = s;
      return true;
    }
  return false;
}

// Every Func reads the one before it and no other.
bool is_chain(const Algorithm& a) {
  for (size_t i = 1; i < a.funcs.size(); ++i)
    for (int s = 0; s < a.funcs[i].num_stages(); ++s) {
      bool other = false;
      for_each_call(a.funcs[i].stage(s), [&](const Call& n) {
        other |= !(n.func == a.funcs[i - 1].sym) && !(n.func == a.funcs[i].sym);
      });
      if (other) return false;
    }
  return true;
}

// Few splits, and most of the Funcs stored further out than they are computed: in a loop of their
// reader, or where that is computed itself.
class SlidingSchedule {
 public:
  SlidingSchedule(const Algorithm& a, Random& r, Schedule out)
      : a_(a), r_(r), out_(std::move(out)), loops_(a.funcs.size()), site_(a.funcs.size()) {}

  Schedule run() {
    for (size_t i = a_.funcs.size(); i-- > 0;) {
      for (int s = 0; s < a_.funcs[i].num_stages(); ++s) split(i, s);
      if (i + 1 < a_.funcs.size()) place(i);
    }
    return std::move(out_);
  }

 private:
  Directive& say(size_t func, int stage, Verb verb, std::vector<std::string> names) {
    Directive d;
    d.func = a_.funcs[func].name();
    d.stage = stage;
    d.verb = verb;
    d.names = std::move(names);
    out_.directives.push_back(std::move(d));
    return out_.directives.back();
  }

  void split(size_t func, int stage) {
    const Func& f = a_.funcs[func];
    std::vector<std::string> names;  // outermost first
    for (size_t d = f.args.size(); d-- > 0;)
      if (is_pure_dim(f, stage, static_cast<int>(d))) names.push_back(f.args[d].name());
    const auto& vars = f.stage(stage).domain.vars;
    for (size_t k = vars.size(); k-- > 0;) names.push_back(vars[k].sym.name());
    for (int64_t n = r_.below(func + 1 == a_.funcs.size() ? 2 : 3); n > 0 && !names.empty(); --n) {
      const auto at = static_cast<size_t>(r_.below(static_cast<int64_t>(names.size())));
      const std::string x = names[at], number = std::to_string(out_.directives.size());
      static const Tail tails[] = {Tail::Auto, Tail::Guard, Tail::RoundUp, Tail::ShiftInwards};
      if (at + 1 < names.size() && r_.one_in(5)) {
        say(func, stage, Verb::Fuse, {names[at + 1], x, "t" + number});
        names[at] = "t" + number;
        names.erase(names.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        continue;
      }
      Directive& d = say(func, stage, Verb::Split, {x, x + "o" + number, x + "i" + number});
      d.factors = {r_.between(2, 5)};
      d.tail = tails[r_.below(4)];
      const std::string inner = d.names[2];
      names[at] = d.names[1];
      names.insert(names.begin() + static_cast<std::ptrdiff_t>(at) + 1, inner);
      if (r_.one_in(6)) say(func, stage, r_.one_in(2) ? Verb::Unroll : Verb::Vectorize, {inner});
    }
    loops_[func].push_back(std::move(names));
  }

  void place(size_t func) {
    size_t reader = 0;
    int stage = 0;
    if (!find_reader(a_, func, &reader, &stage)) return;
    const auto at_loop = [&](Verb verb, size_t loop) {
      say(func, 0, verb,
          {a_.funcs[reader].name(), loops_[reader][static_cast<size_t>(stage)][loop]})
          .site_stage = stage;
    };
    const bool outside = !r_.one_in(4);
    if (site_[reader] && r_.one_in(2)) {
      if (outside) say(func, 0, Verb::StoreRoot, {});
      const Directive beside = *site_[reader];
      say(func, 0, Verb::ComputeAt, beside.names).site_stage = beside.site_stage;
    } else {
      const auto loop = static_cast<size_t>(
          r_.below(static_cast<int64_t>(loops_[reader][static_cast<size_t>(stage)].size())));
      if (outside && r_.one_in(3))
        at_loop(Verb::StoreAt, static_cast<size_t>(r_.below(static_cast<int64_t>(loop) + 1)));
      else if (outside)
        say(func, 0, Verb::StoreRoot, {});
      at_loop(Verb::ComputeAt, loop);
    }
    site_[func] = out_.directives.back();
    if (r_.one_in(8))
      say(func, 0, Verb::FoldStorage, {a_.funcs[func].args.back().name()}).factors = {
          r_.between(1, 6)};
  }

  const Algorithm& a_;
  Random& r_;
  Schedule out_;
  std::vector<std::vector<std::vector<std::string>>> loops_;  // per Func and stage
  std::vector<std::optional<Directive>> site_;
};

Schedule sliding_schedule(const Algorithm& a, Random& r, Schedule out) {
  return SlidingSchedule(a, r, std::move(out)).run();
}

}  // namespace

Schedule random_schedule(const AlgorithmRef& a, uint64_t seed) {
  Random r(seed * 0x9E3779B97F4A7C15u + 3);
  Schedule out;
  out.name = "s";
  out.pipeline = a->name;
  if (a->funcs.size() > 2 && r.one_in(is_chain(*a) ? 1 : 4))
    return sliding_schedule(*a, r, std::move(out));
  auto say = [&](const Func& f, int stage, Verb verb, std::vector<std::string> names,
                 std::vector<int64_t> factors = {}) {
    Directive d;
    d.func = f.name();
    d.stage = stage;
    d.verb = verb;
    d.names = std::move(names);
    d.factors = std::move(factors);
    static const Tail tails[] = {Tail::Auto, Tail::Guard, Tail::RoundUp, Tail::ShiftInwards};
    d.tail = tails[r.below(4)];
    bool splits = verb == Verb::Split || verb == Verb::Tile || !d.factors.empty();
    if (!splits || verb == Verb::FoldStorage) d.tail = Tail::Auto;
    out.directives.push_back(std::move(d));
  };
  static const int64_t factors[] = {1, 2, 3, 4, 5, 8};
  auto factor = [&] { return factors[r.below(6)]; };
  // Loops a stage has so far, as far as this generator knows.
  std::vector<std::vector<std::vector<std::string>>> loops;
  for (const Func& f : a->funcs) {
    loops.emplace_back();
    for (int s = 0; s < f.num_stages(); ++s) {
      std::vector<std::string> names;
      for (const Symbol& v : f.args) names.push_back(v.name());
      if (s > 0)
        for (const RVar& v : f.stage(s).domain.vars) names.push_back(v.sym.name());
      loops.back().push_back(names);
    }
  }
  for (size_t i = a->funcs.size(); i-- > 0;) {
    const Func& f = a->funcs[i];
    for (int s = 0; s < f.num_stages(); ++s) {
      auto& names = loops[i][static_cast<size_t>(s)];
      for (int64_t n = r.below(4); n > 0; --n) {
        size_t at = static_cast<size_t>(r.below(static_cast<int64_t>(names.size())));
        std::string x = names[at], number = std::to_string(out.directives.size());
        switch (r.below(11)) {
          case 0:
          case 1:
            say(f, s, Verb::Split, {x, x + "o" + number, x + "i" + number}, {factor()});
            names[at] = x + "o" + number;
            names.push_back(x + "i" + number);
            break;
          case 2: {
            size_t other = static_cast<size_t>(r.below(static_cast<int64_t>(names.size())));
            if (other == at) break;
            say(f, s, Verb::Tile, {x, names[other], x + "i" + number, names[other] + "j" + number},
                {factor(), factor()});
            names.push_back(x + "i" + number);
            names.push_back(names[other] + "j" + number);
            break;
          }
          case 3:
            say(f, s, Verb::Vectorize, {x}, {factor()});
            break;
          case 4:
            say(f, s, Verb::Unroll, {x}, {factor()});
            break;
          case 5:
            say(f, s, Verb::Parallel, {x});
            break;
          case 6: {
            std::vector<std::string> order = names;
            for (size_t k = order.size(); k > 1; --k)
              std::swap(order[k - 1], order[static_cast<size_t>(r.below(static_cast<int64_t>(k)))]);
            say(f, s, Verb::Reorder, order);
            break;
          }
          case 7: {
            // Mostly the loop around this one, as far as the order is known.
            size_t other = static_cast<size_t>(r.below(static_cast<int64_t>(names.size())));
            if (at + 1 < names.size() && !r.one_in(4)) other = at + 1;
            if (other == at) break;
            say(f, s, Verb::Fuse, {x, names[other], "t" + number});
            names[at] = "t" + number;
            names.erase(names.begin() + static_cast<std::ptrdiff_t>(other));
            break;
          }
          case 8:
            say(f, s, Verb::Rename, {x, x + "n" + number});
            names[at] = x + "n" + number;
            break;
          case 9:
            say(f, s, r.one_in(2) ? Verb::Serial : Verb::StreamStores, {x});
            if (out.directives.back().verb == Verb::StreamStores)
              out.directives.back().names.clear();
            break;
          default:
            say(f, s, r.one_in(2) ? Verb::Vectorize : Verb::Unroll, {x});
            break;
        }
      }
    }
    if (r.one_in(8)) {
      say(f, 0, Verb::Bound,
          {f.args[static_cast<size_t>(r.below(static_cast<int64_t>(f.args.size())))].name()});
      out.directives.back().exprs = {make_index(random_min(r)), make_index(random_extent(r))};
    }
    if (i + 1 == a->funcs.size()) continue;
    auto site = [&](Verb verb) {
      size_t c =
          i + 1 + static_cast<size_t>(r.below(static_cast<int64_t>(a->funcs.size() - i - 1)));
      int stage = static_cast<int>(r.below(a->funcs[c].num_stages()));
      if (r.one_in(2)) find_reader(*a, i, &c, &stage);
      const auto& names = loops[c][static_cast<size_t>(stage)];
      say(f, 0, verb,
          {a->funcs[c].name(),
           names[static_cast<size_t>(r.below(static_cast<int64_t>(names.size())))]});
      out.directives.back().site_stage = r.one_in(4) ? 0 : stage;  // 0: the stage follows
    };
    switch (!f.is_pure() && r.one_in(3) ? r.between(2, 3) : r.below(6)) {
      case 0:
        say(f, 0, Verb::ComputeRoot, {});
        break;
      case 1:
        if (r.one_in(2)) say(f, 0, Verb::ComputeInline, {});
        break;
      case 2:
        say(f, 0, Verb::StoreRoot, {});
        site(Verb::ComputeAt);
        break;
      case 3:
        site(Verb::StoreAt);
        site(Verb::ComputeAt);
        break;
      default:
        site(Verb::ComputeAt);
        break;
    }
    if (r.one_in(6)) {
      static const char* const memories[] = {"DRAM", "DRAM_STACK", "DRAM_STATIC"};
      say(f, 0, Verb::StoreIn, {memories[r.below(3)]});
    }
    if (r.one_in(6))
      say(f, 0, Verb::FoldStorage,
          {f.args[static_cast<size_t>(r.below(static_cast<int64_t>(f.args.size())))].name()},
          {r.between(1, 6)});
    if (r.one_in(6) && f.args.size() == 2)
      say(f, 0, Verb::ReorderStorage, {f.args[1].name(), f.args[0].name()});
  }
  return out;
}

}  // namespace hocket::street
