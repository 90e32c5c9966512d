// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/surface_view.h"

namespace fluidsplat::field {

Matrix SurfaceView::fields(const Matrix& on_mesh, const Matrix& on_wall) const {
  const Matrix& source = separate_ ? on_wall : on_mesh;
  Matrix out(size(), source.cols());
  for (Index s = 0; s < size(); ++s) out.row(s) = source.row(points_.surface[s]);
  return out;
}

}  // namespace fluidsplat::field
