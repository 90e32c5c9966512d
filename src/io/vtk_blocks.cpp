// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk_blocks.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "io/base64.h"
#include "io/little_endian.h"
#include "io/mapped_file.h"

namespace fluidsplat::io {
namespace {

// The text of an attribute in a tag, or nothing.
std::optional<std::string_view> attribute(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    const std::string_view rest = tag.substr(at + name.size());
    const bool begins = at > 0 && std::string_view(" \t\r\n").find(tag[at - 1]) != std::string_view::npos;
    if (!begins || rest.size() < 2 || rest[0] != '=' || (rest[1] != '"' && rest[1] != '\'')) continue;
    return rest.substr(2, rest.find(rest[1], 2) - 2);
  }
  return {};
}

class BlockChecker {
 public:
  BlockChecker(std::string_view file, const std::string& name) : file_(file), name_(name) {}

  void run() {
    const std::size_t root = file_.find("<VTKFile");
    if (root == std::string_view::npos) return;  // VTK says what is wrong
    const std::string_view tag = tag_at(root);
    find_appended_data();
    const std::string_view description = file_.substr(0, description_end_);
    check_counts(description);
    if (!attribute(tag, "compressor")) return;
    word_ = attribute(tag, "header_type") == "UInt64" ? 8 : 4;
    big_endian_ = attribute(tag, "byte_order") == "BigEndian";
    for (std::size_t at = description.find("<DataArray"); at != std::string_view::npos;
         at = description.find("<DataArray", at + 1)) {
      const std::string_view array = tag_at(at);
      // The same order in which VTK decides where the data is.
      if (const auto offset = attribute(array, "offset"))
        check_appended(*offset);
      else if (attribute(array, "format") != "ascii")
        check_header(file_.substr(std::min(at + array.size() + 1, file_.size())), true);
    }
  }

 private:
  // No compressor packs better than this.
  static constexpr std::uint64_t kMaxRatio = 1 << 14;

  [[noreturn]] void refuse() const { fail("{}: not a readable VTK file: its compressed blocks are damaged", name_); }

  std::string_view tag_at(std::size_t at) const { return file_.substr(at, file_.find('>', at) - at); }

  void find_appended_data() {
    const std::size_t at = file_.find("<AppendedData");
    description_end_ = std::min(at, file_.size());
    if (at == std::string_view::npos) return;
    encoded_ = attribute(tag_at(at), "encoding") == "base64";
    const std::size_t underscore = file_.find('_', at + tag_at(at).size());
    if (underscore != std::string_view::npos) appended_ = file_.substr(underscore + 1);
  }

  // NumberOfPoints, NumberOfCells and the like: VTK allocates what they say before it looks for the data.
  void check_counts(std::string_view description) const {
    constexpr std::string_view kPrefix = "NumberOf";
    for (std::size_t at = description.find(kPrefix); at != std::string_view::npos;
         at = description.find(kPrefix, at + 1)) {
      const std::string_view rest = description.substr(at);
      const std::string_view count = rest.substr(std::min(rest.find_first_of("\"'") + 1, rest.size()));
      std::uint64_t number = 0;
      const auto error = std::from_chars(count.data(), count.data() + count.size(), number).ec;
      if (error == std::errc::result_out_of_range || number / kMaxRatio > file_.size())
        fail("{}: not a readable VTK file: its {} is more than a file of {} bytes can hold", name_,
             rest.substr(0, rest.find_first_of("= \t\r\n")), file_.size());
    }
  }

  void check_appended(std::string_view text) const {
    std::uint64_t offset = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), offset).ec != std::errc()) refuse();
    if (offset >= appended_.size()) refuse();
    check_header(appended_.substr(offset), encoded_);
  }

  // A header is: number of blocks, bytes per block, bytes of a partial last block, then packed bytes of each block.
  void check_header(std::string_view text, bool encoded) const {
    if (encoded) text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const std::string start = first_bytes(text, 3 * word_, encoded);
    const std::uint64_t blocks = word(start, 0), block_bytes = word(start, 1), partial = word(start, 2);
    if (blocks == 0 && partial == 0) return;
    if (blocks == 0 || block_bytes == 0 || partial > block_bytes || blocks > text.size() / word_ ||
        block_bytes > kMaxRatio * file_.size() / blocks + (1 << 20))
      refuse();
    const std::string header = first_bytes(text, (3 + blocks) * word_, encoded);
    std::uint64_t left = text.size();
    for (std::uint64_t i = 0; i < blocks; ++i) {
      const std::uint64_t packed = word(header, 3 + i);
      if (packed > left) refuse();
      left -= packed;
    }
  }

  std::string first_bytes(std::string_view text, std::size_t count, bool encoded) const {
    if (!encoded) {
      if (text.size() < count) refuse();
      return std::string(text.substr(0, count));
    }
    // Whole groups of four characters; the last may hold a little of what follows.
    const auto bytes = decode_base64(text.substr(0, (count + 2) / 3 * 4));
    if (!bytes || bytes->size() < count) refuse();
    return {reinterpret_cast<const char*>(bytes->data()), count};
  }

  std::uint64_t word(std::string_view text, std::size_t index) const {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data()) + index * word_;
    if (word_ == 4) {
      const auto value = load_le<std::uint32_t>(bytes);
      return big_endian_ ? __builtin_bswap32(value) : value;
    }
    const auto value = load_le<std::uint64_t>(bytes);
    return big_endian_ ? __builtin_bswap64(value) : value;
  }

  std::string_view file_;
  const std::string& name_;
  std::size_t word_ = 4;
  bool big_endian_ = false;
  std::size_t description_end_ = 0;
  std::string_view appended_;
  bool encoded_ = false;
};

}  // namespace

void check_vtk_blocks(const std::filesystem::path& path) {
  const MappedFile file(path);
  const std::string name = path.string();
  const auto bytes = file.bytes();
  BlockChecker({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name).run();
}

}  // namespace fluidsplat::io
