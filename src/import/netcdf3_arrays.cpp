// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/netcdf3_arrays.h"

#include <cctype>
#include <sstream>

#include "base/error.h"
#include "import/hdf5_arrays.h"
#include "import/packing.h"
#include "io/netcdf3.h"

namespace fluidsplat::importing {
namespace {

using Variable = io::NetCdf3File::Variable;

std::string text_of(const Variable& variable, const char* attribute) {
  const auto it = variable.attributes.find(attribute);
  return it == variable.attributes.end() ? "" : it->second.text;
}

Packing packing_of(const Variable& variable) {
  Packing out;
  const auto number = [&](const char* attribute, auto take) {
    const auto it = variable.attributes.find(attribute);
    if (it != variable.attributes.end() && it->second.numbers.size() == 1) take(it->second.numbers.front());
  };
  for (const char* attribute : {"_FillValue", "missing_value"})
    number(attribute, [&](double v) { out.fills.push_back(v); });
  number("scale_factor", [&](double v) { out.scale = v; });
  number("add_offset", [&](double v) { out.offset = v; });
  return out;
}

class NetCdf3Array : public StoredArray {
 public:
  NetCdf3Array(std::shared_ptr<const io::NetCdf3File> file, const Variable& variable)
      : file_(std::move(file)), variable_(variable), packing_(packing_of(variable)) {}
  const std::vector<Index>& shape() const override { return variable_.shape; }
  bool is_boolean() const override { return false; }
  io::Array read_rows(Index first, Index count) override {
    if (variable_.shape.empty()) return read_all();
    return unpacked(file_->read_rows(variable_, first, count));
  }
  io::Array read_all() override { return unpacked(file_->read(variable_)); }

 private:
  io::Array unpacked(const io::Array& stored) const { return packing_.unpacked(stored.shape, stored.as<double>()); }

  std::shared_ptr<const io::NetCdf3File> file_;
  const Variable& variable_;  // of the file
  Packing packing_;
};

class NetCdf3Arrays : public ArrayFile {
 public:
  explicit NetCdf3Arrays(const std::filesystem::path& path)
      : name_(path.string()), file_(std::make_shared<io::NetCdf3File>(path)) {}

  std::vector<std::string> names() const override {
    std::vector<std::string> out;
    for (const auto& v : file_->variables())
      if (!v.is_text) out.push_back(v.name);
    return out;
  }
  std::vector<std::string> data_names() const override {
    std::vector<std::string> out;
    for (const auto& v : file_->variables())
      if (!v.is_text && !is_coordinate(v)) out.push_back(v.name);
    return out;
  }
  std::unique_ptr<StoredArray> array(const std::string& name) const override {
    const auto* variable = file_->find(name);
    if (!variable || variable->is_text) fail("{}: \"{}\" is no array of numbers", name_, name);
    return std::make_unique<NetCdf3Array>(file_, *variable);
  }

  AxisNames axes(const std::string& name) const override {
    AxisNames out;
    const auto* variable = file_->find(name);
    if (!variable) return out;
    for (const Index axis : variable->axes) {
      const auto& dimension = file_->dimensions()[axis];
      const auto* values = file_->find(dimension);
      if (values && !is_coordinate(*values)) values = nullptr;
      char letter = 0;
      if (const auto said = values ? text_of(*values, "axis") : ""; said.size() == 1)
        letter = char(std::tolower(static_cast<unsigned char>(said[0])));
      if (letter != 't' && (letter < 'x' || letter > 'z')) letter = axis_letter(dimension);
      if (letter == 0) return {};
      out.layout += letter;
      if (!values) continue;
      if (letter == 't') out.times = dimension;
      if (letter >= 'x' && letter <= 'z') out.coordinates[std::size_t(letter - 'x')] = dimension;
    }
    // Grids that are not aligned with their coordinates name arrays of their own: coordinates = "lon lat".
    std::istringstream words(text_of(*variable, "coordinates"));
    for (std::string word; words >> word;) {
      const char letter = axis_letter(word);
      const auto* values = file_->find(word);
      if (letter >= 'x' && letter <= 'z' && values && values->shape.size() > 1)
        out.coordinates[std::size_t(letter - 'x')] = word;
    }
    return out;
  }

 private:
  // The values of a dimension have its name.
  bool is_coordinate(const Variable& v) const {
    return v.axes.size() == 1 && file_->dimensions()[v.axes[0]] == v.name && !v.is_text;
  }

  std::string name_;
  std::shared_ptr<const io::NetCdf3File> file_;
};

}  // namespace

std::shared_ptr<const ArrayFile> open_netcdf3_arrays(const std::filesystem::path& path) {
  return std::make_shared<NetCdf3Arrays>(path);
}

}  // namespace fluidsplat::importing
