// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk_session.h"

#include <vtkLogger.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>

namespace fluidsplat::io {
namespace {

std::mutex& process_mutex() {
  static std::mutex mutex;
  return mutex;
}

class Collector : public vtkOutputWindow {
 public:
  static Collector* New();
  vtkTypeMacro(Collector, vtkOutputWindow);

  void DisplayText(const char*) override {}
  void DisplayWarningText(const char*) override {}
  void DisplayGenericWarningText(const char*) override {}
  void DisplayDebugText(const char*) override {}
  void DisplayErrorText(const char* text) override {
    if (first_error.empty()) first_error = text;
  }

  std::string first_error;
};

vtkStandardNewMacro(Collector);

}  // namespace

VtkSession::VtkSession()
    : guard_(process_mutex()),
      previous_(vtkOutputWindow::GetInstance()),
      collector_(vtkSmartPointer<Collector>::New()),
      verbosity_(vtkLogger::GetCurrentVerbosityCutoff()) {
  // Every message also goes to VTK's log, which prints.
  vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
  vtkOutputWindow::SetInstance(collector_);
}

VtkSession::~VtkSession() {
  vtkOutputWindow::SetInstance(previous_);
  vtkLogger::SetStderrVerbosity(static_cast<vtkLogger::Verbosity>(verbosity_));
}

std::string VtkSession::first_error() const {
  // VTK writes "ERROR: In file.cxx, line 12\nvtkClass (0x1234): text\n\n": keep the text.
  std::string text = static_cast<Collector*>(collector_.Get())->first_error;
  const std::size_t start = text.find("): ");
  if (start != std::string::npos) text.erase(0, start + 3);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  // Some messages quote bytes of a damaged file, and what comes after its end.
  for (char& c : text)
    if (c == '\n')
      c = ' ';
    else if (c < ' ' || c > '~')
      c = '?';
  return text;
}

}  // namespace fluidsplat::io
