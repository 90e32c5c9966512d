// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "classical/adaptive_map.h"
#include "model/base_field.h"
#include "model/normalization.h"
#include "model/sensor_layout.h"

namespace fluidsplat::classical {

// The classical method under a network: POD modes of the training cases' deviations from their mean, whose coefficients
// a kernel map makes of the readings, sharply or steadily as these are clean or noisy.  The network then has to learn
// only what this leaves.
//
// Readings are those of the model's own sensors in the order of their layout, sensor by sensor and channel by channel,
// normalised, NaN where a sensor says nothing.  A silent sensor is left out of the training readings too, and the map
// is fitted anew to those that speak.  Constant; any number of threads may ask.
class PodPrior {
 public:
  struct Fit {
    model::Matrix modes;                   // [points, J * C] in physical units, a mode's channels side by side
    model::Matrix readings, coefficients;  // of the training cases, [T, S] and [T, J]
    model::Matrix places;                  // where the model's sensors were in training, [N, d]
    NoiseLadder ladder;                    // of the map from readings to coefficients
    double noise = 0;                      // that it was chosen around, in the readings' units
  };
  // Points [n, d] as the base field has them.
  PodPrior(const model::Matrix& points, Index channels, Fit fit);

  Index modes() const { return fit_.coefficients.cols(); }
  Index channels() const { return channels_; }
  Index cases() const { return fit_.readings.rows(); }
  Index readings() const { return fit_.readings.cols(); }
  const NoiseLadder& ladder() const { return fit_.ladder; }
  double noise() const { return fit_.noise; }
  const model::Matrix& places() const { return fit_.places; }
  const model::Matrix& training_readings() const { return fit_.readings; }
  const model::Matrix& training_coefficients() const { return fit_.coefficients; }
  // The modes as a field of J * C channels, for wherever they are wanted.
  const model::BaseField& fields() const { return fields_; }

  Eigen::VectorXd coefficients(const Eigen::VectorXd& readings) const;
  // The same as if the `row`-th training case had not been one: what the network is shown in training.
  Eigen::VectorXd left_out(Index row, const Eigen::VectorXd& readings) const;

  // sum_j coefficients_j * modes_j of rows [n, J * C]: added to [n, C].
  static void add(const float* rows, Index n, Index channels, const Eigen::VectorXd& coefficients, float* values);

 private:
  friend class PriorReader;
  using Sensors = std::vector<Index>;  // those that speak
  struct Map {
    Sensors sensors;
    AdaptiveMap map;
  };
  NoiseLadder ladder_for(const Sensors& sensors) const;
  Eigen::MatrixXd readings_of(const Sensors& sensors) const;
  std::shared_ptr<const Map> map_for(const Sensors& sensors) const;
  std::shared_ptr<const LeftOutAdaptiveMap> left_out_map_for(const Sensors& sensors) const;

  Index channels_;
  Fit fit_;
  model::BaseField fields_;
  mutable std::mutex mutex_;  // for what follows
  mutable std::map<Sensors, std::shared_ptr<const Map>> maps_;
  mutable std::map<Sensors, std::shared_ptr<const LeftOutAdaptiveMap>> left_out_maps_;
};

// Where a prior finds its readings among those of a layout, and what is normal for each.  Sensors are known by their
// place, that of the model's layout or the point of the mesh where they were in training; others are not listened to.
class PriorInputs {
 public:
  // `known` is the model's own layout, `trained_at` [N, d] where its sensors were (PodPrior::places).
  PriorInputs(const model::Matrix& trained_at, const model::SensorLayout& known, const model::SensorLayout& given,
              const model::Normalization& normalization);
  Index size() const { return std::ssize(inputs_); }
  // readings [sensors][C] of the layout, physical; out [size()].
  void read(const float* readings, double* out) const;

 private:
  struct Input {
    Index reading;  // into [sensors][C], or -1
    double mean, scale;
  };
  std::vector<Input> inputs_;
};

// From readings to coefficients without allocation, unless other sensors speak than the last time.  One thread at a
// time.
class PriorReader {
 public:
  PriorReader(std::shared_ptr<const PodPrior> prior, PriorInputs inputs);
  const Eigen::VectorXd& read(const float* readings);

 private:
  std::shared_ptr<const PodPrior> prior_;
  PriorInputs inputs_;
  std::shared_ptr<const PodPrior::Map> map_;
  Eigen::VectorXd readings_, speaking_, scratch_, coefficients_;
};

// A prior and how much of the network's field, in normalised units, is added to it.
struct Prior {
  std::shared_ptr<const PodPrior> pod;  // or null: the model has none
  double network_scale = 1;

  static constexpr const char* kBlock = "prior";
  model::Block to_block() const;
};
// Of a model file, none when it has none.  Throws Error, naming the file, for one that does not fit the model.
Prior read_prior(const model::ModelFile& file, const model::BaseField* base);

}  // namespace fluidsplat::classical
