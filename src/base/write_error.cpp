// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/write_error.h"

#include <cerrno>
#include <system_error>

namespace fluidsplat {
namespace {

const char* remedy(int error) {
  switch (error) {
    case ENOSPC:
      return "make room there, or write to another disk";
    case EDQUOT:
      return "remove files of yours there, or write to another disk";
    case EFBIG:
      return "files may not be that large there; \"ulimit -f\" shows a limit, \"ulimit -f unlimited\" lifts it";
    case EROFS:
      return "write to another disk";
    default:
      return nullptr;
  }
}

}  // namespace

std::string write_error_text(int error) {
  const auto text = std::generic_category().message(error);
  const auto* helps = remedy(error);
  return helps ? text + "; " + helps : text;
}

}  // namespace fluidsplat
