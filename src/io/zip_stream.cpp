// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <algorithm>

#include "base/error.h"
#include "io/zip.h"

namespace fluidsplat::io {
namespace {

// zlib counts in 32 bits, so long spans go to it in pieces.
constexpr std::size_t kPiece = std::size_t{1} << 30;
constexpr std::size_t kInput = std::size_t{1} << 18;

}  // namespace

struct ZipStream::State {
  std::shared_ptr<const InputFile> file;
  ZipMember member;
  std::uint64_t position = 0;  // unpacked bytes handed out
  std::uint64_t consumed = 0;  // packed bytes taken from the file
  std::uint32_t crc = 0;
  bool whole = true;  // the checksum covers every byte so far
  z_stream inflater{};
  bool inflating = false;
  bool ended = false;
  std::vector<std::byte> input;

  ~State() {
    if (inflating) inflateEnd(&inflater);
  }
  [[noreturn]] void refuse(const char* why) const {
    fail("{}: '{}': {}; the file is damaged", file->name(), member.name, why);
  }

  void refill() {
    const std::uint64_t left = member.stored_bytes - consumed;
    if (left == 0) refuse("its packed data ends early");
    input.resize(std::min<std::uint64_t>(left, kInput));
    file->read_at(member.data_offset + consumed, input);
    consumed += input.size();
    inflater.next_in = reinterpret_cast<Bytef*>(input.data());
    inflater.avail_in = static_cast<uInt>(input.size());
  }

  void inflate_some(std::span<std::byte> out) {
    inflater.next_out = reinterpret_cast<Bytef*>(out.data());
    inflater.avail_out = static_cast<uInt>(out.size());
    while (inflater.avail_out > 0) {
      if (ended) refuse("unpacks to fewer bytes than the directory says");
      if (inflater.avail_in == 0) refill();
      const int status = ::inflate(&inflater, Z_NO_FLUSH);
      if (status == Z_STREAM_END)
        ended = true;
      else if (status != Z_OK)
        refuse("cannot be unpacked");
    }
  }

  // After the last byte: the packed stream must end here too, and the checksum must agree.
  void finish() {
    while (member.deflated && !ended) {
      std::byte extra;
      inflater.next_out = reinterpret_cast<Bytef*>(&extra);
      inflater.avail_out = 1;
      if (inflater.avail_in == 0) refill();
      const int status = ::inflate(&inflater, Z_NO_FLUSH);
      if (inflater.avail_out == 0) refuse("unpacks to more bytes than the directory says");
      if (status == Z_STREAM_END)
        ended = true;
      else if (status != Z_OK)
        refuse("cannot be unpacked");
    }
    if (whole && crc != member.crc) refuse("its checksum is wrong");
  }
};

ZipStream::ZipStream(const ZipFile& zip, const std::string& name) : state_(std::make_unique<State>()) {
  state_->file = zip.file_;
  state_->member = zip.member(name);
  if (state_->member.deflated) {
    // Negative window bits: raw deflate, without zlib's own header.
    if (inflateInit2(&state_->inflater, -MAX_WBITS) != Z_OK) state_->refuse("cannot be unpacked");
    state_->inflating = true;
  }
  if (state_->member.bytes == 0) state_->finish();
}

ZipStream::~ZipStream() = default;
ZipStream::ZipStream(ZipStream&&) noexcept = default;
ZipStream& ZipStream::operator=(ZipStream&&) noexcept = default;

std::uint64_t ZipStream::position() const {
  return state_->position;
}

std::uint64_t ZipStream::size() const {
  return state_->member.bytes;
}

void ZipStream::read(std::span<std::byte> out) {
  State& s = *state_;
  if (out.size() > s.member.bytes - s.position) s.refuse("ends early");
  while (!out.empty()) {
    const auto piece = out.first(std::min(out.size(), kPiece));
    if (s.member.deflated)
      s.inflate_some(piece);
    else
      s.file->read_at(s.member.data_offset + s.position, piece);
    s.crc = static_cast<std::uint32_t>(
        ::crc32(s.crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size())));
    s.position += piece.size();
    out = out.subspan(piece.size());
    if (s.position == s.member.bytes) s.finish();
  }
}

void ZipStream::skip(std::uint64_t count) {
  State& s = *state_;
  if (count > s.member.bytes - s.position) s.refuse("ends early");
  if (!s.member.deflated) {
    s.position += count;
    s.whole = s.whole && count == 0;
    return;
  }
  std::vector<std::byte> discarded(std::min<std::uint64_t>(count, kInput));
  while (count > 0) {
    const std::uint64_t piece = std::min<std::uint64_t>(count, discarded.size());
    read(std::span(discarded).first(piece));
    count -= piece;
  }
}

}  // namespace fluidsplat::io
