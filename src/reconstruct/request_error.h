// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

namespace fluidsplat::reconstruct {

// What a request lacks.
enum class Remedy {
  name_mesh,      // a mesh with what the model needs
  choose_mesh,    // which of a dataset's meshes
  place_sensors,  // where the sensors are
};

// An Error that another request would not meet.  The text says what is missing; how it is given (a flag, a field of a
// form) is for the program to add that made the request.
class RequestError : public Error {
 public:
  RequestError(Remedy remedy, const std::string& text) : Error(text), remedy_(remedy) {}
  Remedy remedy() const { return remedy_; }

 private:
  Remedy remedy_;
};

// Throws RequestError with a formatted text.
template <typename... Args>
[[noreturn]] void refuse(Remedy remedy, fmt::format_string<Args...> text, Args&&... args) {
  throw RequestError(remedy, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace fluidsplat::reconstruct
