// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/force_options.h"

namespace fluidsplat::app {

std::optional<field::ForceSettings> read_forces(const std::vector<std::string>& given, const field::Schema& schema) {
  if (given.empty()) return {};
  field::ForceSettings out;
  Config keys;
  out.bind(keys);
  for (const auto& text : given) text.find('=') == std::string::npos ? keys.read_file(text) : keys.override_with(text);
  out.check(schema);
  return out;
}

}  // namespace fluidsplat::app
