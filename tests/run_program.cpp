// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::tests {
namespace {

pid_t spawn(const std::vector<std::string>& arguments, const std::string& folder, const char* out, const char* err) {
  std::vector<std::string> words = {FLUIDSPLAT_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int out_fd = ::open(out, O_WRONLY | O_CREAT | O_TRUNC, 0644),
            err_fd = ::open(err, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ::dup2(out_fd, STDOUT_FILENO);
  ::dup2(err_fd, STDERR_FILENO);
  ::setenv("OMP_NUM_THREADS", "1", 1);
  if (::chdir(folder.c_str()) == 0) ::execv(argv[0], argv.data());
  ::_exit(127);
}

}  // namespace

Outcome run(const std::vector<std::string>& arguments, const std::string& folder) {
  const TemporaryFolder scratch;
  const auto out = (scratch / "out").string(), err = (scratch / "err").string();
  int status = 0;
  ::waitpid(spawn(arguments, folder, out.c_str(), err.c_str()), &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out), read_file(err)};
}

pid_t start(const std::vector<std::string>& arguments, const std::string& folder) {
  return spawn(arguments, folder, "/dev/null", "/dev/null");
}

}  // namespace fluidsplat::tests
