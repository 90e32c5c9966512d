// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/manifest.h"

#include <fmt/format.h>

#include "base/processor.h"
#include "reproduce/read_json.h"

namespace fluidsplat::reproduce {
namespace {

// Raise it with a change that makes trainings or judgements come out otherwise.
constexpr int kArithmetic = 1;

std::string compiler() {
#ifdef __clang__
  return "Clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}

}  // namespace

std::string results_version() {
  return fmt::format(FLUIDSPLAT_VERSION ", results {}", kArithmetic);
}

Manifest manifest_for(const Run& run) {
  Manifest m;
  m.subject = run.subject;
  m.is_classical = run.is_classical;
  m.asked = m.config = settings_text(run.config);
  m.sensors = run.sensors;
  m.seed = run.is_classical ? 0 : run.seed();
  m.threads = run.config.threads;
  m.minutes = run.config.max_minutes;
  m.version = results_version();
  m.compiler = compiler();
  m.cpu = processor();
  return m;
}

nlohmann::ordered_json to_json(const Manifest& m) {
  return {{"benchmark", m.subject.benchmark},
          {"layout", m.subject.layout},
          {"method", m.subject.method},
          {"classical", m.is_classical},
          {"seed", m.seed},
          {"minutes", m.minutes},
          {"threads", m.threads},
          {"sensors", m.sensors},
          {"cases", m.cases},
          {"data", m.data},
          {"data_hash", m.data_hash},
          {"version", m.version},
          {"compiler", m.compiler},
          {"cpu", m.cpu},
          {"date", m.date},
          {"seconds", m.seconds},
          {"asked", m.asked},
          {"config", m.config}};
}

Manifest manifest_from(const std::string& json, const std::string& where) {
  return read_json<Manifest>(json, where, [](const nlohmann::json& j) {
    Manifest m;
    j.at("benchmark").get_to(m.subject.benchmark);
    j.at("layout").get_to(m.subject.layout);
    j.at("method").get_to(m.subject.method);
    j.at("classical").get_to(m.is_classical);
    j.at("seed").get_to(m.seed);
    j.at("minutes").get_to(m.minutes);
    j.at("threads").get_to(m.threads);
    j.at("sensors").get_to(m.sensors);
    j.at("cases").get_to(m.cases);
    j.at("data").get_to(m.data);
    j.at("data_hash").get_to(m.data_hash);
    j.at("version").get_to(m.version);
    j.at("compiler").get_to(m.compiler);
    j.at("cpu").get_to(m.cpu);
    j.at("date").get_to(m.date);
    j.at("seconds").get_to(m.seconds);
    j.at("asked").get_to(m.asked);
    j.at("config").get_to(m.config);
    return m;
  });
}

}  // namespace fluidsplat::reproduce
