// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/classical_methods.h"

#include "base/stopwatch.h"
#include "baselines/pod_model.h"
#include "field/normalization.h"
#include "learn/config/train_config.h"
#include "learn/model/registry.h"
#include "reconstruct/comparison.h"

namespace fluidsplat::baselines {
std::vector<ClassicalMethod> classical_methods(const field::SensorLayout& sensors) {
  std::vector<ClassicalMethod> out = {{reconstruct::kTrainingMean, "kind = \"mean\"\n"},
                                      {"nearest sensor", "kind = \"interpolation\"\nhow = \"nearest\"\n"},
                                      {"inverse distance", "kind = \"interpolation\"\nhow = \"inverse-distance\"\n"},
                                      {"Gaussian process", "kind = \"interpolation\"\nhow = \"gaussian-process\"\n"},
                                      {"nearest training case", "kind = \"nearest-case\"\n"},
                                      {"gappy POD", "kind = \"pod\"\nmap = \"gappy\"\n"}};
  if (sensors.redraw) return out;
  out.push_back({"POD, linear ridge", "kind = \"pod\"\nmap = \"linear\"\n"});
  out.push_back({"POD, quadratic ridge", "kind = \"pod\"\nmap = \"quadratic\"\n"});
  out.push_back({"POD, Gaussian kernel", "kind = \"pod\"\nmap = \"gaussian\"\n"});
  out.push_back({"POD, Matern kernel", "kind = \"pod\"\nmap = \"matern\"\n"});
  out.push_back({"POD, best for 5 % noise", "kind = \"pod\"\nnoise = 0.05\n"});
  return out;
}

ClassicalFits::ClassicalFits(const field::Dataset& dataset, const field::Split& split,
                             const field::SensorLayout& layout)
    : dataset_(dataset), split_(split), sensors_(layout, dataset) {
  const Stopwatch watch;
  const auto facts = learn::facts_of(dataset);
  frame_.schema = facts.schema;
  frame_.grid_shape = facts.grid_shape;
  frame_.normalization = field::fit_normalization(dataset, split.train);
  frame_.normalization.readings = sensors_.learn_means(dataset, split.train, frame_.normalization.channels);
  frame_.sensors = sensors_.layout();
  seconds_for_frame_ = watch.seconds();
}

ClassicalFits::Fit ClassicalFits::make(const ClassicalMethod& method) {
  const Stopwatch watch;
  const auto spec = learn::parse_train_config("[model]\n" + method.settings, method.name).model->clone();
  spec->fit_to(frame_.schema);
  Fit out{frame_, seconds_for_frame_};
  out.trained.model = learn::ModelRegistry::instance().make_model(*spec, learn::facts_of(dataset_));
  const auto* pod = dynamic_cast<const PodSpec*>(spec.get());
  const bool has_map = pod && pod->map != PodMap::kGappy && !sensors_.layout().redraw;
  if (has_map && modes_) {
    dynamic_cast<PodModel&>(*out.trained.model).take_modes(dynamic_cast<const PodModel&>(*modes_));
    out.seconds += seconds_for_modes_;
  } else {
    out.trained.model->fit({dataset_, split_.train, sensors_, frame_.normalization});
    if (has_map) modes_ = out.trained.model, seconds_for_modes_ = watch.seconds();
  }
  out.seconds += watch.seconds();
  return out;
}

}  // namespace fluidsplat::baselines
