// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/vtk_frames.h"

#include <algorithm>
#include <cmath>

#include "base/config.h"
#include "base/error.h"
#include "io/openfoam.h"
#include "io/vtk_multiblock.h"

namespace fluidsplat::importing {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The faces of the patches that are the wall.
void add_wall(VtkFrames::Frame& frame, const io::VtkBlocks& blocks, const std::vector<std::string>& wall) {
  for (const auto& block : blocks) {
    if (block.mesh.kind != io::VtkKind::poly || !contains(wall, block.name)) continue;
    if (frame.wall.cell_count() == 0)
      frame.wall = block.mesh;
    else
      io::append(frame.wall, block.mesh);
  }
}

void check_patches(const std::vector<std::string>& asked, const std::vector<std::string>& known,
                   const std::string& where) {
  for (const auto& name : asked)
    if (!contains(known, name)) {
      const auto near = nearest_name(name, known);
      fail("{}: has no patch \"{}\"{}; it has: {}", where, name,
           near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near), fmt::join(known, ", "));
    }
}

class FileFrames : public VtkFrames {
 public:
  FileFrames(const Recipe& recipe, std::vector<InputPath> files) : recipe_(recipe), files_(std::move(files)) {}
  Index size() const override { return std::ssize(files_); }
  std::string label(Index index) const override { return files_[index].path.string(); }
  std::string name(Index index) const override { return files_[index].path.stem().string(); }
  double time(Index index) const override { return files_[index].time; }
  Frame read(Index index) override {
    const auto& path = files_[index].path;
    Frame out;
    if (path.extension() != ".vtm") {
      out.mesh = io::read_vtk(path);
      return out;
    }
    const auto blocks = io::read_vtm(path);
    const bool volumes =
        std::any_of(blocks.begin(), blocks.end(), [](const auto& b) { return b.mesh.kind != io::VtkKind::poly; });
    bool first = true;
    std::vector<std::string> patches;
    for (const auto& block : blocks) {
      if (volumes && block.mesh.kind == io::VtkKind::poly) {
        patches.push_back(block.name);
      } else if (first) {
        out.mesh = block.mesh;
        first = false;
      } else {
        io::append(out.mesh, block.mesh);
      }
    }
    check_patches(recipe_.patches, patches, path.string());
    add_wall(out, blocks, recipe_.patches);
    return out;
  }

 private:
  Recipe recipe_;
  std::vector<InputPath> files_;
};

class FoamFrames : public VtkFrames {
 public:
  FoamFrames(const Recipe& recipe, const std::filesystem::path& folder)
      : name_(std::filesystem::absolute(folder).lexically_normal().filename().string()),
        label_(folder.string()),
        foam_(folder) {
    if (name_.empty()) name_ = std::filesystem::absolute(folder).lexically_normal().parent_path().filename().string();
    std::vector<std::string> known;
    for (const auto& patch : foam_.patches()) {
      known.push_back(patch.name);
      if (recipe.patches.empty() && patch.type == "wall") wall_.push_back(patch.name);
    }
    check_patches(recipe.patches, known, label_);
    if (!recipe.patches.empty()) wall_ = recipe.patches;
    if (recipe.surface == "none") wall_.clear();
    // The folder of time 0 holds what the run started from, often without the fields that it computes.
    const auto& times = foam_.times();
    first_ = times.size() > 1 && times.front() == 0 ? 1 : 0;
  }

  Index size() const override { return std::ssize(foam_.times()) - first_; }
  std::string label(Index index) const override { return fmt::format("{}, time {:g}", label_, time(index)); }
  std::string name(Index index) const override { return fmt::format("{}-{:g}", name_, time(index)); }
  double time(Index index) const override { return foam_.times()[index + first_]; }
  bool cells_only() const override { return true; }
  Frame read(Index index) override {
    auto blocks = foam_.read(index + first_);
    Frame out;
    add_wall(out, blocks, wall_);
    out.mesh = std::move(blocks.front().mesh);
    return out;
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> out = {fmt::format("{}: {} times from {:g} to {:g}{}; values at the cells' centres",
                                                label_, size(), time(0), time(size() - 1),
                                                first_ ? ", without the start at 0" : "")};
    if (!wall_.empty())
      out.push_back(fmt::format("the wall is: {} (patches = NAMES chooses others)", fmt::join(wall_, ", ")));
    return out;
  }

 private:
  std::string name_, label_;
  io::FoamCase foam_;
  std::vector<std::string> wall_;
  Index first_ = 0;
};

}  // namespace

std::unique_ptr<VtkFrames> vtk_file_frames(const Recipe& recipe, const std::vector<InputPath>& files) {
  return std::make_unique<FileFrames>(recipe, files);
}

std::unique_ptr<VtkFrames> openfoam_frames(const Recipe& recipe, const std::filesystem::path& folder) {
  return std::make_unique<FoamFrames>(recipe, folder);
}

}  // namespace fluidsplat::importing
