#include "ir/schedule.h"

namespace hocket::ir {

const char* spelling(Verb verb) {
  switch (verb) {
    case Verb::Split:
      return "split";
    case Verb::Fuse:
      return "fuse";
    case Verb::Tile:
      return "tile";
    case Verb::Reorder:
      return "reorder";
    case Verb::Rename:
      return "rename";
    case Verb::Serial:
      return "serial";
    case Verb::Parallel:
      return "parallel";
    case Verb::Vectorize:
      return "vectorize";
    case Verb::Unroll:
      return "unroll";
    case Verb::ComputeRoot:
      return "compute_root";
    case Verb::ComputeAt:
      return "compute_at";
    case Verb::ComputeInline:
      return "compute_inline";
    case Verb::StoreRoot:
      return "store_root";
    case Verb::StoreAt:
      return "store_at";
    case Verb::Bound:
      return "bound";
    case Verb::FoldStorage:
      return "fold_storage";
    case Verb::ReorderStorage:
      return "reorder_storage";
    case Verb::StoreIn:
      return "store_in";
    case Verb::StreamStores:
      return "stream_stores";
  }
  return "?";
}

const char* spelling(Tail tail) {
  switch (tail) {
    case Tail::Auto:
      return "auto";
    case Tail::RoundUp:
      return "round_up";
    case Tail::Guard:
      return "guard";
    case Tail::ShiftInwards:
      return "shift_inwards";
  }
  return "?";
}

}  // namespace hocket::ir
