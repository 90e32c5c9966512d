// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/classical_methods.h"

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

learn::TrainedModel fit_classical(const ClassicalMethod& method, const field::Dataset& dataset,
                                  const field::Split& split, const field::SensorLayout& layout) {
  const auto spec = learn::parse_train_config("[model]\n" + method.settings, method.name).model;
  const auto facts = learn::facts_of(dataset);
  field::SensorPlacement sensors(layout, dataset);
  learn::TrainedModel out;
  out.schema = facts.schema;
  out.grid_shape = facts.grid_shape;
  out.normalization = field::fit_normalization(dataset, split.train);
  out.normalization.readings = sensors.learn_means(dataset, split.train, out.normalization.channels);
  out.sensors = sensors.layout();
  const auto fitted = spec->clone();
  fitted->fit_to(facts.schema);
  out.model = learn::ModelRegistry::instance().make_model(*fitted, facts);
  out.model->fit({dataset, split.train, sensors, out.normalization});
  return out;
}

}  // namespace fluidsplat::baselines
