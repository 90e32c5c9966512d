// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/write_error.h"

namespace fluidsplat {
namespace fs = std::filesystem;
namespace {

std::string reason() {
  return std::generic_category().message(errno);
}

void sync_directory(const fs::path& directory) {
  int fd = ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  if (target_.has_parent_path()) {
    std::error_code ec;
    fs::create_directories(target_.parent_path(), ec);
    if (ec) fail("{}: cannot create the folder: {}", target_.parent_path().string(), write_error_text(ec.value()));
  }
  std::string name = target_.string() + ".XXXXXX";
  fd_ = ::mkstemp(name.data());
  if (fd_ < 0) fail("{}: cannot write here: {}", target_.string(), write_error_text(errno));
  ::fchmod(fd_, 0644);
  temporary_ = name;
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!committed_) {
    std::error_code ignored;
    fs::remove(temporary_, ignored);
  }
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("{}: cannot write: {}", target_.string(), write_error_text(errno));
    bytes = bytes.subspan(std::size_t(n));
  }
}

void AtomicFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text.data(), text.size())));
}

void AtomicFile::commit() {
  if (::fsync(fd_) != 0) fail("{}: cannot make the file durable: {}", target_.string(), write_error_text(errno));
  // Network file systems may notice only now that there is no room.
  if (::close(std::exchange(fd_, -1)) != 0)
    fail("{}: cannot finish the file: {}", target_.string(), write_error_text(errno));
  std::error_code ec;
  fs::rename(temporary_, target_, ec);
  if (ec) fail("{}: cannot put the finished file in place: {}", target_.string(), ec.message());
  committed_ = true;
  sync_directory(target_.parent_path());
}

void write_file(const fs::path& target, std::string_view contents) {
  AtomicFile file(target);
  file.write(contents);
  file.commit();
}

std::string read_file(const fs::path& path, std::size_t max_bytes) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail("{}: cannot open: {}", path.string(), reason());
  struct Closer {
    int fd;
    ~Closer() { ::close(fd); }
  } closer{fd};
  struct stat info {};
  if (::fstat(fd, &info) != 0) fail("{}: cannot read: {}", path.string(), reason());
  if (S_ISDIR(info.st_mode)) fail("{}: is a folder, a file was expected", path.string());
  if (std::size_t(info.st_size) > max_bytes)
    fail("{}: {} bytes, more than the {} that are accepted here", path.string(), info.st_size, max_bytes);
  std::string contents;
  char buffer[1 << 16];
  for (;;) {
    ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("{}: cannot read: {}", path.string(), reason());
    if (n == 0) return contents;
    if (contents.size() + std::size_t(n) > max_bytes)
      fail("{}: more than the {} bytes that are accepted here", path.string(), max_bytes);
    contents.append(buffer, std::size_t(n));
  }
}

}  // namespace fluidsplat
