// A small JSON writer: objects, arrays, numbers, strings; nothing is read.
// In: calls in document order. Out: text. Used by: row_main.cpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace hocket::bench {

class JsonWriter {
 public:
  JsonWriter& key(const std::string& name) {
    comma();
    quote(name);
    text_ += ": ";
    after_key_ = true;
    return *this;
  }
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& string(const std::string& value) {
    comma();
    quote(value);
    return *this;
  }
  JsonWriter& number(double value) {
    if (!std::isfinite(value)) return raw("null");
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.7g", value);
    return raw(buffer);
  }
  JsonWriter& integer(int64_t value) { return raw(std::to_string(value)); }
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& null() { return raw("null"); }
  // Columns that are not known are negative in Contestant.
  JsonWriter& known(double value) { return value < 0 ? null() : number(value); }
  JsonWriter& numbers(const std::vector<double>& values) {
    begin_array();
    for (double value : values) number(value);
    return end_array();
  }

  const std::string& text() const { return text_; }

 private:
  void comma() {
    if (!after_key_ && !text_.empty() && text_.back() != '{' && text_.back() != '[') text_ += ", ";
    after_key_ = false;
  }
  JsonWriter& raw(const std::string& value) {
    comma();
    text_ += value;
    return *this;
  }
  JsonWriter& open(char bracket) {
    comma();
    text_ += bracket;
    return *this;
  }
  JsonWriter& close(char bracket) {
    text_ += bracket;
    after_key_ = false;
    return *this;
  }
  void quote(const std::string& value) {
    text_ += '"';
    for (char c : value) {
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        char buffer[8];
        std::snprintf(buffer, sizeof buffer, "\\u%04x", c);
        text_ += buffer;
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string text_;
  bool after_key_ = false;
};

}  // namespace hocket::bench
