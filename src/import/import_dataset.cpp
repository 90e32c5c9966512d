// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/import_dataset.h"

#include <algorithm>

#include "base/error.h"
#include "field/dataset_file.h"
#include "field/surface_features.h"
#include "import/case_table.h"
#include "import/channel_ranges.h"
#include "import/common_points.h"
#include "import/flat_cases.h"
#include "import/points_with_data.h"

namespace fluidsplat::importing {
namespace {

struct Interrupted {};

std::unique_ptr<CaseReader> open_cases(const Recipe& recipe, const InputList& inputs) {
  switch (inputs.kind) {
    case InputKind::arrays:
      return flatten(read_arrays(recipe, inputs.files));
    case InputKind::tables:
      return flatten(read_tables(recipe, inputs.files));
    case InputKind::vtk:
      return read_vtk_series(recipe, vtk_file_frames(recipe, inputs.files));
    case InputKind::openfoam:
      return read_vtk_series(recipe, openfoam_frames(recipe, inputs.files.front().path));
  }
  return nullptr;
}

// Of the files that are there only a dataset may be replaced, and never one that is being read.
void check_target(const std::filesystem::path& out, const InputList& inputs) {
  if (!std::filesystem::exists(out)) return;
  for (const auto& file : inputs.files)
    if (std::filesystem::equivalent(file.path, out))
      fail("{}: is what is read, and would be replaced; name another file for the dataset", out.string());
  try {
    const field::DatasetFile replaced(out);
  } catch (const Error&) {
    fail("{}: is there already and is no dataset; remove it, or name another file for the dataset", out.string());
  }
}

class Importer {
 public:
  Importer(const Recipe& recipe, const std::filesystem::path& out, const ImportHooks& hooks)
      : recipe_(recipe), hooks_(hooks) {
    recipe_.check();
    const auto inputs = expand_inputs(recipe_.files);
    check_target(out, inputs);
    report_.notes = inputs.notes;
    reader_ = open_cases(recipe_, inputs);
    table_ = make_case_table(recipe_, *reader_);
    schema_ = reader_->schema();
    schema_.descriptors = table_.descriptors;
    if (recipe_.shape)
      for (const auto& column : field::surface_feature_columns(schema_.coordinates)) schema_.features.push_back(column);
    report_.cases = reader_->size();
    for (const auto* corner : {&recipe_.domain_low, &recipe_.domain_high})
      if (!corner->empty() && corner->size() != schema_.coordinates.size())
        fail("import: the domain's corners have {} numbers, the data {} coordinates", corner->size(),
             schema_.coordinates.size());
  }

  ImportReport write(const std::filesystem::path& out) {
    try {
      look_through();
      write_cases(out);
    } catch (const Interrupted&) {
      report_.complete = false;
    }
    for (const auto& notes : {reader_->notes(), ranges_notes_})
      report_.notes.insert(report_.notes.end(), notes.begin(), notes.end());
    return report_;
  }

 private:
  void tell(const char* what, Index done) {
    if (hooks_.progress) hooks_.progress(what, done, reader_->size());
    if (hooks_.interrupted && hooks_.interrupted()) throw Interrupted{};
  }

  // Files of one series repeat their mesh: cases in a row then share it.
  field::Case read(Index index) {
    auto c = reader_->read(index);
    if (mesh_ && field::identical(*mesh_, *c.mesh)) {
      c.mesh = mesh_;
    } else {
      mesh_ = c.mesh;
      fingerprint_ = field::fingerprint(*mesh_);
    }
    return c;
  }

  // Where there are no data, and which points have data in all cases, must be known before the first is written.
  void look_through() {
    ChannelRanges ranges(schema_);
    for (Index i = 0; i < reader_->size(); ++i) {
      tell("looking for points without data", i);
      const auto c = read(i);
      ranges.add(c.fields);
      if (recipe_.moving == "own-mesh") continue;
      const auto point = common_.add(i, fingerprint_, has_data(c));
      if (point && recipe_.moving == "error")
        fail(
            "{}: point {} has data in some cases and none in others (moving = error); moving = drop leaves such "
            "points out, moving = own-mesh lets every case keep its own",
            reader_->name(i), *point);
    }
    report_.dropped = common_.dropped();
    if (recipe_.fill_values != "keep") ranges.refuse_fill_values();
    ranges_notes_ = ranges.notes();
  }

  const KeptMesh& kept(const field::Case& c, const std::vector<bool>& keep) {
    if (c.mesh == kept_of_ && keep == kept_points_) return kept_;
    kept_ = keep_points(c.mesh, keep, recipe_.surface == "no-data");
    if (kept_.rows.empty())
      fail("{}: no point has data{}; look at the mask (mask_inverted turns it round), no_data and NaN", c.name,
           recipe_.moving == "drop" && reader_->size() > 1
               ? " in all cases (moving = own-mesh lets every case keep its own points)"
               : "");
    if (recipe_.shape) kept_.mesh = with_shape(*kept_.mesh, c.name);
    kept_of_ = c.mesh;
    kept_points_ = keep;
    return kept_;
  }

  static std::shared_ptr<const field::Mesh> with_shape(const field::Mesh& mesh, const std::string& name) {
    if (std::ssize(mesh.surface) != mesh.size())
      fail("{}: shape = true describes surfaces, and {} of its {} points are on one; say surface = all if all are",
           name, mesh.surface.size(), mesh.size());
    auto out = std::make_shared<field::Mesh>(mesh);
    const auto shape = field::surface_features(mesh);
    out->features.resize(mesh.size(), mesh.features.cols() + shape.cols());
    out->features << mesh.features, shape;
    return out;
  }

  void report_mesh(const field::Mesh& mesh, const std::string& name) {
    check_domain(mesh, name);
    const auto n = mesh.size();
    report_.points_least = report_.meshes == 0 ? n : std::min(report_.points_least, n);
    report_.points_most = std::max(report_.points_most, n);
    report_.wall_points += std::ssize(mesh.surface) + (mesh.wall ? mesh.wall->size() : 0);
    ++report_.meshes;
  }

  void check_domain(const field::Mesh& mesh, const std::string& name) const {
    for (std::size_t a = 0; a < recipe_.domain_low.size(); ++a) {
      const auto column = mesh.points.col(a);
      if (column.minCoeff() < float(recipe_.domain_low[a]) || column.maxCoeff() > float(recipe_.domain_high[a]))
        fail("{}: its {} run from {:g} to {:g}, outside the domain of {:g} to {:g}; correct domain_low, domain_high",
             name, schema_.coordinates[a].name, column.minCoeff(), column.maxCoeff(), recipe_.domain_low[a],
             recipe_.domain_high[a]);
    }
  }

  void write_cases(const std::filesystem::path& out) {
    field::DatasetWriter writer(out, schema_, recipe_.title.empty() ? out.stem().string() : recipe_.title);
    if (recipe_.order == "curve") writer.order_along_curve();
    writer.compress(int(recipe_.compress));
    double all = 0, empty = 0;
    for (Index i = 0; i < reader_->size(); ++i) {
      tell("writing", i);
      const auto full = read(i);
      const auto here = has_data(full);
      all += double(here.size());
      empty += double(std::count(here.begin(), here.end(), false));
      const auto& mesh = kept(full, recipe_.moving == "own-mesh" ? here : common_.of(fingerprint_, here));
      field::Case c;
      c.name = full.name;
      c.time = table_.times[i];
      c.descriptors = table_.values.row(i).transpose();
      c.mesh = mesh.mesh;
      c.fields.resize(c.mesh->size(), full.fields.cols());
      for (Index r = 0; r < c.fields.rows(); ++r) c.fields.row(r) = full.fields.row(mesh.rows[r]);
      c.wall_fields = full.wall_fields;
      writer.add(c);
      if (writer.mesh_count() > report_.meshes) report_mesh(*c.mesh, c.name);
    }
    report_.no_data_share = empty / all;
    if (!recipe_.domain_low.empty()) writer.set_domain({recipe_.domain_low, recipe_.domain_high});
    writer.commit();
  }

  Recipe recipe_;
  ImportHooks hooks_;
  std::unique_ptr<CaseReader> reader_;
  CaseTable table_;
  field::Schema schema_;
  ImportReport report_;
  std::vector<std::string> ranges_notes_;  // what looking through the cases showed
  CommonPoints common_{[this](Index index) { return has_data(reader_->read(index)); }};
  // Of the meshes only these stay in memory: that of the last case as it was read, and as it was kept.
  std::shared_ptr<const field::Mesh> mesh_, kept_of_;
  field::Fingerprint fingerprint_;
  std::vector<bool> kept_points_;
  KeptMesh kept_;
};

}  // namespace

ImportReport import_dataset(const Recipe& recipe, const std::filesystem::path& out, const ImportHooks& hooks) {
  return Importer(recipe, out, hooks).write(out);
}

}  // namespace fluidsplat::importing
