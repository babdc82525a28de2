#include "api/files.h"

#include "api/error.h"

namespace hocket::api {

void write_files(const std::vector<driver::WrittenText>& files, std::source_location where) {
  or_throw(driver::write_texts(files, support::Place::of(where)));
}

}  // namespace hocket::api
