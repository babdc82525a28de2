// Small text helpers that every printer needs. In: texts. Out: new texts. Used by: all rooms.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hocket::support {

// Parts with `separator` between them: join({"a", "b"}, ", ") is "a, b".
std::string join(const std::vector<std::string>& parts, std::string_view separator);

// Lines without their line ends; a last line end makes no empty line.
std::vector<std::string> split_lines(std::string_view text);

// Every line that is not empty, moved right by `columns` spaces.
std::string indent(std::string_view text, int columns);

std::string_view trim(std::string_view text);

// `name` in backticks, as messages show names.
std::string quoted(std::string_view name);

// How many there are: counted(1, "update") is "1 update", counted(2, "update") is "2 updates".
std::string counted(std::size_t count, std::string_view noun);

}  // namespace hocket::support
