// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/import_dataset.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "field/dataset_file.h"
#include "import/case_table.h"
#include "import/points_with_data.h"

namespace fluidsplat::importing {
namespace {

using MeshPointer = std::shared_ptr<const field::Mesh>;

struct Interrupted {};

class Importer {
 public:
  Importer(const Recipe& recipe, const ImportHooks& hooks) : recipe_(recipe), hooks_(hooks) {
    recipe_.check();
    const auto inputs = expand_inputs(recipe_.files);
    reader_ =
        inputs.kind == InputKind::vtk ? read_vtk_series(recipe_, inputs.files) : read_arrays(recipe_, inputs.files);
    table_ = make_case_table(recipe_, *reader_);
    schema_ = reader_->schema();
    schema_.descriptors = table_.descriptors;
    report_.cases = reader_->size();
    for (const auto* corner : {&recipe_.domain_low, &recipe_.domain_high})
      if (!corner->empty() && corner->size() != schema_.coordinates.size())
        fail("import: the domain's corners have {} numbers, the data {} coordinates", corner->size(),
             schema_.coordinates.size());
  }

  ImportReport write(const std::filesystem::path& out) {
    try {
      // Where the points with data are the same in all cases, they must be known before the first is written.
      if (recipe_.moving != "own-mesh") find_common_points();
      write_cases(out);
    } catch (const Interrupted&) {
      report_.complete = false;
    }
    report_.notes = reader_->notes();
    return report_;
  }

 private:
  void tell(const char* what, Index done) {
    if (hooks_.progress) hooks_.progress(what, done, reader_->size());
    if (hooks_.interrupted && hooks_.interrupted()) throw Interrupted{};
  }

  void find_common_points() {
    std::map<MeshPointer, std::vector<bool>> ever;
    for (Index i = 0; i < reader_->size(); ++i) {
      tell("looking for points without data", i);
      const auto c = reader_->read(i);
      const auto here = has_data(c);
      auto& common = common_[c.mesh];
      auto& some = ever[c.mesh];
      if (common.empty()) common = some = here;
      for (std::size_t p = 0; p < here.size(); ++p) {
        if (here[p] != common[p] && recipe_.moving == "error")
          fail(
              "{}: point {} has data in some cases and none in others (moving = error); moving = drop leaves such "
              "points out, moving = own-mesh lets every case keep its own",
              reader_->name(i), p);
        common[p] = common[p] && here[p];
        some[p] = some[p] || here[p];
      }
    }
    for (const auto& [mesh, common] : common_) {
      const auto& some = ever.at(mesh);
      for (std::size_t p = 0; p < common.size(); ++p) report_.dropped += some[p] && !common[p];
    }
  }

  KeptMesh& kept(const field::Case& c, const std::vector<bool>& keep) {
    const auto key = std::pair(c.mesh, keep);
    if (const auto it = kept_.find(key); it != kept_.end()) return it->second;
    auto fresh = keep_points(c.mesh, keep, recipe_.surface == "no-data");
    if (fresh.rows.empty())
      fail("{}: no point has data{}; look at the mask (mask_inverted turns it round), no_data and NaN", c.name,
           recipe_.moving == "drop" && reader_->size() > 1
               ? " in all cases (moving = own-mesh lets every case keep its own points)"
               : "");
    const auto n = fresh.mesh->size();
    report_.points_least = report_.meshes == 0 ? n : std::min(report_.points_least, n);
    report_.points_most = std::max(report_.points_most, n);
    report_.wall_points += std::ssize(fresh.mesh->surface);
    ++report_.meshes;
    check_domain(*fresh.mesh, c.name);
    return kept_.emplace(key, std::move(fresh)).first->second;
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
    double all = 0, empty = 0;
    for (Index i = 0; i < reader_->size(); ++i) {
      tell("writing", i);
      auto full = reader_->read(i);
      const auto here = has_data(full);
      all += double(here.size());
      empty += double(std::count(here.begin(), here.end(), false));
      const auto& mesh = kept(full, recipe_.moving == "own-mesh" ? here : common_.at(full.mesh));
      field::Case c;
      c.name = full.name;
      c.time = table_.times[i];
      c.descriptors = table_.values.row(i).transpose();
      c.mesh = mesh.mesh;
      c.fields.resize(c.mesh->size(), full.fields.cols());
      for (Index r = 0; r < c.fields.rows(); ++r) c.fields.row(r) = full.fields.row(mesh.rows[r]);
      writer.add(c);
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
  std::map<MeshPointer, std::vector<bool>> common_;
  std::map<std::pair<MeshPointer, std::vector<bool>>, KeptMesh> kept_;
};

}  // namespace

ImportReport import_dataset(const Recipe& recipe, const std::filesystem::path& out, const ImportHooks& hooks) {
  return Importer(recipe, hooks).write(out);
}

}  // namespace fluidsplat::importing
