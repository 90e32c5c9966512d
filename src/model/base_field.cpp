// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/base_field.h"

#include <Eigen/Cholesky>
#include <array>
#include <cmath>
#include <nanoflann.hpp>

#include "base/error.h"
#include "base/misuse.h"

namespace fluidsplat::model {
namespace {

constexpr int kVersion = 1;

Matrix read_matrix(const Block& block, const char* name, Index columns, const std::string& where) {
  const auto it = block.tensors.find(name);
  if (it == block.tensors.end()) fail("{}: the base field has no \"{}\"; the file is damaged", where, name);
  const auto& a = it->second;
  if (a.dtype != io::DType::f32 || a.shape.size() != 2 || a.shape[0] < 1 || a.shape[1] != columns)
    fail("{}: the base field's \"{}\" must be F32 with {} columns; the file is damaged", where, name, columns);
  Matrix out = Eigen::Map<const Matrix>(reinterpret_cast<const float*>(a.bytes.data()), a.shape[0], columns);
  if (!out.allFinite()) fail("{}: the base field's \"{}\" are not finite; the file is damaged", where, name);
  return out;
}

}  // namespace

class BaseField::Interpolation {
 public:
  virtual ~Interpolation() = default;
  // value [C]; derivative [C][d] or null.
  virtual void evaluate(const float* position, float* value, float* derivative) const = 0;
};

template <int D>
class BaseField::InterpolationIn : public Interpolation {
 public:
  InterpolationIn(const Matrix& points, const Matrix& values)
      : points_{points}, values_(values), tree_(D, points_, nanoflann::KDTreeSingleIndexAdaptorParams(16)) {
    tree_.buildIndex();
  }

  void evaluate(const float* position, float* value, float* derivative) const override {
    std::array<std::uint32_t, kNeighbours> found;
    std::array<double, kNeighbours> squared, weight;
    const auto count = Index(tree_.knnSearch(position, kNeighbours, found.data(), squared.data()));
    const double radius = std::sqrt(squared[count - 1]);
    const Eigen::Map<const Eigen::Vector<float, D>> asked(position);

    // Franke and Little's weights: endless at a point itself, nothing at the farthest neighbour, so that the field
    // stays continuous where the neighbours change.
    double total = 0;
    Vector centre = Vector::Zero();
    for (Index i = 0; i < count; ++i) {
      const double near = count > 1 && radius > 0 ? 1 - std::sqrt(squared[i]) / radius : 1;
      // Where all are equally far, none would count.
      weight[i] = std::max(near * near, 1e-9) / (squared[i] + 1e-14 * radius * radius + 1e-300);
      total += weight[i];
      centre += weight[i] * point(found[i]);
    }
    centre /= total;
    Square scatter = Square::Zero();
    double reach = 0;
    for (Index i = 0; i < count; ++i) {
      const Vector offset = point(found[i]) - centre;
      scatter += weight[i] * offset * offset.transpose();
      reach = std::max(reach, offset.squaredNorm());
    }
    // Neighbours on one line say nothing of the direction across it: no slope there.
    scatter += (1e-9 * scatter.trace() + 1e-300) * Square::Identity();
    const Eigen::LLT<Square> solver(scatter);
    // Outside of the points the field is not continued farther than the neighbours themselves reach.
    Vector offset = asked.template cast<double>() - centre;
    if (offset.squaredNorm() > reach) offset *= std::sqrt(reach / offset.squaredNorm());

    for (Index c = 0; c < values_.cols(); ++c) {
      double mean = 0;
      for (Index i = 0; i < count; ++i) mean += weight[i] * values_(found[i], c);
      mean /= total;
      Vector moment = Vector::Zero();
      for (Index i = 0; i < count; ++i)
        moment += weight[i] * (values_(found[i], c) - mean) * (point(found[i]) - centre);
      const Vector slope = solver.solve(moment);
      value[c] = float(mean + slope.dot(offset));
      if (derivative) Eigen::Map<Eigen::Vector<float, D>>(derivative + c * D) = slope.template cast<float>();
    }
  }

 private:
  using Vector = Eigen::Vector<double, D>;
  using Square = Eigen::Matrix<double, D, D>;
  // As many as a point of a grid has around it, itself included, and in space those that share a face or an edge.
  static constexpr std::size_t kNeighbours = D == 2 ? 9 : 19;

  // nanoflann reads points through these three members.
  struct Points {
    const Matrix& rows;
    std::size_t kdtree_get_point_count() const { return std::size_t(rows.rows()); }
    float kdtree_get_pt(std::size_t i, std::size_t axis) const { return rows(Index(i), Index(axis)); }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
      return false;
    }
  };
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Points, double>, Points, D,
                                                   std::uint32_t>;

  Vector point(std::uint32_t i) const { return points_.rows.row(i).transpose().template cast<double>(); }

  Points points_;
  const Matrix& values_;
  Tree tree_;
};

BaseField::BaseField(Matrix points, Matrix values) : points_(std::move(points)), values_(std::move(values)) {
  if (points_.rows() < 1 || points_.rows() != values_.rows())
    misuse("a base field has {} points and {} rows of values", points_.rows(), values_.rows());
  if (points_.cols() == 2)
    interpolation_ = std::make_unique<InterpolationIn<2>>(points_, values_);
  else if (points_.cols() == 3)
    interpolation_ = std::make_unique<InterpolationIn<3>>(points_, values_);
  else
    misuse("a base field is in 2-D or 3-D, not {}-D", points_.cols());
}

BaseField::~BaseField() = default;

void BaseField::evaluate(const float* positions, Index count, float* values, float* derivatives) const {
  const Index d = points_.cols(), c = values_.cols();
  for (Index i = 0; i < count; ++i)
    interpolation_->evaluate(positions + i * d, values + i * c, derivatives ? derivatives + i * c * d : nullptr);
}

Matrix BaseField::at(const Matrix& points) const {
  // A separate wall's points follow those of the mesh.
  if (points.rows() <= points_.rows() && (points.array() == points_.topRows(points.rows()).array()).all())
    return values_.topRows(points.rows());
  Matrix out(points.rows(), values_.cols());
  evaluate(points.data(), points.rows(), out.data());
  return out;
}

Block BaseField::to_block() const {
  const auto array = [](const Matrix& m) {
    return io::Array::from<float>({m.rows(), m.cols()}, {m.data(), std::size_t(m.size())});
  };
  return {kVersion, "{}", {{"points", array(points_)}, {"values", array(values_)}}};
}

std::shared_ptr<const BaseField> read_base_field(const ModelFile& file) {
  if (!file.has_block(BaseField::kBlock)) return nullptr;
  const auto& schema = file.description().schema;
  const auto block = file.block(BaseField::kBlock, kVersion);
  auto points = read_matrix(block, "points", schema.dim(), file.name());
  auto values = read_matrix(block, "values", std::ssize(schema.channels), file.name());
  if (points.rows() != values.rows())
    fail("{}: the base field has {} points and {} rows of values; the file is damaged", file.name(), points.rows(),
         values.rows());
  return std::make_shared<const BaseField>(std::move(points), std::move(values));
}

}  // namespace fluidsplat::model
