// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/volume_view.h"

#include <vtkActor.h>
#include <vtkAutoInit.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkContourFilter.h>
#include <vtkCubeSource.h>
#include <vtkFloatArray.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkSphereSource.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/misuse.h"
#include "draw/offscreen_window.h"
#include "draw/surface_discs.h"
#include "io/vtk_session.h"

VTK_MODULE_INIT(vtkRenderingOpenGL2)

namespace fluidsplat::draw {
namespace {

vtkNew<vtkPoints> points_of(const field::Mesh& mesh) {
  vtkNew<vtkPoints> points;
  for (Index i = 0; i < mesh.points.rows(); ++i)
    points->InsertNextPoint(mesh.points(i, 0), mesh.points(i, 1), mesh.points(i, 2));
  return points;
}

vtkNew<vtkFloatArray> scalars_of(const field::Vector& values) {
  vtkNew<vtkFloatArray> array;
  for (Index i = 0; i < values.size(); ++i) array->InsertNextValue(values[i]);
  return array;
}

void color_by(vtkPolyDataMapper& mapper, const ColorScale& scale) {
  vtkNew<vtkLookupTable> table;
  table->SetNumberOfTableValues(256);
  table->SetTableRange(scale.low, scale.high);
  for (int i = 0; i < 256; ++i) {
    const auto c = color_at(scale.map, i / 255.0);
    table->SetTableValue(i, c[0] / 255.0, c[1] / 255.0, c[2] / 255.0);
  }
  mapper.SetLookupTable(table);
  mapper.UseLookupTableScalarRangeOn();
}

// Hexahedra between grid neighbours that all have data.
vtkNew<vtkUnstructuredGrid> cells_of(const field::Mesh& mesh, const field::Vector& values) {
  vtkNew<vtkUnstructuredGrid> grid;
  grid->SetPoints(points_of(mesh));
  grid->GetPointData()->SetScalars(scalars_of(values));
  const auto& n = mesh.grid_shape;
  std::vector<vtkIdType> point_of(n[0] * n[1] * n[2], -1);
  for (std::size_t i = 0; i < mesh.grid_cell.size(); ++i) point_of[mesh.grid_cell[i]] = static_cast<vtkIdType>(i);
  const auto at = [&](Index k, Index j, Index i) { return point_of[(k * n[1] + j) * n[2] + i]; };
  for (Index k = 0; k + 1 < n[0]; ++k)
    for (Index j = 0; j + 1 < n[1]; ++j)
      for (Index i = 0; i + 1 < n[2]; ++i) {
        const vtkIdType corners[8] = {
            at(k, j, i),     at(k, j, i + 1),     at(k, j + 1, i + 1),     at(k, j + 1, i),
            at(k + 1, j, i), at(k + 1, j, i + 1), at(k + 1, j + 1, i + 1), at(k + 1, j + 1, i)};
        if (std::find(corners, corners + 8, -1) == corners + 8) grid->InsertNextCell(VTK_HEXAHEDRON, 8, corners);
      }
  return grid;
}

void add_surfaces(vtkRenderer& renderer, const field::Mesh& mesh, const field::Vector& values,
                  const ColorScale& scale) {
  vtkNew<vtkContourFilter> contour;
  const auto cells = cells_of(mesh, values);
  contour->SetInputData(cells);
  const bool signed_field = scale.map == ColorMap::diverging;
  const std::vector<double> shares =
      signed_field ? std::vector<double>{0.25, 0.375, 0.625, 0.75} : std::vector<double>{0.25, 0.5, 0.75};
  for (std::size_t i = 0; i < shares.size(); ++i)
    contour->SetValue(int(i), scale.low + shares[i] * (scale.high - scale.low));
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputConnection(contour->GetOutputPort());
  color_by(*mapper, scale);
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  actor->GetProperty()->SetOpacity(0.55);
  renderer.AddActor(actor);
}

void add_dots(vtkRenderer& renderer, const field::Mesh& mesh, const field::Vector& values, const ColorScale& scale) {
  vtkNew<vtkPolyData> dots;
  dots->SetPoints(points_of(mesh));
  dots->GetPointData()->SetScalars(scalars_of(values));
  vtkNew<vtkCellArray> vertices;
  for (vtkIdType i = 0; i < mesh.points.rows(); ++i) vertices->InsertNextCell(1, &i);
  dots->SetVerts(vertices);
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(dots);
  color_by(*mapper, scale);
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  actor->GetProperty()->SetPointSize(5);
  actor->GetProperty()->SetLighting(false);
  renderer.AddActor(actor);
}

// Each point as a low cone whose tip looks at the viewer, so that of overlapping ones the nearest centre wins a pixel,
// as in a mosaic.
void add_discs(vtkRenderer& renderer, const field::Mesh& mesh, const field::Vector& values, const ColorScale& scale,
               const Eigen::Vector3f& to_viewer) {
  constexpr int kRim = 12;
  constexpr float kHeight = 0.1f;
  const auto discs = surface_discs(mesh.points);
  vtkNew<vtkPoints> points;
  vtkNew<vtkFloatArray> colors, normals;
  normals->SetNumberOfComponents(3);
  vtkNew<vtkCellArray> triangles;
  for (Index i = 0; i < mesh.points.rows(); ++i) {
    Eigen::Vector3f up = discs.normals.row(i).transpose();
    if (up.dot(to_viewer) < 0) up = -up;
    const float radius = discs.radius[i];
    const Eigen::Vector3f centre = mesh.points.row(i).transpose(), along = radius * up.unitOrthogonal(),
                          across = up.cross(along), tip = centre + kHeight * radius * up;
    const auto add = [&](const Eigen::Vector3f& p) {
      colors->InsertNextValue(values[i]);
      normals->InsertNextTuple(up.data());
      return points->InsertNextPoint(p.data());
    };
    const auto first = add(tip);
    for (int k = 0; k < kRim; ++k) {
      const auto angle = float(2 * std::numbers::pi * k / kRim);
      add(centre + std::cos(angle) * along + std::sin(angle) * across);
    }
    for (int k = 0; k < kRim; ++k) {
      const vtkIdType corners[3] = {first, first + 1 + k, first + 1 + (k + 1) % kRim};
      triangles->InsertNextCell(3, corners);
    }
  }
  vtkNew<vtkPolyData> surface;
  surface->SetPoints(points);
  surface->SetPolys(triangles);
  surface->GetPointData()->SetScalars(colors);
  surface->GetPointData()->SetNormals(normals);
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(surface);
  color_by(*mapper, scale);
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  // Mostly the scale's own colours, with a little shade for the shape.
  actor->GetProperty()->SetAmbient(0.55);
  actor->GetProperty()->SetDiffuse(0.5);
  renderer.AddActor(actor);
}

// The domain's edges, so that one sees how the picture is turned, and the sensors.
void add_surroundings(vtkRenderer& renderer, const field::Mesh& mesh, const field::Matrix& sensors) {
  const Eigen::RowVectorXf low = mesh.points.colwise().minCoeff(), high = mesh.points.colwise().maxCoeff();
  vtkNew<vtkCubeSource> box;
  box->SetBounds(low[0], high[0], low[1], high[1], low[2], high[2]);
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputConnection(box->GetOutputPort());
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  actor->GetProperty()->SetRepresentationToWireframe();
  actor->GetProperty()->SetColor(0.6, 0.6, 0.6);
  actor->GetProperty()->SetLighting(false);
  renderer.AddActor(actor);
  for (Index s = 0; s < sensors.rows(); ++s) {
    vtkNew<vtkSphereSource> ball;
    ball->SetCenter(sensors(s, 0), sensors(s, 1), sensors(s, 2));
    ball->SetRadius(0.012 * (high - low).norm());
    vtkNew<vtkPolyDataMapper> ball_mapper;
    ball_mapper->SetInputConnection(ball->GetOutputPort());
    vtkNew<vtkActor> ball_actor;
    ball_actor->SetMapper(ball_mapper);
    ball_actor->GetProperty()->SetColor(1.0, 0.77, 0.0);
    renderer.AddActor(ball_actor);
  }
}

}  // namespace

io::Image draw_volume(const field::Mesh& mesh, const field::Vector& values, const ColorScale& scale,
                      const VolumeOptions& options) {
  if (mesh.points.cols() != 3)
    misuse("a volume view needs a 3-D mesh, this one has {} coordinates", mesh.points.cols());
  const io::VtkSession quiet;
  const OffscreenContext context;
  io::Image image{options.width, options.height, {}};
  vtkNew<OffscreenWindow> window;
  window->SetOwnContext(0);
  window->SetOffScreenRendering(1);
  window->SetReadyForRendering(true);
  window->SetIsCurrent(true);
  window->SetSize(options.width, options.height);
  vtkNew<vtkRenderer> renderer;
  renderer->SetBackground(1, 1, 1);
  renderer->SetUseDepthPeeling(true);
  window->SetMultiSamples(0);
  window->AddRenderer(renderer);
  // z is up, unless the body stretches along z: then it would lie on its end.
  const Eigen::RowVectorXf extent = mesh.points.colwise().maxCoeff() - mesh.points.colwise().minCoeff();
  const bool along_z = extent[2] > std::max(extent[0], extent[1]);
  const Eigen::Vector3f to_viewer(-1.0f, along_z ? 0.9f : -1.6f, along_z ? -1.6f : 0.9f);
  if (mesh.grid_shape.size() == 3)
    add_surfaces(*renderer, mesh, values, scale);
  else if (is_surface(mesh))
    add_discs(*renderer, mesh, values, scale, to_viewer);
  else
    add_dots(*renderer, mesh, values, scale);
  add_surroundings(*renderer, mesh, options.sensors);
  auto* camera = renderer->GetActiveCamera();
  camera->SetPosition(to_viewer[0], to_viewer[1], to_viewer[2]);
  camera->SetFocalPoint(0, 0, 0);
  camera->SetViewUp(0, along_z ? 1 : 0, along_z ? 0 : 1);
  renderer->ResetCamera();
  camera->Zoom(1.05);
  window->Render();

  vtkNew<vtkUnsignedCharArray> pixels;
  window->GetRGBACharPixelData(0, 0, options.width - 1, options.height - 1, 0, pixels);
  for (int row = options.height; row-- > 0;)
    for (int column = 0; column < options.width; ++column)
      for (int c = 0; c < 3; ++c)
        image.rgb.push_back(pixels->GetValue(4 * (static_cast<vtkIdType>(row) * options.width + column) + c));
  window->Finalize();
  return image;
}

}  // namespace fluidsplat::draw
