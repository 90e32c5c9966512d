// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fluidsplat::report {

// A self-contained HTML page, built from top to bottom: one file that can be mailed.
class Page {
 public:
  explicit Page(std::string title) : title_(std::move(title)) {}
  void heading(const std::string& text);
  void paragraph(const std::string& text);
  void list(const std::vector<std::string>& items);
  // Rows of cells; the first row is the header.
  void table(const std::vector<std::vector<std::string>>& rows);
  struct Figure {
    std::string markup, caption;  // markup: an <svg> or what image() gives
  };
  // Figures side by side, wrapping where the window is narrow.
  void figures(const std::vector<Figure>& figures);
  // A block that is folded until it is clicked.
  void folded(const std::string& summary, const std::string& preformatted);
  std::string finish() const;

 private:
  std::string title_, body_;
};

// An <img> of a data URI.
std::string image(const std::string& uri, const std::string& alternative);

}  // namespace fluidsplat::report
