// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/folder_lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "base/error.h"
#include "base/write_error.h"

namespace fluidsplat {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = ".lock";

std::string reason() {
  return std::generic_category().message(errno);
}

// What the lock file says of its holder.
std::string this_process(const std::string& purpose) {
  char host[256] = "an unknown host";
  ::gethostname(host, sizeof host - 1);
  return fmt::format("{}, process {} on {} since {:%Y-%m-%d %H:%M:%S} UTC\n", purpose, ::getpid(), host,
                     fmt::gmtime(std::chrono::system_clock::now()));
}

std::string holder(int fd) {
  char text[512];
  const auto size = ::pread(fd, text, sizeof text, 0);
  std::string out(text, std::size_t(std::max<ssize_t>(size, 0)));
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out.empty() ? "another process" : out;
}

// Another process may have removed the file between our opening and our locking it: then it locks nothing.
bool is_still_there(int fd, const fs::path& file) {
  struct stat opened {
  }, named{};
  return ::fstat(fd, &opened) == 0 && ::stat(file.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder, const std::string& purpose) : file_(folder / kName) {
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec) fail("{}: cannot create the folder: {}", folder.string(), write_error_text(ec.value()));
  while (fd_ < 0) {
    fd_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd_ < 0) fail("{}: cannot write here: {}", folder.string(), write_error_text(errno));
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      const auto who = errno == EWOULDBLOCK ? holder(fd_) : reason();
      ::close(fd_);
      fail("{}: is in use: {}", folder.string(), who);
    }
    if (is_still_there(fd_, file_)) break;
    ::close(fd_);
    fd_ = -1;
  }
  const auto text = this_process(purpose);
  if (::ftruncate(fd_, 0) != 0 || ::pwrite(fd_, text.data(), text.size(), 0) < 0) {
    const auto why = write_error_text(errno);
    ::unlink(file_.c_str());
    ::close(fd_);
    fail("{}: cannot write: {}", file_.string(), why);
  }
}

FolderLock::~FolderLock() {
  ::unlink(file_.c_str());
  ::close(fd_);
}

}  // namespace fluidsplat
