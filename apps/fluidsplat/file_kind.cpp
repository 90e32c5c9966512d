// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/file_kind.h"

#include <fstream>
#include <optional>
#include <string>

#include "base/error.h"

namespace fluidsplat::app {
namespace {

// HDF5 has a signature; safetensors begins with the length of its header, of which the sixth byte is always zero, and
// the header's brace.
std::optional<FileKind> kind_of(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) return {};
  std::ifstream stream(file, std::ios::binary);
  std::string head(9, ' ');
  if (!stream.read(head.data(), std::ssize(head))) return {};
  if (head.substr(0, 8) == "\x89HDF\r\n\x1a\n") return FileKind::dataset;
  if (head[5] == '\0' && head[8] == '{') return FileKind::model;
  if (file.extension() == ".toml") return FileKind::config;
  return {};
}

const char* name_of(FileKind kind) {
  return kind == FileKind::dataset ? "a dataset" : kind == FileKind::model ? "a model" : "a config";
}

const char* remedy(FileKind found, FileKind wanted) {
  if (found == FileKind::dataset && wanted == FileKind::config) return "\"fluidsplat init\" writes a config for it";
  if (found == FileKind::model && wanted == FileKind::config) return "--from MODEL starts a training from a model";
  if (wanted == FileKind::model) return "name the run folder or its model.safetensors";
  return "name the .h5 file";
}

}  // namespace

void expect_kind(const std::filesystem::path& file, FileKind wanted) {
  const auto found = kind_of(file);
  if (found && *found != wanted)
    fail("{}: is {}, {} was expected; {}", file.string(), name_of(*found), name_of(wanted), remedy(*found, wanted));
}

}  // namespace fluidsplat::app
