// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/offscreen_window.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <vtkObjectFactory.h>

#include "base/error.h"

namespace fluidsplat::draw {

OffscreenContext::OffscreenContext() {
  const auto open = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  display_ = open ? open(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr) : EGL_NO_DISPLAY;
  if (display_ == EGL_NO_DISPLAY || !eglInitialize(display_, nullptr, nullptr))
    fail("no off-screen OpenGL here (EGL without a surface); install libegl1 and libgl1-mesa-dri");
  eglBindAPI(EGL_OPENGL_API);
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  const EGLint version[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint found = 0;
  eglChooseConfig(display_, wanted, &config, 1, &found);
  context_ = found > 0 ? eglCreateContext(display_, config, EGL_NO_CONTEXT, version) : EGL_NO_CONTEXT;
  if (context_ == EGL_NO_CONTEXT || !eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
    eglTerminate(display_);
    fail("no off-screen OpenGL 3.3 here; install libgl1-mesa-dri, which has a software renderer");
  }
}

OffscreenContext::~OffscreenContext() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
  eglTerminate(display_);
}

vtkStandardNewMacro(OffscreenWindow);

// The loader of OpenGL's functions reports an error when there is no X display, after it has loaded them all: the
// window is ready all the same.
void OffscreenWindow::OpenGLInitContext() {
  Superclass::OpenGLInitContext();
  if (Initialized) return;
  GlewInitValid = true;
  Initialized = true;
  Superclass::OpenGLInitContext();
}

}  // namespace fluidsplat::draw
