// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For files that call VTK themselves: it brings in VTK headers.

#include <vtkNew.h>
#include <vtkSmartPointer.h>

#include <mutex>
#include <string>

class vtkOutputWindow;

namespace fluidsplat::io {

// While it lives, VTK's messages are collected instead of printed, and no other thread uses VTK through us: the place
// where VTK sends its messages is one per process.
class VtkSession {
 public:
  VtkSession();
  ~VtkSession();
  VtkSession(const VtkSession&) = delete;
  VtkSession& operator=(const VtkSession&) = delete;

  // The first error since the session began, on one line; empty when there was none.
  std::string first_error() const;

 private:
  std::lock_guard<std::mutex> guard_;
  vtkSmartPointer<vtkOutputWindow> previous_;
  vtkSmartPointer<vtkOutputWindow> collector_;
  int verbosity_;
};

}  // namespace fluidsplat::io
