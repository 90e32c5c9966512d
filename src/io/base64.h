// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace fluidsplat::io {

// RFC 4648 with padding, for data: addresses in HTML reports.
std::string encode_base64(std::span<const std::byte> bytes);
std::string encode_base64(std::string_view bytes);

}  // namespace fluidsplat::io
