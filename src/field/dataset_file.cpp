// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/dataset_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "field/curve_order.h"
#include "field/dataset_meshes.h"
#include "field/dataset_walls.h"
#include "io/hdf5.h"

namespace fluidsplat::field {
namespace {

using nlohmann::json;
constexpr const char* kFormat = "fluidsplat-dataset";
// Version 2 added separate walls and what forces are referred to; a file of version 1 just has none.
constexpr Index kVersion = 2, kOldestVersion = 1;

json columns_to_json(const std::vector<Column>& columns) {
  json out = json::array();
  for (const auto& c : columns) out.push_back({{"name", c.name}, {"unit", c.unit}});
  return out;
}

std::vector<Column> columns_from_json(const json& j) {
  std::vector<Column> out;
  for (const auto& c : j) out.push_back({c.at("name").get<std::string>(), c.at("unit").get<std::string>()});
  return out;
}

// One row per case: speed, density, direction; zeros where they are unknown.
io::Array to_array(const std::vector<Reference>& references, int dim) {
  std::vector<double> values;
  for (const auto& r : references) {
    values.insert(values.end(), {r.speed, r.density});
    for (int a = 0; a < dim; ++a) values.push_back(r.direction.empty() ? 0 : r.direction[a]);
  }
  return io::Array::from<double>({std::ssize(references), 2 + dim}, values);
}

std::vector<Reference> references(const std::vector<double>& values, int dim) {
  std::vector<Reference> out;
  for (auto row = values.begin(); row != values.end(); row += 2 + dim) {
    Reference r{row[0], row[1], {row + 2, row + 2 + dim}};
    if (std::ranges::all_of(r.direction, [](double x) { return x == 0; })) r.direction.clear();
    out.push_back(std::move(r));
  }
  return out;
}

// A long text can outgrow an attribute: it is kept as bytes.
io::Array to_array(const std::string& text) {
  return io::Array::from<std::uint8_t>({std::ssize(text)}, std::vector<std::uint8_t>(text.begin(), text.end()));
}

std::string to_text(const io::Array& bytes) {
  const auto values = bytes.as<std::uint8_t>();
  return {values.begin(), values.end()};
}

}  // namespace

DatasetWriter::DatasetWriter(const std::filesystem::path& path, Schema schema, std::string title)
    : name_(path.string()),
      schema_(std::move(schema)),
      meshes_([this](Index number) { return read_mesh(*file_, number, name_); }) {
  file_ = std::make_unique<io::Hdf5File>(io::Hdf5File::create(path));
  file_->set_attribute("/", "format", kFormat);
  file_->set_attribute("/", "version", kVersion);
  file_->set_attribute("/", "title", title);
  const json j = {{"coordinates", columns_to_json(schema_.coordinates)},
                  {"channels", columns_to_json(schema_.channels)},
                  {"features", columns_to_json(schema_.features)},
                  {"descriptors", columns_to_json(schema_.descriptors)}};
  file_->set_attribute("/", "schema", j.dump());
}

DatasetWriter::~DatasetWriter() = default;

Index DatasetWriter::mesh_index(const std::shared_ptr<const Mesh>& mesh) {
  if (mesh == last_mesh_) return last_number_;
  check_mesh(*mesh, schema_, fmt::format("{}, mesh {}", name_, meshes_.size()));
  const auto [number, fresh] = meshes_.find_or_add(*mesh);
  if (fresh) {
    write_mesh(*file_, number, *mesh);
    const auto channels = std::ssize(schema_.channels);
    file_->create_appendable(fields_name(number), io::DType::f32, {mesh->size(), channels},
                             {1, std::min(mesh->size(), kChunkPoints), channels}, compression_);
    write_wall(*file_, number, *mesh, channels);
    enclose(extent_, *mesh);
    frames_on_mesh_.push_back(0);
  }
  last_mesh_ = mesh;
  last_number_ = number;
  return number;
}

Case DatasetWriter::along_curve(const Case& c) {
  if (c.mesh != unordered_) {
    unordered_ = c.mesh;
    order_ = curve_order(c.mesh->points);
    ordered_ = std::make_shared<const Mesh>(reordered(*c.mesh, order_));
  }
  Case out = c;
  out.mesh = ordered_;
  out.fields = reordered(c.fields, order_);
  return out;
}

void DatasetWriter::add(const Case& given) {
  check_case(given, schema_, fmt::format("{}, case {}", name_, case_mesh_.size()));
  std::optional<Case> ordered;
  if (along_curve_) ordered = along_curve(given);
  const auto& c = ordered ? *ordered : given;
  const auto m = mesh_index(c.mesh);
  file_->append(fields_name(m), io::DType::f32, c.fields.data());
  append_wall_fields(*file_, m, c);
  case_mesh_.push_back(m);
  case_row_.push_back(frames_on_mesh_[m]++);
  case_time_.push_back(c.time);
  case_names_.push_back(c.name);
  case_reference_.push_back(c.reference);
  case_descriptors_.insert(case_descriptors_.end(), c.descriptors.data(), c.descriptors.data() + c.descriptors.size());
}

void DatasetWriter::commit() {
  const auto cases = std::ssize(case_mesh_);
  if (cases == 0) fail("{}: no cases to write", name_);
  file_->write("/cases/mesh", io::Array::from<std::int64_t>({cases}, case_mesh_));
  file_->write("/cases/row", io::Array::from<std::int64_t>({cases}, case_row_));
  file_->write("/cases/time", io::Array::from<double>({cases}, case_time_));
  if (!schema_.descriptors.empty())
    file_->write("/cases/descriptors",
                 io::Array::from<float>({cases, std::ssize(schema_.descriptors)}, case_descriptors_));
  if (std::ranges::any_of(case_reference_, [](const Reference& r) { return r != Reference{}; }))
    file_->write("/cases/reference", to_array(case_reference_, schema_.dim()));
  file_->write("/cases/names", to_array(json(case_names_).dump()));
  if (!splits_.empty()) file_->write("/splits", to_array(splits_to_json(splits_)));
  const auto& box = domain_.low.empty() ? extent_ : domain_;
  file_->set_attribute("/", "domain", json{{"low", box.low}, {"high", box.high}}.dump());
  if (!notes_.empty()) file_->set_attribute("/", "notes", json(notes_).dump());
  file_->commit();
}

DatasetFile::DatasetFile(const std::filesystem::path& path) : name_(path.string()) {
  for (const char* raw : {".npy", ".npz", ".vtu", ".vti", ".vtp", ".pvd"})
    if (path.extension() == raw)
      fail("{}: not a dataset yet; make one of it with \"fluidsplat data import {} --out data.h5\"", name_, name_);
  file_ = std::make_unique<io::Hdf5File>(io::Hdf5File::open_read(path));
  read_schema();
  read_cases();
}

DatasetFile::~DatasetFile() = default;

void DatasetFile::read_schema() {
  if (!file_->has_attribute("/", "format") || file_->string_attribute("/", "format") != kFormat)
    fail("{}: an HDF5 file, but not a fluidsplat dataset; make one with \"fluidsplat data\"", name_);
  if (const auto version = file_->integer_attribute("/", "version"); version < kOldestVersion || version > kVersion)
    fail("{}: dataset version {}, this program reads versions {} to {}", name_, version, kOldestVersion, kVersion);
  title_ = file_->string_attribute("/", "title");
  try {
    const auto j = json::parse(file_->string_attribute("/", "schema"));
    schema_ = {columns_from_json(j.at("coordinates")), columns_from_json(j.at("channels")),
               columns_from_json(j.at("features")), columns_from_json(j.at("descriptors"))};
    const auto d = json::parse(file_->string_attribute("/", "domain"));
    domain_ = {d.at("low").get<std::vector<double>>(), d.at("high").get<std::vector<double>>()};
    if (file_->has_attribute("/", "notes"))
      notes_ = json::parse(file_->string_attribute("/", "notes")).get<std::map<std::string, std::string>>();
  } catch (const json::exception& e) {
    fail("{}: the schema, the domain or the notes are damaged: {}", name_, e.what());
  }
  if (schema_.channels.empty()) fail("{}: no channels", name_);
  if (schema_.dim() < 1 || schema_.dim() > 3) fail("{}: {} coordinates, 1 to 3 are possible", name_, schema_.dim());
  const std::size_t dim = schema_.dim();
  if (domain_.low.size() != dim || domain_.high.size() != dim) fail("{}: the domain does not have {} axes", name_, dim);
  for (std::size_t a = 0; a < dim; ++a)
    if (!std::isfinite(domain_.low[a]) || !std::isfinite(domain_.high[a]) || domain_.low[a] > domain_.high[a])
      fail("{}: the domain of axis \"{}\" is not a range", name_, schema_.coordinates[a].name);
}

void DatasetFile::read_cases() {
  mesh_count_ = static_cast<Index>(file_->list("/meshes").size());
  case_mesh_ = file_->read("/cases/mesh").as<std::int64_t>();
  case_row_ = file_->read("/cases/row").as<std::int64_t>();
  case_time_ = file_->read("/cases/time").as<double>();
  const auto cases = case_mesh_.size(), m = schema_.descriptors.size();
  if (cases == 0) fail("{}: no cases", name_);
  std::vector<float> descriptors;
  if (m > 0) descriptors = file_->read("/cases/descriptors").as<float>();
  try {
    case_names_ = json::parse(to_text(file_->read("/cases/names"))).get<std::vector<std::string>>();
  } catch (const json::exception&) {
    fail("{}: the names of the cases are damaged", name_);
  }
  if (case_row_.size() != cases || case_time_.size() != cases || case_names_.size() != cases ||
      descriptors.size() != cases * m)
    fail("{}: the tables under /cases do not have the same length", name_);
  case_descriptors_ = Eigen::Map<Matrix>(descriptors.data(), cases, m);
  case_reference_.resize(cases);
  if (file_->has("/cases/reference")) {
    const auto table = file_->read("/cases/reference");
    if (table.shape != std::vector<Index>{size(), 2 + schema_.dim()})
      fail("{}: /cases/reference is {}, expected {} cases x {}", name_, io::shape_text(table.shape), cases,
           2 + schema_.dim());
    case_reference_ = references(table.as<double>(), schema_.dim());
  }

  std::vector<std::vector<Index>> shapes;
  for (Index i = 0; i < mesh_count_; ++i) {
    const auto shape = file_->shape(fields_name(i)), points = file_->shape(mesh_group(i) + "/points");
    if (shape.size() != 3 || points.size() != 2 || shape[1] != points[0] || points[1] != schema_.dim() ||
        shape[2] != std::ssize(schema_.channels))
      fail("{}: {} is {}, but the mesh is {} and there are {} channels", name_, fields_name(i), io::shape_text(shape),
           io::shape_text(points), schema_.channels.size());
    check_wall_fields(*file_, i, shape[0], shape[2], name_);
    shapes.push_back(shape);
  }
  for (std::size_t i = 0; i < cases; ++i)
    if (case_mesh_[i] < 0 || case_mesh_[i] >= mesh_count_ || case_row_[i] < 0 ||
        case_row_[i] >= shapes[case_mesh_[i]][0])
      fail("{}: case {} points to mesh {}, row {}, which does not exist", name_, i, case_mesh_[i], case_row_[i]);
  if (file_->has("/splits")) splits_ = splits_from_json(to_text(file_->read("/splits")), *this);
}

std::vector<std::string> DatasetFile::split_names() const {
  std::vector<std::string> names;
  for (const auto& [name, split] : splits_) names.push_back(name);
  return names;
}

Split DatasetFile::named_split(const std::string& name) const {
  if (splits_.empty()) return Dataset::named_split(name);
  if (const auto found = splits_.find(name); found != splits_.end()) return found->second;
  fail("{}: has no split \"{}\"; it has {}", name_, name, fmt::join(split_names(), ", "));
}

Index DatasetFile::mesh_of(Index index) const {
  if (index < 0 || index >= size()) fail("{}: there is no case {}, the cases are 0 to {}", name_, index, size() - 1);
  return case_mesh_[index];
}

std::shared_ptr<const Mesh> DatasetFile::mesh(Index index) const {
  std::lock_guard lock(mutex_);
  if (auto known = meshes_[index].lock()) return last_mesh_ = known;
  auto read = std::make_shared<Mesh>(read_mesh(*file_, index, name_));
  check_mesh(*read, schema_, fmt::format("{}, mesh {}", name_, index));
  last_mesh_ = std::move(read);
  meshes_[index] = last_mesh_;
  return last_mesh_;
}

Case DatasetFile::load(Index index) const {
  const auto m = mesh_of(index);
  const auto row = case_row_[std::size_t(index)];
  auto c = without_fields(index);
  c.mesh = mesh(m);
  c.fields.resize(c.mesh->size(), std::ssize(schema_.channels));
  file_->read_rows<float>(fields_name(m), row, 1, c.fields.data());
  read_wall_fields(*file_, m, row, c.fields.cols(), c);
  check_case(c, schema_, fmt::format("{}, case {}", name_, index));
  return c;
}

}  // namespace fluidsplat::field
