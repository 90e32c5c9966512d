// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"
#include "model/model_file.h"
#include "model/normalization.h"

namespace fluidsplat::classical {

// A model that pools its sensors cannot say at each of them what that one says.  Kriging takes what it misses there as
// a sample of what it misses everywhere and carries it to the neighbourhood.  Two places are neighbours when they are
// near in space and the model's answers there are alike: what it misses on one side of an edge or a shear layer says
// little of the other.
struct Kriging {
  double length = 0;    // along which what is missed is alike, of the domain's longest side; 0: there is no correction
  double contrast = 1;  // the difference of answers, in standard deviations of a channel, that parts as a length does
  double noise = 0.1;   // the share of what is missed at a sensor that has nothing to do with its neighbourhood
  bool is_on() const { return length > 0; }
  bool operator==(const Kriging&) const = default;

  static constexpr const char* kBlock = "correction";
  model::Block to_block() const;
};
// Of a model file; off when it has none.  Throws Error, naming the file, for settings out of range.
Kriging read_kriging(const model::ModelFile& file);

// The space in which neighbours are near: positions and answers, each over the length of its own.
class KrigingSpace {
 public:
  KrigingSpace(const Kriging& kriging, const model::Normalization& normalization);
  Index dim() const { return std::ssize(axes_) + std::ssize(channels_); }
  // Of `count` places, positions [count][d] in the unit box and answers [count][C] in physical units: coordinates of
  // place i are out[i * place_step + axis * axis_step].
  void place(const float* positions, const float* answers, Index count, Index place_step, Index axis_step,
             float* out) const;
  // By how much coordinates grow with a position in the unit box, and with an answer over its channel's scale.
  const std::vector<float>& axes() const { return axes_; }
  float per_answer() const { return per_answer_; }

 private:
  std::vector<float> axes_, channels_;
  float per_answer_;
};

// What each sensor's kernel counts, so that the sum of all is the expected correction.  Allocates nothing after
// construction.
class KrigingWeights {
 public:
  KrigingWeights(Index sensors, Index channels);
  // `centres` [sensors][dim] in the kriging's space and what is missed there, [sensors][C], NaN where a sensor says
  // nothing; weights [sensors][C], which are 0 there.
  void solve(const float* centres, Index dim, double noise, const float* missed, float* weights);

 private:
  bool hear(const float* missed, Index channel);
  void factor(double noise);

  Index sensors_, channels_;
  std::vector<double> gram_, factor_, solution_;
  std::vector<bool> speaks_, heard_;
};

}  // namespace fluidsplat::classical
