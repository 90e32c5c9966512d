// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/recipe.h"

#include "base/error.h"

namespace fluidsplat::importing {

void Recipe::bind(Config& c) {
  c.add(
      "files", &files,
      "what to read: arrays (.npy, .npz, .h5, .nc, .mat), VTK files, tables (.csv, .txt, .dat), an OpenFOAM case; patterns such as run/*.vtu");
  c.add("title", &title, "what reports call the dataset");

  c.add("arrays", &arrays,
        "the arrays to read: names in a file of arrays, of VTK data, of columns; several become several channels");
  c.add("columns", &columns, "tables: names of all columns, in order, where the files do not name them");
  c.add("layout", &layout,
        "the axes of the arrays in order: t case or time, z y x grid, n points, c channel; for example tyxc");
  c.add("channels", &channels, "names of the channels");
  c.add("units", &units, "units of the channels");
  c.add("select", &select, "which channels of the array to keep, counted from 0");
  c.add("on", &on, "VTK: data on points or cells (cells become points at their centres)").one_of({"points", "cells"});

  c.add("points", &points, "array with the points, (points, 2 or 3) or (cases, points, 2 or 3)");
  c.add("x", &x, "array or column with the x coordinates, one per grid column or one per value");
  c.add("y", &y, "array with the y coordinates");
  c.add("z", &z, "array with the z coordinates");
  c.add("offsets", &offsets,
        "array with the first point of each case and the end of the last, for cases laid end to end along n");
  c.add("origin", &origin, "position of the grid's first value, x first");
  c.add("spacing", &spacing, "distance of the grid's values along x, y (and z)");
  c.add("length_unit", &length_unit, "unit of the coordinates");
  c.add("domain_low", &domain_low, "lower corner of the domain (default: the box around the points)");
  c.add("domain_high", &domain_high, "upper corner of the domain");

  c.add("mask", &mask, "array that is not zero where there are data");
  c.add("mask_inverted", &mask_inverted, "the mask is zero where there are data");
  c.add("mask_channel", &mask_channel, "the channel of the array that is the mask, counted from 0; -1: none")
      .at_least(-1);
  c.add("no_data", &no_data, "values that mean \"no data\", as NaN does");
  c.add(
       "fill_values", &fill_values,
       "numbers that programs write where they have nothing (-9999, 1e20, ...), far outside the others: stop, or keep as data")
      .one_of({"stop", "keep"});
  c.add("moving", &moving,
        "points without data in some cases only: drop them everywhere; own-mesh: every case keeps what it has; error")
      .one_of({"drop", "own-mesh", "error"});

  c.add(
       "order", &order,
       "the points' order in the dataset: that of the files; curve: points near each other together, for cases that are "
       "larger than memory (docs/scale.md)")
      .one_of({"files", "curve"});
  c.add("compress", &compress, "how hard fields are compressed in the dataset: 0 (not at all) to 9")
      .at_least(0)
      .at_most(9);

  c.add("surface", &surface,
        "the wall: no-data (grid values next to no data), array (see surface_array), all (every point), none")
      .one_of({"no-data", "array", "all", "none"});
  c.add("surface_array", &surface_array,
        "array that is not zero on the wall, or a list of point numbers (for VTK files: a .npy)");
  c.add("normals", &normals, "array with a normal into the fluid for every point");
  c.add("areas", &areas, "array with the area that every point of the wall stands for (length in 2-D)");
  c.add("faces", &faces,
        "array with the wall's faces in 3-D, (faces, 3 or 4) or (cases, faces, 3 or 4) numbers of points from 0: they "
        "tell normals and areas (polygons of VTK files do so by themselves)");

  c.add("patches", &patches,
        "OpenFOAM and .vtm: the patches that are the wall (OpenFOAM's default: those of the type wall)");

  c.add("times", &times, "array with the times of the cases");
  c.add("time_start", &time_start, "time of the first case, without times");
  c.add("time_step", &time_step, "time from case to case, without times");
  c.add("cases", &cases,
        "CSV with a row per case: descriptors by name; column \"case\" to match names, \"time\" for times");
  c.add("descriptors", &descriptors,
        "what tells cases apart, known beforehand: columns of the CSV (default: all), or arrays of an .npz");
  c.add("descriptor_units", &descriptor_units, "units of the descriptors");
  c.add("features", &features, "arrays known beforehand at every point, such as the distance to the wall");
  c.add("feature_units", &feature_units, "units of the features");
  c.add(
      "shape", &shape,
      "for points that all lie on the surface of a body: which way it looks and how far it stands out there, as further "
      "features");
}

void Recipe::check() const {
  if (files.empty()) fail("import: no files; name at least one");
  if (!mask.empty() && mask_channel >= 0) fail("import: give mask or mask_channel, not both");
  if (surface == "array" && surface_array.empty()) fail("import: surface = array needs surface_array");
  if (surface != "array" && !surface_array.empty())
    fail("import: surface_array is given; it is used with surface = array");
  if (surface == "none" && !(normals.empty() && areas.empty() && faces.empty()))
    fail("import: surface = none contradicts normals, areas and faces, which describe the wall");
  if (!faces.empty() && !offsets.empty())
    fail("import: faces of cases laid end to end (offsets) cannot be read; give normals and areas instead");
  if (!points.empty() && (!x.empty() || !y.empty() || !z.empty()))
    fail("import: give the positions as points or as x, y (and z), not both");
  if (!points.empty() && (!origin.empty() || !spacing.empty()))
    fail("import: origin and spacing describe a grid; with points they have no meaning");
  for (double s : spacing)
    if (!(s > 0)) fail("import: spacing = {} must be above 0", s);
  if (domain_low.size() != domain_high.size())
    fail("import: domain_low has {} numbers and domain_high {}; both need one per coordinate", domain_low.size(),
         domain_high.size());
  for (std::size_t a = 0; a < domain_low.size(); ++a)
    if (!(domain_low[a] < domain_high[a]))
      fail("import: domain_low = {} is not below domain_high = {}", domain_low[a], domain_high[a]);
  for (auto s : select)
    if (s < 0) fail("import: select = {} must not be negative; channels are counted from 0", s);
}

}  // namespace fluidsplat::importing
