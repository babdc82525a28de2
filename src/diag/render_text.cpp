#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "diag/render.h"
#include "diag/source_line.h"
#include "support/strings.h"

namespace hocket::diag {

namespace {

// How wide a text is on a screen: code points, not bytes.
int width(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

int indentation(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return static_cast<int>(first == std::string_view::npos ? line.size() : first);
}

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

std::string carets(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 1)), '^');
}

constexpr int kWidest = 200;  // of a line of source that is shown

// The part of a long line around its column, as a place of its own.
Place around_column(Place place) {
  const int size = static_cast<int>(place.text.size());
  if (size <= kWidest) return place;
  int from = std::clamp(place.column - 1 - kWidest / 2, 0, size - kWidest);
  int to = from + kWidest;
  const auto inside = [&](int at) {  // of a character of several bytes
    return at < size &&
           (static_cast<unsigned char>(place.text[static_cast<size_t>(at)]) & 0xC0) == 0x80;
  };
  while (from > 0 && inside(from)) --from;
  while (inside(to)) ++to;
  const std::string before = from > 0 ? "... " : "", behind = to < size ? " ..." : "";
  const int moved = static_cast<int>(before.size()) - from;
  place.text = before +
               place.text.substr(static_cast<size_t>(from), static_cast<size_t>(to - from)) +
               behind;
  if (place.column > 0) place.column += moved;
  if (place.end_column > 0) place.end_column += moved;
  return place;
}

// `  --> blur.hk:3:14   the line`, and carets under the columns of the place.
std::string place_lines(std::string_view arrow, const Place& spoken, std::string_view remark) {
  std::string head = "  " + std::string(arrow) + " " + spoken.spoken();
  const Place place = around_column(with_source_line(spoken));
  const std::string_view shown = support::trim(place.text);
  if (!shown.empty()) head += "   ";
  const int text_starts_at = width(head);
  std::string out = head + std::string(shown);
  if (!remark.empty()) out += "   <- " + std::string(remark);
  out += "\n";
  if (shown.empty() || place.column <= 0) return out;
  const int cut = static_cast<int>(shown.data() - place.text.data());
  const int first = place.column - 1 - cut;
  if (first < 0 || first > static_cast<int>(shown.size())) return out;
  const int last = std::clamp(place.end_column - 1 - cut, first, static_cast<int>(shown.size()));
  const int column = text_starts_at + width(shown.substr(0, static_cast<std::size_t>(first)));
  out += "  |" + spaces(column - 3) +
         carets(width(shown.substr(static_cast<std::size_t>(first),
                                   static_cast<std::size_t>(last - first)))) +
         "\n";
  return out;
}

// Which lines of a long nest to show: the culprit, its parents, then what is nearest to it.
std::vector<bool> lines_to_show(const Nest& nest) {
  const int count = static_cast<int>(nest.lines.size());
  std::vector<bool> shown(nest.lines.size(), count <= kNestLines);
  if (count <= kNestLines) return shown;
  const int culprit = std::clamp(nest.caret_line, 0, count - 1);
  const auto lines_needed = [&] {
    int lines = 0;
    for (int i = 0; i < count; ++i) {
      const bool gap_starts = !shown[i] && (i == 0 || shown[i - 1]);
      lines += shown[i] || gap_starts;
    }
    return lines;
  };
  const auto show_if_it_fits = [&](int line) {
    if (line < 0 || line >= count || shown[line]) return;
    shown[line] = true;
    if (lines_needed() > kNestLines) shown[line] = false;
  };
  show_if_it_fits(culprit);
  int level = indentation(nest.lines[culprit]);
  for (int i = culprit - 1; i >= 0; --i) {
    if (indentation(nest.lines[i]) >= level) continue;
    level = indentation(nest.lines[i]);
    show_if_it_fits(i);
  }
  for (int distance = 1; distance < count; ++distance) {
    show_if_it_fits(culprit - distance);
    show_if_it_fits(culprit + distance);
  }
  return shown;
}

std::string nest_lines(const Nest& nest) {
  const std::vector<bool> shown = lines_to_show(nest);
  std::string out;
  for (std::size_t i = 0; i < nest.lines.size(); ++i) {
    if (!shown[i]) {
      if (i == 0 || shown[i - 1]) out += "  |  " + spaces(indentation(nest.lines[i])) + "…\n";
      continue;
    }
    out += "  |  " + nest.lines[i] + "\n";
    if (static_cast<int>(i) == nest.caret_line) {
      out += "  |  " + spaces(nest.caret_column) + carets(nest.caret_length) + "\n";
    }
  }
  return out;
}

// Source text and names hold any bytes: none of them moves the cursor of a terminal or colours it.
std::string printable(std::string text) {
  for (char& c : text) {
    const unsigned char u = static_cast<unsigned char>(c);
    if ((u < 0x20 && c != '\n' && c != '\t') || u == 0x7F) c = '?';
  }
  return text;
}

}  // namespace

std::string render_text(const Diagnostic& diagnostic) {
  const KindInfo& kind = diagnostic.kind.info();
  std::string out = std::string(spoken(kind.severity)) + "[" + std::string(kind.code) +
                    "]: " + diagnostic.message() + "\n";
  for (const Label& context : diagnostic.context) {
    out += place_lines("in ", context.place, context.text);
  }
  if (diagnostic.place.known()) out += place_lines("-->", diagnostic.place, "");
  for (const Label& label : diagnostic.labels) out += place_lines(":::", label.place, label.text);
  out += nest_lines(diagnostic.nest);
  for (const std::string& line : diagnostic.witness) out += "witness: " + line + "\n";
  const int helps = static_cast<int>(diagnostic.helps.size());
  for (int i = 0; i < std::min(helps, kHelps); ++i) {
    out += "help: " + diagnostic.helps[static_cast<std::size_t>(i)] + "\n";
  }
  if (helps > kHelps) {
    out += "note: " + std::to_string(helps - kHelps) + " more; `hocket explain " +
           std::string(kind.code) + "`\n";
  }
  for (const std::string& note : diagnostic.notes) out += "note: " + note + "\n";
  return printable(std::move(out));
}

}  // namespace hocket::diag
