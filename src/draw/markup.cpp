// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/markup.h"

#include "io/base64.h"

namespace fluidsplat::draw {

std::string escape(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string data_uri(const io::Image& image) {
  return "data:image/png;base64," + io::encode_base64(io::encode_png(image));
}

}  // namespace fluidsplat::draw
