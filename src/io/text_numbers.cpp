// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/text_numbers.h"

#include <charconv>
#include <limits>
#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat::io {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Where there are semicolons, commas are decimal: 0,5;1,25.
char separator_of(std::string_view line) {
  for (const char c : {';', ','})
    if (line.find(c) != std::string_view::npos) return c;
  return ' ';
}

// Words of a line; a comma or semicolon with nothing before it is an empty word, quoted words may hold blanks.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  const char separator = separator_of(line);
  std::string word;
  bool quoted = false, any = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      any = true;
    } else if (!quoted && (c == separator || (separator == ' ' && c == '\t'))) {
      if (separator != ' ' || any) out.emplace_back(trim(word));
      word.clear();
      any = false;
    } else {
      word += c;
      any = any || c != '\r';
    }
  }
  if (separator != ' ' || any) out.emplace_back(trim(word));
  return out;
}

std::optional<double> number(std::string_view word) {
  if (word.empty() || word == "NA" || word == "-" || word == "--") return std::numeric_limits<double>::quiet_NaN();
  if (word.front() == '+') word.remove_prefix(1);
  std::string text(word);
  for (char& c : text)
    if (c == 'd' || c == 'D')
      c = 'e';  // Fortran's double precision
    else if (c == ',')
      c = '.';
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::optional<std::vector<double>> numbers(const std::vector<std::string>& words) {
  std::vector<double> out;
  bool any = false;
  for (const auto& word : words) {
    const auto value = number(word);
    if (!value) return {};
    any = any || !word.empty();
    out.push_back(*value);
  }
  if (!any) return {};
  return out;
}

// A comment without its mark, or nothing when the line is none.
std::optional<std::string_view> comment(std::string_view line) {
  for (const std::string_view mark : {"#", "%", "//", "!"})
    if (line.starts_with(mark))
      return trim(line.substr(line.find_first_not_of(mark.front()) == std::string_view::npos
                                  ? line.size()
                                  : line.find_first_not_of(mark.front())));
  return {};
}

}  // namespace

Table parse_text_numbers(std::string_view text, const std::string& source) {
  if (text.find('\0') != std::string_view::npos)
    fail("{}: is no plain text (a binary file, or UTF-16); a table of numbers was expected", source);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // byte-order mark
  Table out;
  out.source = source;
  std::vector<std::vector<std::string>> before;  // lines before the first row
  for (std::size_t line_number = 1; !text.empty(); ++line_number) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const auto note = comment(line);
    const auto words = words_of(note ? *note : line);
    const auto row = note ? std::nullopt : numbers(words);
    if (!row) {
      if (!note && !out.columns.empty())
        fail("{}:{}: \"{}\" is not a row of {} numbers", source, line_number, line.substr(0, 60), out.columns.size());
      if (out.columns.empty()) before.push_back(words);
      continue;
    }
    if (out.columns.empty()) out.columns.resize(row->size());
    if (row->size() != out.columns.size())
      fail("{}:{}: {} numbers, the rows before have {}", source, line_number, row->size(), out.columns.size());
    for (std::size_t c = 0; c < row->size(); ++c) out.columns[c].push_back((*row)[c]);
  }
  if (out.columns.empty()) fail("{}: has no row of numbers", source);
  for (auto it = before.rbegin(); it != before.rend() && out.header.empty(); ++it)
    if (it->size() == out.columns.size()) out.header = *it;
  for (std::size_t i = 0; i < out.header.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (out.header[i] == out.header[k])
        fail("{}: two columns are called \"{}\"; give each its own name", source, out.header[i]);
  return out;
}

Table read_text_numbers(const std::filesystem::path& path) {
  return parse_text_numbers(read_file(path), path.string());
}

}  // namespace fluidsplat::io
