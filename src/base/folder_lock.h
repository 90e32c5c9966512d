// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace fluidsplat {

// Holds a folder for one process, so that two do not mix their files in it.  The system drops the lock when the process
// ends in whatever way: one that was killed never stands in the way.
class FolderLock {
 public:
  // Makes the folder if need be.  Throws Error that says who holds it (process, host, since when) when another does;
  // `purpose` is what the holder does there, "training".
  FolderLock(const std::filesystem::path& folder, const std::string& purpose);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::filesystem::path file_;
  int fd_ = -1;
};

}  // namespace fluidsplat
