// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/distributed/free_port.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"

namespace fluidsplat::learn {

Index free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* name = reinterpret_cast<sockaddr*>(&address);
  // Port 0 is whichever the system has to give away.
  const bool good = fd >= 0 && ::bind(fd, name, length) == 0 && ::getsockname(fd, name, &length) == 0;
  if (fd >= 0) ::close(fd);
  if (!good) fail("this machine has no free port for ranks to meet at");
  return ntohs(address.sin_port);
}

}  // namespace fluidsplat::learn
