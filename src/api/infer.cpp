// How large inputs and outputs have to be, asked of the compiled code (a bounds query).
#include <algorithm>

#include "api/contents.h"
#include "api/pipeline.h"

namespace hocket {

using support::Place;

namespace {

// A buffer without memory: compiled code fills in its box.
struct Query {
  std::vector<hocket_dim_t> dims;
  hocket_buffer_t raw = {};
  explicit Query(size_t rank) : dims(rank) {
    raw.dimensions = static_cast<int32_t>(rank);
    raw.dim = dims.data();
  }
};

}  // namespace

namespace api {

namespace {

// Several tails along one dimension may each ask for more.
constexpr int kMostQueries = 8;
constexpr int64_t kMostElements = int64_t{1} << 31;

bool is_held(const BufferBox& box) {
  int64_t elements = 1;
  for (const auto& [min, extent] : box)
    if (extent < 0 || __builtin_mul_overflow(elements, std::max<int64_t>(extent, 1), &elements) ||
        elements > kMostElements)
      return false;
  return true;
}

}  // namespace

void grow_to_what_is_written(const Compiled& code, std::vector<BufferBox>& boxes) {
  std::vector<BufferBox> now = boxes;
  for (int round = 0; round < kMostQueries; ++round) {
    std::vector<std::unique_ptr<Query>> outputs;
    std::vector<hocket_buffer_t*> raw;
    for (const BufferBox& box : now) {
      outputs.push_back(std::make_unique<Query>(box.size()));
      int64_t stride = 1;
      for (size_t d = 0; d < box.size(); ++d) {
        outputs.back()->dims[d] = {box[d].first, box[d].second, stride};
        stride *= std::max<int64_t>(box[d].second, 1);
      }
      raw.push_back(&outputs.back()->raw);
    }
    if (call(code, raw.data(), raw.size()) != HOCKET_OK) return;
    bool grew = false;
    for (size_t i = 0; i < now.size(); ++i)
      for (size_t d = 0; d < now[i].size(); ++d) {
        auto& [min, extent] = now[i][d];
        const hocket_dim_t& need = outputs[i]->dims[d];
        const int64_t first = std::min(min, need.min);
        const int64_t last = std::max(min + extent, need.min + need.extent);
        grew = grew || first != min || last != min + extent;
        min = first;
        extent = last - first;
      }
    for (const BufferBox& box : now)
      if (!is_held(box)) return;
    if (!grew) {
      boxes = now;
      return;
    }
  }
}

}  // namespace api

void Pipeline::infer_input_bounds(const Realization& outputs, Where where) {
  if (outputs.size() != outputs_.size())
    refuse("this Pipeline has " + std::to_string(outputs_.size()) + " outputs, it is given " +
               std::to_string(outputs.size()) + " buffers",
           Place::of(where));
  const std::shared_ptr<const api::Compiled> code = api::compiled(contents(), name_);
  std::vector<std::unique_ptr<Query>> queries;
  std::vector<std::pair<api::ImageContents*, Query*>> wanted;
  std::vector<void*> args;
  const auto query = [&](size_t rank) {
    queries.push_back(std::make_unique<Query>(rank));
    args.push_back(&queries.back()->raw);
    return queries.back().get();
  };
  for (const api::Slot& s : code->slots) {
    if (s.param != nullptr) {
      if (!s.param->set)
        refuse("no value is set for parameter `" + s.param->param.sym.name() + "`",
               s.param->param.place);
      args.push_back(&s.param->bits);
    } else if (s.image->bound.defined()) {
      args.push_back(s.image->bound.raw_buffer());
    } else {
      wanted.emplace_back(s.image, query(s.image->image.dims.size()));
    }
  }
  for (const BufferBase& b : outputs) {
    Query* const q = query(static_cast<size_t>(b.dimensions()));
    for (int d = 0; d < b.dimensions(); ++d)
      q->dims[static_cast<size_t>(d)] = {b.min(d), b.extent(d), b.stride(d)};
  }
  if (diag::Result<void> done = code->callable.run(args); !done) {
    done.error().place = Place::of(where);
    throw Error(std::move(done.error()));
  }
  for (const auto& [image, q] : wanted) {
    std::vector<int64_t> mins, extents;
    for (const hocket_dim_t& d : q->dims) {
      mins.push_back(d.min);
      extents.push_back(d.extent);
    }
    BufferBase fresh(image->image.sym.type(), extents, nullptr, where);
    fresh.set_min(mins, where);
    image->bound = fresh;
  }
}

void Pipeline::infer_input_bounds(const std::vector<int64_t>& sizes, Where where) {
  // Only the boxes of the outputs are read: no memory stands behind them.
  static uint8_t nothing = 0;
  std::vector<BufferBase> outputs;
  for (const Func& f : outputs_) {
    if (!f.defined()) refuse("`" + f.name() + "` is never defined", Place::of(where));
    outputs.emplace_back(f.type(), sizes, &nothing, where);
  }
  infer_input_bounds(Realization(std::move(outputs), where), where);
}

void Func::infer_input_bounds(const std::vector<int64_t>& sizes, Where where) {
  Pipeline(*this).infer_input_bounds(sizes, where);
}
void Func::infer_input_bounds(const BufferBase& output, Where where) {
  Pipeline(*this).infer_input_bounds(Realization(output), where);
}

}  // namespace hocket
