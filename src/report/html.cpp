// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <fmt/format.h>

#include "draw/markup.h"

namespace fluidsplat::report {
namespace {

constexpr const char* kStyle = R"(
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 1240px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .3rem; }
h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid #ddd; padding-bottom: .2rem; }
.figures { display: flex; flex-wrap: wrap; gap: 1.6rem 2rem; margin-bottom: 1.6rem; }
figure { margin: 0; flex: 1 1 420px; max-width: calc(50% - 1rem); }
figure:only-child { max-width: 960px; }
@media (max-width: 900px) { figure { max-width: 100%; } }
figure img, figure svg { width: 100%; height: auto; display: block; }
figcaption { font-size: .85rem; color: #555; margin-top: .3rem; padding-top: .3rem; border-top: 1px solid #eee; }
table { border-collapse: collapse; margin: .8rem 0; }
th, td { border: 1px solid #ddd; padding: .3rem .7rem; text-align: left; font-variant-numeric: tabular-nums; }
th { background: #f4f4f4; }
pre { background: #f7f7f7; border: 1px solid #ddd; padding: .8rem; overflow-x: auto; font-size: .8rem; }
)";

}  // namespace

void Page::heading(const std::string& text) {
  body_ += fmt::format("<h2>{}</h2>\n", draw::escape(text));
}

void Page::paragraph(const std::string& text) {
  body_ += fmt::format("<p>{}</p>\n", draw::escape(text));
}

void Page::list(const std::vector<std::string>& items) {
  body_ += "<ul>\n";
  for (const std::string& item : items) body_ += fmt::format("<li>{}</li>\n", draw::escape(item));
  body_ += "</ul>\n";
}

void Page::table(const std::vector<std::vector<std::string>>& rows) {
  body_ += "<table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const char* cell = r == 0 ? "th" : "td";
    body_ += "<tr>";
    for (const auto& text : rows[r]) body_ += fmt::format("<{0}>{1}</{0}>", cell, draw::escape(text));
    body_ += "</tr>\n";
  }
  body_ += "</table>\n";
}

void Page::figures(const std::vector<Figure>& figures) {
  body_ += "<div class=\"figures\">\n";
  for (const auto& f : figures)
    body_ += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", f.markup, draw::escape(f.caption));
  body_ += "</div>\n";
}

void Page::folded(const std::string& summary, const std::string& preformatted) {
  body_ += fmt::format("<details><summary>{}</summary><pre>{}</pre></details>\n", draw::escape(summary),
                       draw::escape(preformatted));
}

std::string Page::finish() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, "
      "initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<h1>{0}</h1>\n{2}</body>\n</html>\n",
      draw::escape(title_), kStyle, body_);
}

std::string image(const std::string& uri, const std::string& alternative) {
  return fmt::format("<img src=\"{}\" alt=\"{}\">", uri, draw::escape(alternative));
}

}  // namespace fluidsplat::report
