// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fluidsplat::io {

// RFC 4648 with padding, for data: addresses in HTML reports.
std::string encode_base64(std::span<const std::byte> bytes);
std::string encode_base64(std::string_view bytes);
// The bytes, or nothing when the text is not base64 as above.
std::optional<std::vector<std::byte>> decode_base64(std::string_view text);

}  // namespace fluidsplat::io
