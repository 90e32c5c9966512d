// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What every neural baseline must do, asked of each in several sizes of data.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "baselines/model_checks.h"
#include "baselines/register.h"
#include "learn/config/setup.h"
#include "learn/config/toy_wake.h"
#include "learn/fluidsplat/gradient_check.h"
#include "learn/model/trained_model.h"
#include "learn/train/trainer.h"

namespace fluidsplat::baselines {
namespace {

struct Trial {
  std::string name;
  std::vector<std::string> settings;
  DataSizes sizes;
  friend void PrintTo(const Trial& trial, std::ostream* out) { *out << trial.name; }
};

std::vector<std::string> tiny(const std::string& kind) {
  std::vector<std::string> out = {"model.kind=" + kind};
  const auto add = [&](std::initializer_list<const char*> more) { out.insert(out.end(), more.begin(), more.end()); };
  if (kind == "senseiver")
    add({"model.bands=3", "model.resolution=8", "model.token_width=6", "model.latents=5", "model.width=8",
         "model.self_layers=1", "model.query_width=8", "model.query_heads=2"});
  if (kind == "deeponet") add({"model.token_width=12", "model.context=12", "model.rank=12", "model.width=16"});
  if (kind == "recfno")
    add({"model.token_width=12", "model.context=12", "model.seed_nodes=4", "model.seed_width=16", "model.nodes=12",
         "model.width=6", "model.modes=3", "model.layers=2", "model.head_width=16"});
  if (kind == "flronet")
    add({"model.token_width=8", "model.heads=2", "model.nodes=13", "model.width=8", "model.levels=3",
         "model.head_width=16"});
  return out;
}

// In the plane with one channel; and in space with all that data may have.
std::vector<Trial> trials() {
  std::vector<Trial> out;
  for (const std::string kind : {"senseiver", "deeponet", "recfno", "flronet"}) {
    out.push_back({kind + "_plane", tiny(kind), {}});
    auto settings = tiny(kind);
    settings.push_back("model.geometry=true");
    // Grids in space hold many more nodes.
    if (kind == "recfno") settings.push_back("model.nodes=6"), settings.push_back("model.seed_nodes=3");
    if (kind == "flronet") settings.push_back("model.nodes=7"), settings.push_back("model.levels=2");
    out.push_back({kind + "_space", settings, {3, 2, 2, 1, {1, 0.5, 0.8}}});
  }
  return out;
}

class NeuralModel : public testing::TestWithParam<Trial> {
 protected:
  void SetUp() override {
    register_baselines();
    model_ = make_model(GetParam().settings, GetParam().sizes);
    model_->to(torch::kFloat64);
    cases_ = make_cases(*model_, 2, 6, 7);
  }
  torch::Tensor answer() { return model_->reconstruct(cases_.observation, cases_.queries); }
  // The answer to the cases with something changed; the change is undone.
  template <class Change>
  torch::Tensor answer_after(const Change& change) {
    const auto kept = cases_.observation;
    change(cases_.observation);
    const auto out = answer();
    cases_.observation = kept;
    return out;
  }
  static double difference(const torch::Tensor& a, const torch::Tensor& b) {
    return (a - b).abs().max().item<double>() / a.abs().max().item<double>();
  }

  std::shared_ptr<learn::Model> model_;
  MadeUpCases cases_;
};

TEST_P(NeuralModel, AnswersAtEveryQueryInEveryChannel) {
  EXPECT_EQ(answer().sizes(), (std::vector<Index>{2, 7, GetParam().sizes.channels}));
  EXPECT_TRUE(torch::isfinite(answer()).all().item<bool>());
}

TEST_P(NeuralModel, ItsGradientIsThatOfDifferences) {
  std::vector<torch::Tensor> parameters;
  for (const auto& [name, p] : learn::parameters_of(*model_)) parameters.push_back(p);
  learn::expect_gradients_match([&] { return learn::weighted_sum(answer()); }, parameters, 3);
}

TEST_P(NeuralModel, EveryWeightMatters) {
  const auto all = learn::parameters_of(*model_);
  std::vector<torch::Tensor> parameters;
  for (const auto& [name, p] : all) parameters.push_back(p);
  const auto gradients = torch::autograd::grad({learn::weighted_sum(answer())}, parameters, {}, false, false, true);
  std::size_t i = 0;
  for (const auto& [name, p] : all) {
    ASSERT_TRUE(gradients[i].defined()) << name;
    EXPECT_TRUE(torch::isfinite(gradients[i]).all().item<bool>()) << name;
    ++i;
  }
}

TEST_P(NeuralModel, TheOrderOfSensorsDoesNotMatter) {
  const auto order = torch::tensor({3, 5, 0, 1, 4, 2}, torch::kInt64);
  const auto turned = answer_after([&](learn::Observation& o) {
    for (auto* t : {&o.positions, &o.values, &o.channels, &o.present}) *t = t->index_select(1, order);
  });
  EXPECT_LT(difference(answer(), turned), 1e-12);
}

TEST_P(NeuralModel, ASilentSensorSaysNothing) {
  const auto before = answer();
  const auto other = answer_after([](learn::Observation& o) {
    o.values = o.values.clone(), o.positions = o.positions.clone();
    o.values[0][5] = 100, o.positions[0][5] = 0.3;
  });
  EXPECT_LT(difference(before, other), 1e-12) << "what an absent sensor would have said matters";
  const auto heard = answer_after([](learn::Observation& o) {
    o.values = o.values.clone();
    o.values[0][1] += 1;
  });
  EXPECT_GT((before[0] - heard[0]).abs().max().item<double>(), 1e-6) << "a sensor that speaks is not heard";
  EXPECT_LT((before[1] - heard[1]).abs().max().item<double>(), 1e-12) << "one case sees another's sensors";
  const auto shorter = answer_after([](learn::Observation& o) {
    for (auto* t : {&o.positions, &o.values, &o.channels, &o.present}) *t = t->narrow(1, 0, 5);
  });
  EXPECT_LT((before[0] - shorter[0]).abs().max().item<double>(), 1e-12) << "an absent sensor is not as none";
}

TEST_P(NeuralModel, WithoutAnySensorItStillAnswers) {
  const auto silent = answer_after([](learn::Observation& o) { o.present = torch::zeros_like(o.present); });
  EXPECT_TRUE(torch::isfinite(silent).all().item<bool>());
}

TEST_P(NeuralModel, QueriesAreAnsweredOneByOneAsTogether) {
  const auto all = answer();
  const auto queries = cases_.queries;
  cases_.queries.positions = queries.positions.narrow(1, 4, 1);
  cases_.queries.features = queries.features.narrow(1, 4, 1);
  EXPECT_LT(difference(all.narrow(1, 4, 1), answer()), 1e-11);
}

TEST_P(NeuralModel, LearnsOneBatchByHeart) {
  model_->to(torch::kFloat32);
  torch::manual_seed(2);
  cases_ = make_cases(*model_, 2, 6, 12, torch::kFloat32);
  torch::optim::Adam adam(model_->parameters(), torch::optim::AdamOptions(5e-3));
  const auto loss = [&] { return (answer() - cases_.targets).square().mean(); };
  const double before = loss().item<double>();
  double after = before;
  for (int step = 0; step < 2000 && after > before / 100; ++step) {
    adam.zero_grad();
    const auto l = loss();
    after = l.item<double>();
    l.backward();
    adam.step();
  }
  EXPECT_LE(after, before / 100);
}

INSTANTIATE_TEST_SUITE_P(All, NeuralModel, testing::ValuesIn(trials()), [](const auto& i) { return i.param.name; });

// What the mean field of the toy wake errs by: the pressure is 100 + 5 cos(...).
constexpr double kMeanField = 0.05 / 1.414;

class NeuralKind : public testing::TestWithParam<const char*> {};

// Training on a wave through the one path; the file gives the model back bit by bit.
TEST_P(NeuralKind, TrainsSavesAndLoads) {
  register_baselines();
  const TemporaryFolder folder;
  const auto data = learn::toy_wake();
  auto config = learn::toy_config((folder / "run").string());
  config.model = learn::parse_train_config("", "test", tiny(GetParam())).model;
  config.schedule.steps = 300;
  config.schedule.rate = 1e-2;
  config.validate_every = 100;
  config.sensors.count = 4;
  learn::Trainer trainer(config, data, learn::make_split(config.data, data), learn::make_sensors(config.sensors, data));
  EXPECT_EQ(trainer.run(), learn::TrainOutcome::finished);
  EXPECT_LT(trainer.best().error, 0.6 * kMeanField) << "it hardly learns";

  auto loaded = learn::load_model(trainer.folder().model());
  EXPECT_EQ(loaded.model->spec().kind(), GetParam());
  torch::NoGradGuard no_grad;
  for (const auto& [name, p] : learn::parameters_of(*loaded.model)) p.data().mul_(1.25);
  learn::save_model(folder / "changed.safetensors", loaded);
  const auto again = learn::load_model(folder / "changed.safetensors");
  torch::manual_seed(3);
  const auto cases = make_cases(*loaded.model, 2, 5, 9, torch::kFloat32);
  EXPECT_TRUE(torch::equal(loaded.model->reconstruct(cases.observation, cases.queries),
                           again.model->reconstruct(cases.observation, cases.queries)));
}
INSTANTIATE_TEST_SUITE_P(All, NeuralKind, testing::Values("senseiver", "deeponet", "recfno", "flronet"));

TEST(NeuralModels, SizesThatCannotBeAreRefused) {
  register_baselines();
  const auto refused = [](std::vector<std::string> settings, DataSizes sizes = {}) {
    EXPECT_THROW(make_model(settings, sizes), Error) << settings.back();
  };
  refused({"model.kind=senseiver", "model.cross_heads=3"});
  refused({"model.kind=senseiver", "model.query_heads=3"});
  refused({"model.kind=recfno", "model.nodes=512"}, {3, 1, 0, 0, {1, 1, 1}});
  refused({"model.kind=recfno", "model.width=512", "model.modes=128"});
  refused({"model.kind=flronet", "model.heads=3"});
  refused({"model.kind=flronet", "model.width=18"});
  refused({"model.kind=flronet", "model.width=512", "model.levels=8"});
}

}  // namespace
}  // namespace fluidsplat::baselines
