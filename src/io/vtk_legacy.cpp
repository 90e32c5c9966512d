// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk_legacy.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/legacy_tokens.h"

namespace fluidsplat::io {
namespace {

// The file is a sequence of words; after some of them stand blocks of numbers, in text or in bytes.
class LegacyReader {
 public:
  LegacyReader(std::string_view text, const std::string& name) : words_(text, name) {}

  VtkMesh read() {
    words_.read_header();
    for (auto word = words_.next(); !word.empty(); word = words_.next()) {
      if (word == "DATASET")
        read_geometry(words_.next());
      else if (word == "POINT_DATA")
        begin_data(mesh_.point_data, mesh_.point_count());
      else if (word == "CELL_DATA")
        begin_data(mesh_.cell_data, mesh_.cell_count());
      else if (word == "FIELD")
        read_field();
      else if (word == "METADATA")
        words_.skip_metadata();
      else if (data_)
        read_attribute(word);
      else
        read_section(word);
    }
    if (kind_.empty()) words_.refuse("it has no DATASET");
    finish_geometry();
    return std::move(mesh_);
  }

 private:
  void read_geometry(const std::string& kind) {
    kind_ = kind;
    mesh_.kind = kind == "STRUCTURED_POINTS" ? VtkKind::image
                 : kind == "POLYDATA"        ? VtkKind::poly
                                             : VtkKind::unstructured;
    for (const char* known :
         {"STRUCTURED_POINTS", "POLYDATA", "UNSTRUCTURED_GRID", "STRUCTURED_GRID", "RECTILINEAR_GRID"})
      if (kind == known) return;
    words_.refuse(fmt::format("it holds a {}, which is not known", kind));
  }

  void read_section(const std::string& word) {
    if (word == "DIMENSIONS") {
      for (auto& d : mesh_.dimensions) d = words_.count();
    } else if (word == "ORIGIN") {
      for (auto& v : mesh_.origin) v = words_.number();
    } else if (word == "SPACING" || word == "ASPECT_RATIO") {
      for (auto& v : mesh_.spacing) v = words_.number();
    } else if (word == "POINTS") {
      const auto n = words_.count();
      mesh_.points = words_.block(words_.next(), 3 * n);
    } else if (word.ends_with("_COORDINATES") && word.size() == 13) {
      const auto n = words_.count();
      rulers_[std::size_t(word[0] - 'X') % 3] = words_.block(words_.next(), n);
    } else if (word == "CELLS" || word == "VERTICES" || word == "LINES" || word == "POLYGONS" ||
               word == "TRIANGLE_STRIPS") {
      read_cells(word);
    } else if (word == "CELL_TYPES") {
      const auto n = words_.count();
      for (double type : words_.block("int", n)) {
        if (!(type >= 0 && type < 256)) words_.refuse("a type of cell is unknown");
        mesh_.cell_types.push_back(std::uint8_t(type));
      }
    } else {
      words_.refuse(fmt::format("\"{}\" is not expected there", word.substr(0, 40)));
    }
  }

  void read_cells(const std::string& word) {
    const auto cells = words_.count(), size = words_.count();
    std::vector<double> offsets, ids;
    if (words_.peek() == "OFFSETS") {  // version 5: one more offset than cells, then the points
      words_.next();
      offsets = words_.block(words_.next(), cells);
      if (words_.next() != "CONNECTIVITY") words_.refuse("CONNECTIVITY is missing");
      ids = words_.block(words_.next(), size);
    } else {  // each cell is its number of points and the points
      const auto list = words_.block("int", size);
      offsets.push_back(0);
      for (std::size_t at = 0; at < list.size();) {
        if (!(list[at] >= 0 && list[at] < double(list.size() - at))) words_.refuse("its cells are damaged");
        const auto n = std::size_t(list[at]);
        ids.insert(ids.end(), list.begin() + std::ptrdiff_t(at) + 1, list.begin() + std::ptrdiff_t(at + 1 + n));
        offsets.push_back(double(ids.size()));
        at += n + 1;
      }
      if (std::ssize(offsets) != cells + 1) words_.refuse("its cells are damaged");
    }
    append_cells(word, offsets, ids);
  }

  void append_cells(const std::string& word, const std::vector<double>& offsets, const std::vector<double>& ids) {
    if (mesh_.offsets.empty()) mesh_.offsets.push_back(0);
    const auto base = std::ssize(mesh_.connectivity);
    for (double id : ids) {
      if (!(id >= 0 && id < double(mesh_.point_count()))) words_.refuse("a cell names a point that is not there");
      mesh_.connectivity.push_back(std::int64_t(id));
    }
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      if (!(offsets[i] >= 0 && offsets[i] <= offsets[i + 1] && offsets[i + 1] <= double(ids.size())))
        words_.refuse("its cell offsets are damaged");
      mesh_.offsets.push_back(base + std::int64_t(offsets[i + 1]));
      const auto n = offsets[i + 1] - offsets[i];
      if (word == "VERTICES") mesh_.cell_types.push_back(n == 1 ? kVtkVertex : kVtkPolyVertex);
      if (word == "LINES") mesh_.cell_types.push_back(n == 2 ? kVtkLine : kVtkPolyLine);
      if (word == "POLYGONS") mesh_.cell_types.push_back(n == 3 ? kVtkTriangle : n == 4 ? kVtkQuad : kVtkPolygon);
      if (word == "TRIANGLE_STRIPS") mesh_.cell_types.push_back(kVtkTriangleStrip);
    }
  }

  // Called before the data, whose number depends on it.
  void finish_geometry() {
    if (finished_) return;
    finished_ = true;
    const auto& n = mesh_.dimensions;
    if (kind_ == "RECTILINEAR_GRID") {
      for (std::size_t a = 0; a < 3; ++a)
        if (std::ssize(rulers_[a]) != n[a] || n[a] < 1) words_.refuse("its coordinates do not fit its DIMENSIONS");
      words_.check_size(checked_count(n, "grid"));
      for (double z : rulers_[2])
        for (double y : rulers_[1])
          for (double x : rulers_[0]) mesh_.points.insert(mesh_.points.end(), {x, y, z});
    }
    if (kind_ == "STRUCTURED_GRID" || kind_ == "RECTILINEAR_GRID") {
      if (n[0] < 1 || n[1] < 1 || n[2] < 1 || checked_count(n, "grid") != mesh_.point_count())
        words_.refuse("its points do not fit its DIMENSIONS");
      add_structured_cells(mesh_);
    } else if (kind_ == "STRUCTURED_POINTS") {
      if (n[0] < 1 || n[1] < 1 || n[2] < 1) words_.refuse("its DIMENSIONS are missing");
      words_.check_size(checked_count(n, "image"));
    } else {
      mesh_.dimensions = {0, 0, 0};
      if (mesh_.offsets.empty()) mesh_.offsets.push_back(0);
      if (mesh_.offsets.size() != mesh_.cell_types.size() + 1) words_.refuse("its cells have no types");
    }
  }

  void begin_data(std::vector<VtkArray>& data, std::int64_t) {
    finish_geometry();
    data_ = &data;
    const bool points = data_ == &mesh_.point_data;
    expected_ = points ? mesh_.point_count() : mesh_.cell_count();
    if (words_.count() != expected_) words_.refuse("its data do not fit its mesh");
  }

  void read_attribute(const std::string& word) {
    int components = 1;
    const auto name = words_.name();
    if (word == "LOOKUP_TABLE") {
      words_.skip_colours(words_.count());
      return;
    }
    if (word == "COLOR_SCALARS") words_.refuse("COLOR_SCALARS are not read");
    if (word == "TEXTURE_COORDINATES") components = int(words_.count());
    if (word == "VECTORS" || word == "NORMALS") components = 3;
    if (word == "TENSORS") components = 9;
    if (word == "TENSORS6") components = 6;
    const auto type = words_.next();
    if (word == "SCALARS") {
      if (const auto next = words_.peek();
          !next.empty() && std::isdigit(static_cast<unsigned char>(next[0])) && words_.rest_of_line_has_count())
        components = int(words_.count());
      if (words_.peek() == "LOOKUP_TABLE") {
        words_.next();
        words_.next();
      }
    } else if (word != "VECTORS" && word != "NORMALS" && word != "TENSORS" && word != "TENSORS6" &&
               word != "TEXTURE_COORDINATES") {
      words_.refuse(fmt::format("\"{}\" is not expected there", word.substr(0, 40)));
    }
    add(name, components, type, expected_);
  }

  void read_field() {
    words_.name();
    const auto arrays = words_.count();
    for (std::int64_t i = 0; i < arrays; ++i) {
      if (words_.peek() == "METADATA") {
        words_.next();
        words_.skip_metadata();
      }
      const auto name = words_.name();
      const auto components = words_.count(), tuples = words_.count();
      add(name, int(std::min<std::int64_t>(components, 1 << 20)), words_.next(), tuples);
    }
  }

  // Field data outside of points and cells (times and the like) are passed over.
  void add(const std::string& name, int components, const std::string& type, std::int64_t tuples) {
    if (components < 1) words_.refuse("an array has no components");
    auto values = words_.block(type, tuples * components);
    if (data_ && tuples == expected_ && type != "string")
      data_->push_back({name, components, std::move(values), type == "float" ? DType::f32 : DType::f64});
  }

  LegacyWords words_;
  VtkMesh mesh_;
  std::string kind_;
  std::array<std::vector<double>, 3> rulers_;
  std::vector<VtkArray>* data_ = nullptr;
  std::int64_t expected_ = 0;
  bool finished_ = false;
};

}  // namespace

VtkMesh parse_legacy_vtk(std::string_view text, const std::string& name) {
  return LegacyReader(text, name).read();
}

VtkMesh read_legacy_vtk(const std::filesystem::path& path) {
  return parse_legacy_vtk(read_file(path), path.string());
}

}  // namespace fluidsplat::io
