// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace fluidsplat::io {

// For tests: the bytes of a NetCDF file of the classic format, version 1, 2 or 5.
class NetCdf3Bytes {
 public:
  explicit NetCdf3Bytes(int version) : version_(version) {}

  template <class T>
  static std::string number(T value) {
    std::string out(sizeof value, '\0');
    std::memcpy(out.data(), &value, sizeof value);
    return {out.rbegin(), out.rend()};
  }
  static std::string padded(std::string bytes) { return bytes + std::string((4 - bytes.size() % 4) % 4, '\0'); }
  template <class T>
  static std::string numbers(const std::vector<T>& values) {
    std::string out;
    for (T v : values) out += number(v);
    return out;
  }
  std::string count(long value) const { return version_ == 5 ? number(value) : number(int(value)); }
  std::string name(const std::string& text) const { return count(long(text.size())) + padded(text); }
  std::string text_attribute(const std::string& called, const std::string& text) const {
    return name(called) + number(2) + name(text);
  }
  std::string number_attribute(const std::string& called, double value) const {
    return name(called) + number(6) + count(1) + number(value);
  }
  std::string list(int tag, const std::vector<std::string>& parts) const {
    std::string out = number(parts.empty() ? 0 : tag) + count(long(parts.size()));
    for (const auto& part : parts) out += part;
    return out;
  }

  // Axes in order; the one of length 0 grows.
  std::vector<std::pair<std::string, long>> axes;
  struct Variable {
    std::string name;
    std::vector<int> axes;
    std::vector<std::string> attributes;
    int type;
    std::string data;  // of all records, one after the other
  };
  std::vector<Variable> variables;
  long records = 0;
  bool tell_records = true;

  std::string bytes() const {
    const auto header_size = header(0).size();
    return header(long(header_size)) + body();
  }

 private:
  bool grows(const Variable& v) const { return !v.axes.empty() && axes[std::size_t(v.axes[0])].second == 0; }
  std::string record(const Variable& v, long r) const {
    const auto size = v.data.size() / std::size_t(records);
    return padded(v.data.substr(std::size_t(r) * size, size));
  }
  std::string header(long from) const {
    std::string out = "CDF" + std::string(1, char(version_)) + (tell_records ? count(records) : count(-1));
    std::vector<std::string> parts;
    for (const auto& [called, length] : axes) parts.push_back(name(called) + count(length));
    out += list(10, parts) + list(12, {text_attribute("title", "a test")});
    // Those that do not grow come first.
    long fixed = from, growing = from;
    for (const auto& v : variables)
      if (!grows(v)) growing += long(padded(v.data).size());
    parts.clear();
    for (const auto& v : variables) {
      auto& begin = grows(v) ? growing : fixed;
      auto part = name(v.name) + count(long(v.axes.size()));
      for (int axis : v.axes) part += count(axis);
      const auto size = long(grows(v) ? record(v, 0).size() : padded(v.data).size());
      part +=
          list(12, v.attributes) + number(v.type) + count(size) + (version_ == 1 ? number(int(begin)) : number(begin));
      begin += size;
      parts.push_back(part);
    }
    return out + list(11, parts);
  }
  std::string body() const {
    std::string out;
    for (const auto& v : variables)
      if (!grows(v)) out += padded(v.data);
    for (long r = 0; r < records; ++r)
      for (const auto& v : variables)
        if (grows(v)) out += record(v, r);
    return out;
  }

  int version_;
};

}  // namespace fluidsplat::io
