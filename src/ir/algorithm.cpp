#include "ir/algorithm.h"

namespace hocket::ir {

const Func* Algorithm::find(const Symbol& s) const {
    for (const Func& f : funcs)
        if (f.sym == s) return &f;
    return nullptr;
}

const Func* Algorithm::find(std::string_view name) const {
    for (const Func& f : funcs)
        if (f.name() == name) return &f;
    return nullptr;
}

const ImageParam* Algorithm::find_input(const Symbol& s) const {
    for (const ImageParam& p : inputs)
        if (p.sym == s) return &p;
    return nullptr;
}

bool Algorithm::is_output(const Symbol& s) const {
    for (const Symbol& o : outputs)
        if (o == s) return true;
    return false;
}

}  // namespace hocket::ir
