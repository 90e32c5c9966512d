// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/methods.h"

#include <algorithm>
#include <cctype>

#include "base/misuse.h"
#include "baselines/classical_methods.h"

namespace fluidsplat::reproduce {
namespace {

// "POD, linear ridge" becomes "pod-linear-ridge".
std::string slug(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += char(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

}  // namespace

std::vector<Method> methods_for(bool has_prior, bool sensors_are_redrawn) {
  std::vector<Method> out = {{"paper", "FluidSplat, the paper's form", "FluidSplat"}};
  out.push_back({"recipe", has_prior ? "FluidSplat, our recipe (on a prior)" : "FluidSplat, our recipe"});
  if (has_prior) out.push_back({"network", "FluidSplat, our recipe without the prior"});
  out.push_back({"senseiver", "Senseiver", "Senseiver"});
  out.push_back({"deeponet", "DeepONet", "DeepONet"});
  out.push_back({"flronet", "FLRONet", "FLRONet"});
  out.push_back({"recfno", "RecFNO", "RecFNO"});
  field::SensorLayout sensors;
  if (sensors_are_redrawn) sensors.redraw.emplace();
  for (const auto& m : baselines::classical_methods(sensors))
    out.push_back({slug(m.name), m.name, m.name == "POD, linear ridge" ? "POD-Ridge" : "", true, m.settings});
  return out;
}

std::string classical_settings(const std::string& id) {
  for (const auto& m : methods_for(false, false))
    if (m.id == id && m.is_classical) return m.settings;
  misuse("there is no classical method {}", id);
}

std::string base_method(const std::string& id) {
  return id.substr(0, id.find('.'));
}

}  // namespace fluidsplat::reproduce
