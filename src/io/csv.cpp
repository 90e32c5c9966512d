// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "base/atomic_file.h"
#include "base/config.h"
#include "base/error.h"

namespace fluidsplat::io {
namespace {

constexpr char kSpaces = ' ';  // stands for any run of blanks

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The separator that occurs most often outside quotes.
char detect_separator(std::string_view line) {
  char best = kSpaces;
  std::ptrdiff_t most = 0;
  for (const char candidate : {',', ';', '\t'}) {
    std::ptrdiff_t count = 0;
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      count += c == candidate && !quoted;
    }
    if (count > most) {
      most = count;
      best = candidate;
    }
  }
  return best;
}

// Splits one line into cells.
class LineSplitter {
 public:
  LineSplitter(std::string_view line, char separator, const std::string& source, std::size_t number)
      : line_(line), separator_(separator), source_(source), number_(number) {}

  void split(std::vector<std::string>& cells) {
    cells.clear();
    skip_blanks();
    // With spaces for separators a line may end in one; with others, a separator announces one more cell.
    do {
      cells.push_back(next_cell());
    } while (accept_separator());
  }

 private:
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }
  void skip_blanks() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
  }
  bool accept_separator() {
    const std::size_t before = at_;
    skip_blanks();
    if (at_ == line_.size()) return false;
    if (separator_ == kSpaces && at_ > before) return true;
    if (line_[at_] != separator_) fail("{}:{}: text follows a closing quote", source_, number_);
    ++at_;
    skip_blanks();
    return true;
  }
  std::string next_cell() {
    if (at_ < line_.size() && line_[at_] == '"') return quoted_cell();
    const std::size_t first = at_;
    while (at_ < line_.size() && line_[at_] != separator_ && !(separator_ == kSpaces && is_blank(line_[at_]))) ++at_;
    return std::string(trim(line_.substr(first, at_ - first)));
  }
  std::string quoted_cell() {
    std::string cell;
    for (++at_; at_ < line_.size(); ++at_) {
      if (line_[at_] != '"') {
        cell += line_[at_];
      } else if (at_ + 1 < line_.size() && line_[at_ + 1] == '"') {
        cell += line_[++at_];  // a doubled quote is one quote
      } else {
        ++at_;
        return cell;
      }
    }
    fail("{}:{}: a quote is not closed", source_, number_);
  }

  std::string_view line_;
  char separator_;
  const std::string& source_;
  std::size_t number_;
  std::size_t at_ = 0;
};

std::optional<double> parse_number(std::string_view cell) {
  if (cell.empty() || cell == "NA") return std::numeric_limits<double>::quiet_NaN();
  if (cell.starts_with('+') && cell.size() > 1 && cell[1] != '-') cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (end != cell.data() + cell.size()) return {};
  // Out of range means beyond what a double holds in either direction; neither is a measured value.
  if (error != std::errc()) return {};
  return value;
}

using OnRow = std::function<void(std::size_t line, std::vector<std::string>& cells)>;

// Fills `header` from the first row and calls `on_row` for the others, which have as many cells as the header.
void for_each_row(std::string_view text, const std::string& source, std::vector<std::string>& header,
                  const OnRow& on_row) {
  if (text.find('\0') != std::string_view::npos)
    fail("{}: is no plain text (a binary file, or UTF-16); a table of numbers was expected", source);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // byte-order mark
  std::vector<std::string> cells;
  std::optional<char> separator;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (trim(line).empty() || trim(line).starts_with('#')) continue;
    if (!separator) separator = detect_separator(line);
    LineSplitter(line, *separator, source, number).split(cells);
    if (header.empty()) {
      const auto is_number = [](const std::string& cell) { return !cell.empty() && parse_number(cell); };
      if (std::all_of(cells.begin(), cells.end(), is_number))
        fail("{}:{}: the first line holds numbers; it must name the columns", source, number);
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (!cells[i].empty() && std::find(cells.begin() + std::ptrdiff_t(i) + 1, cells.end(), cells[i]) != cells.end())
          fail("{}:{}: two columns are called \"{}\"; give each its own name", source, number, cells[i]);
      header = cells;
    } else if (cells.size() != header.size()) {
      fail("{}:{}: {} cells, the header has {}", source, number, cells.size(), header.size());
    } else {
      on_row(number, cells);
    }
  }
  if (header.empty()) fail("{}: is empty; the first line must name the columns", source);
}

std::string quoted_if_needed(const std::string& name) {
  const bool plain = !name.empty() && name.find_first_of(",;\t \"#\n\r") == std::string::npos;
  if (plain) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace

const std::vector<double>& Table::column(std::string_view name) const {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return columns[std::size_t(found - header.begin())];
  const std::string near = nearest_name(name, header);
  if (!near.empty()) fail("{}: has no column '{}'; did you mean '{}'?", source, name, near);
  fail("{}: has no column '{}'; it has {}", source, name, fmt::join(header, ", "));
}

Table parse_csv(std::string_view text, const std::string& source) {
  Table table;
  table.source = source;
  for_each_row(text, source, table.header, [&](std::size_t line, std::vector<std::string>& cells) {
    table.columns.resize(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto value = parse_number(cells[i]);
      if (!value) fail("{}:{}: column '{}': '{}' is not a number", source, line, table.header[i], cells[i]);
      table.columns[i].push_back(*value);
    }
  });
  table.columns.resize(table.header.size());
  return table;
}

Table read_csv(const std::filesystem::path& path) {
  return parse_csv(read_file(path), path.string());
}

TextTable read_text_csv(const std::filesystem::path& path) {
  TextTable table;
  for_each_row(read_file(path), path.string(), table.header,
               [&](std::size_t, std::vector<std::string>& cells) { table.rows.push_back(cells); });
  return table;
}

std::string to_csv(const Table& table) {
  if (table.columns.size() != table.header.size())
    fail("{}: {} columns for {} names", table.source, table.columns.size(), table.header.size());
  std::string text;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    if (i) text += ',';
    text += quoted_if_needed(table.header[i]);
  }
  text += '\n';
  for (const auto& column : table.columns)
    if (column.size() != table.rows()) fail("{}: the columns have different lengths", table.source);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i) text += ',';
      const double value = table.columns[i][row];
      // A lone empty cell would be an empty line, which readers skip.
      if (std::isnan(value))
        text += table.columns.size() == 1 ? "nan" : "";
      else
        fmt::format_to(std::back_inserter(text), "{}", value);
    }
    text += '\n';
  }
  return text;
}

void write_csv(const std::filesystem::path& path, const Table& table) {
  write_file(path, to_csv(table));
}

}  // namespace fluidsplat::io
