// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Local scales side by side at equal coverage: how wide bands at 90 % are, for what was built and for what was tried.
//
//   bench_scales RUN DATA [--ensemble RUN]... [--block FRAMES] [--splits N] [--least SHARE]
//
// Every scale is a signal of the instant or the point (none, distance of the readings, last-layer Laplace, spread of an
// ensemble) times a map by place of the errors in units of that signal.  Beside them stands a Gaussian process on POD
// coefficients with its own posterior, given the same calibration; all widths are in root mean square errors of RUN.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/random.h"
#include "calibrate/calibrate_model.h"
#include "calibrate/find_groups.h"
#include "calibrate/posterior_of_modes.h"
#include "field/dataset_file.h"
#include "reconstruct/left_out_readings.h"
#include "reconstruct/runtime_model.h"

using namespace fluidsplat;
using calibrate::CaseErrors;
using calibrate::ScaleByPlace;
using field::Matrix;

namespace {

constexpr double kLevel = 0.9;
constexpr Index kSignals = 4, kLessons = 100, kPoints = 1000, kCases = 250;
constexpr const char* kSignalNames[kSignals] = {"none", "distance", "Laplace", "ensemble"};
enum Signal { kNone, kDistance, kLaplace, kEnsemble };

struct Options {
  std::filesystem::path run, data;
  std::vector<std::filesystem::path> ensemble;
  Index splits = 100, block = 1;
  double least = 0.1;  // of the whole, that no place is taken to be better than
};

// Some points of a mesh, drawn at random, as a mesh.
struct Sample {
  std::shared_ptr<const field::Mesh> all, mesh;
  std::vector<Index> points;
  std::vector<unsigned char> regions;

  Matrix of(const Matrix& fields) const { return fields(points, Eigen::all); }
};

// A case as the model and its rivals see it, at the points of a sample.
struct Seen {
  std::shared_ptr<const Sample> sample;
  std::shared_ptr<const field::Mesh> mesh;  // of the sample
  Matrix truth;
  Matrix errors;
  std::vector<float> readings;
  std::vector<Matrix> signals;  // [kSignals] of [n, C] or empty where there is none
};

// Posterior variance of the last layer of a network that was fitted to its training cases: h' (H'H / N + ridge)^-1 h.
class Laplace {
 public:
  explicit Laplace(Index width) : sum_(Eigen::MatrixXd::Zero(width + 1, width + 1)) {}
  void add(const Matrix& hidden) {
    const auto h = with_one(hidden);
    sum_ += h.transpose() * h / double(h.rows());
    ++cases_;
  }
  void finish(double ridge) {
    Eigen::MatrixXd s = sum_ / double(cases_);
    s.diagonal().array() += ridge * s.diagonal().mean();
    factor_ = s.llt();
  }
  Eigen::VectorXf deviation(const Matrix& hidden) const {
    Eigen::MatrixXd h = with_one(hidden).transpose();
    factor_.matrixL().solveInPlace(h);
    return h.colwise().norm().transpose().cast<float>();
  }

 private:
  static Eigen::MatrixXd with_one(const Matrix& hidden) {
    Eigen::MatrixXd out(hidden.rows(), hidden.cols() + 1);
    out << hidden.cast<double>(), Eigen::VectorXd::Ones(hidden.rows());
    return out;
  }
  Eigen::MatrixXd sum_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Index cases_ = 0;
};

class Bench {
 public:
  explicit Bench(const Options& o)
      : options_(o),
        dataset_(o.data),
        model_(std::make_unique<reconstruct::RuntimeModel>(o.run / "model.safetensors")),
        functionals_({}, model_->schema(), o.data.string()),
        reader_(*model_, dataset_, functionals_, 0, 1) {
    for (const auto& run : o.ensemble)
      others_.push_back(std::make_unique<reconstruct::RuntimeModel>(run / "model.safetensors"));
    calibrate::choose_cases(request_, field::read_split(o.run / "split.json", dataset_));
  }

  void run() {
    read_training();
    request_.cases = thinned(request_.cases, kCases);
    for (Index i : thinned(request_.validation_cases)) validation_.push_back(see(i, true));
    for (Index i : request_.cases) test_.push_back(see(i, true));
    learn_distance();
    const auto size = [&](Index k) -> std::optional<double> { return test_[k].errors.norm(); };
    groups_ = calibrate::find_groups(dataset_, request_.cases, options_.block, size)->groups;
    fmt::print("{} groups of {} unseen cases, {} validation and {} training cases to learn from, {} splits\n\n",
               groups_.size(), test_.size(), validation_.size(), training_.size(), options_.splits);
    fmt::print("| signal | place | learnt from | summary | coverage | spread | width | near the wall | wake | far |\n");
    fmt::print("|---|---|---|---|---|---|---|---|---|---|\n");
    for (int signal = 0; signal < kSignals; ++signal) {
      if (test_.front().signals[signal].size() == 0) continue;
      judge(signal, calibrate::Summary::rms, false, true, false);
      for (auto summary : {calibrate::Summary::rms, calibrate::Summary::quantile}) {
        judge(signal, summary, true, true, false);
        judge(signal, summary, true, false, true);
        judge(signal, summary, true, true, true);
      }
    }
    if (dataset_.mesh_count() == 1) judge_posterior();
  }

 private:
  static std::vector<Index> thinned(const std::vector<Index>& all, Index at_most = kLessons) {
    std::vector<Index> out;
    const Index most = std::min(at_most, std::ssize(all));
    for (Index i = 0; i < most; ++i) out.push_back(all[i * std::ssize(all) / most]);
    return out;
  }

  // One mesh's is kept; meshes of their own come one after the other.
  std::shared_ptr<const Sample> sample_of(const std::shared_ptr<const field::Mesh>& mesh) {
    if (sample_ && sample_->all == mesh) return sample_;
    auto out = std::make_shared<Sample>();
    out->all = mesh;
    const auto regions = calibrate::regions_of(*mesh);
    Random random(1);
    Matrix places(kPoints, mesh->points.cols());
    for (Index i = 0; i < kPoints; ++i) {
      out->points.push_back(Index(random.below(mesh->size())));
      out->regions.push_back(regions[out->points.back()]);
      places.row(i) = mesh->points.row(out->points.back());
    }
    out->mesh = reconstruct::mesh_of_sensors(places, *mesh);
    return sample_ = out;
  }

  Seen see(Index index, bool with_signals) {
    const auto c = dataset_.load(index);
    const auto sample = sample_of(c.mesh);
    const auto readings = reader_.sensors().read(c, index);
    const auto descriptors = reconstruct::descriptors_for(c.descriptors, model_->schema());
    const auto said = model_->reconstruct(readings, descriptors, sample->mesh);
    const auto hidden = model_->hidden(readings, descriptors, sample->mesh);
    Seen out{
        sample, sample->mesh, sample->of(c.fields), {}, reader_.normalized(readings), std::vector<Matrix>(kSignals)};
    out.errors = out.truth - said.field;
    out.signals[kNone] = Matrix::Ones(out.errors.rows(), out.errors.cols());
    if (!with_signals) {
      if (!laplace_) laplace_.emplace(hidden.cols());
      laplace_->add(hidden);
    } else {
      out.signals[kLaplace] = laplace_->deviation(hidden).replicate(1, out.errors.cols());
    }
    if (!others_.empty()) {
      std::vector<Matrix> fields = {said.field};
      for (auto& m : others_) fields.push_back(m->reconstruct(readings, descriptors, sample->mesh).field);
      Matrix mean = Matrix::Zero(said.field.rows(), said.field.cols()), spread = mean;
      for (const auto& f : fields) mean += f / float(fields.size());
      for (const auto& f : fields) spread += (f - mean).cwiseAbs2() / float(fields.size() - 1);
      // Where all agree by luck, a twentieth of the whole.
      const Eigen::RowVectorXf whole = spread.colwise().mean();
      spread.rowwise() += 0.0025f * whole;
      out.signals[kEnsemble] = spread.cwiseSqrt();
    }
    return out;
  }

  void read_training() {
    const auto& train = request_.train_cases;
    training_readings_.resize(std::ssize(train), reader_.own().size());
    for (Index t = 0; t < training_readings_.rows(); ++t) {
      const auto z = reader_.normalized(reader_.sensors().read(dataset_.load(train[t]), train[t]));
      for (Index v = 0; v < training_readings_.cols(); ++v) training_readings_(t, v) = z[v];
    }
    for (Index i : thinned(train)) see(i, false);
    if (laplace_) laplace_->finish(1e-6);
    for (Index i : thinned(train)) training_.push_back(see(i, true));
  }

  void learn_distance() {
    calibrate::Lessons lessons;
    for (const auto& s : validation_)
      lessons.validation.push_back(
          std::make_shared<calibrate::Lesson>(calibrate::Lesson{s.mesh, s.errors, s.readings, {}}));
    lessons.training_readings = training_readings_;
    const auto learnt = calibrate::learn_scale({true, true, calibrate::LessonSource::validation}, lessons);
    for (auto* list : {&validation_, &training_, &test_})
      for (auto& s : *list)
        s.signals[kDistance] = Matrix::Constant(s.errors.rows(), s.errors.cols(), float(learnt.factor(s.readings)));
    fmt::print("power of the distance: {:.2f}\n", learnt.distance.power);
    std::fflush(stdout);
  }

  void judge(int signal, calibrate::Summary summary, bool by_place, bool validation, bool training) {
    ScaleByPlace place(summary, options_.least);
    for (const auto* list : {&validation_, &training_}) {
      if (list == &validation_ ? !validation : !training) continue;
      for (const auto& s : *list) place.add(s.mesh, s.errors.cwiseQuotient(s.signals[signal]));
    }
    const auto local = by_place ? place.make() : place.make_constant();
    print_row(kSignalNames[signal], by_place ? "by place" : "constant",
              validation && training ? "both"
              : validation           ? "validation"
                                     : "training",
              summary == calibrate::Summary::rms ? "rms" : "quantile", [&](Index k) -> std::pair<Matrix, Matrix> {
                return {test_[k].errors, local.at(test_[k].mesh->points).cwiseProduct(test_[k].signals[signal])};
              });
  }

  void judge_posterior() {
    const Eigen::MatrixXd readings = training_readings_.cast<double>();
    const calibrate::PosteriorOfModes posterior(dataset_, test_.front().sample->points, request_.train_cases, readings);
    double ours = 0, theirs = 0;
    print_row("kernel-POD posterior", "-", "training", "-", [&](Index k) -> std::pair<Matrix, Matrix> {
      Eigen::RowVectorXd z(std::ssize(test_[k].readings));
      for (Index v = 0; v < z.size(); ++v) z[v] = test_[k].readings[v];
      auto answer = posterior.at(z);
      Matrix errors = test_[k].truth - answer.field;
      ours += test_[k].errors.squaredNorm();
      theirs += errors.squaredNorm();
      return {std::move(errors), std::move(answer.deviation)};
    });
    fmt::print("\nthe kernel-POD's root mean square error is {:.3f} of the model's\n", std::sqrt(theirs / ours));
  }

  // `of` gives errors and scales of a test case; widths are in errors of the model, whatever errs.
  template <class Of>
  void print_row(const char* signal, const char* place, const char* from, const char* summary, const Of& of) {
    calibrate::RungErrors rung;
    for (Index k = 0; k < std::ssize(test_); ++k) {
      auto [errors, scales] = of(k);
      calibrate::SeenCase seen;
      seen.truth.mesh = test_[k].mesh;
      seen.errors = std::move(errors);
      rung.cases.push_back(calibrate::scaled_errors(seen, calibrate::Yardstick::plain(scales), 0, 0));
      auto& case_errors = rung.cases.back();
      case_errors.region = test_[k].sample->regions;
      case_errors.place_class.assign(kPoints, 0);
      for (Index c = 0; c < scales.cols(); ++c)
        for (Index i = 0; i < kPoints; ++i) case_errors.pointwise[c].push_back(seen.errors(i, c) / scales(i, c));
      for (Index c = 0; c < test_[k].errors.cols(); ++c)
        case_errors.rms[c] = std::sqrt(double(test_[k].errors.col(c).squaredNorm()) / double(test_[k].errors.rows()));
    }
    for (const auto& r : calibrate::coverage_over_splits({rung}, groups_, options_.splits, {kLevel}, 1)) {
      if (r.promise != uncertainty::Promise::on_average) continue;
      fmt::print("| {} | {} | {} | {} | {:.1f} | {:.1f} | {:.3f} | {:.1f} | {:.1f} | {:.1f} |\n", signal, place, from,
                 summary, 100 * r.pointwise, 100 * r.pointwise_spread, r.width, 100 * r.regions[0], 100 * r.regions[1],
                 100 * r.regions[2]);
    }
    std::fflush(stdout);
  }

  Options options_;
  field::DatasetFile dataset_;
  std::unique_ptr<reconstruct::RuntimeModel> model_;
  std::vector<std::unique_ptr<reconstruct::FieldModel>> others_;
  reconstruct::Functionals functionals_;
  calibrate::CaseReader reader_;
  calibrate::CalibrationRequest request_;
  std::shared_ptr<const Sample> sample_;
  std::optional<Laplace> laplace_;
  std::vector<Seen> training_, validation_, test_;
  model::Matrix training_readings_;
  calibrate::Groups groups_;
};

}  // namespace

int main(int argc, char** argv) {
  Options o;
  std::vector<std::string> plain;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--ensemble") && i + 1 < argc)
      o.ensemble.push_back(argv[++i]);
    else if (!std::strcmp(argv[i], "--splits") && i + 1 < argc)
      o.splits = std::atoi(argv[++i]);
    else if (!std::strcmp(argv[i], "--block") && i + 1 < argc)
      o.block = std::atoi(argv[++i]);
    else if (!std::strcmp(argv[i], "--least") && i + 1 < argc)
      o.least = std::atof(argv[++i]);
    else
      plain.push_back(argv[i]);
  }
  if (plain.size() != 2) {
    fmt::print(stderr,
               "usage: bench_scales RUN DATA [--ensemble RUN]... [--block FRAMES] [--splits N] [--least SHARE]\n");
    return 2;
  }
  o.run = plain[0], o.data = plain[1];
  try {
    Bench(o).run();
  } catch (const Error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}
