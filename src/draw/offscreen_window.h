// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For volume_view.cpp alone: it brings in VTK headers.

#include <vtkGenericOpenGLRenderWindow.h>

namespace fluidsplat::draw {

// An OpenGL context of this thread that needs no display, for as long as the object lives.
class OffscreenContext {
 public:
  // Throws Error where there is none.
  OffscreenContext();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
};

// VTK's window for a context that somebody else made.
class OffscreenWindow : public vtkGenericOpenGLRenderWindow {
 public:
  static OffscreenWindow* New();
  vtkTypeMacro(OffscreenWindow, vtkGenericOpenGLRenderWindow);
  void OpenGLInitContext() override;
};

}  // namespace fluidsplat::draw
