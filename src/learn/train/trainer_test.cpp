// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/mean_field.h"
#include "field/metrics.h"
#include "learn/config/setup.h"
#include "learn/config/toy_wake.h"
#include "learn/model/torch_field_model.h"
#include "learn/train/trainer_bench.h"
#include "reconstruct/runtime_model.h"

namespace fluidsplat::learn {
namespace {

using Bench = TrainerBench;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Trainer, LearnsTheToyWake) {
  Bench b;
  b.config.schedule.steps = 300;
  b.config.validate_every = 100;
  auto t = b.trainer();
  EXPECT_EQ(t->run(), TrainOutcome::finished);
  // What a model errs that knows the mean of its training cases and does not listen to its sensors.
  const auto split = make_split(b.config.data, b.data);
  const field::MeanField mean(b.data, split.train);
  double deaf = 0;
  for (auto i : split.validation) {
    const auto c = b.data.load(i);
    deaf += field::compare(mean.on(0, *c.mesh), c.fields).relative_l2 / double(split.validation.size());
  }
  EXPECT_LT(t->log().back().validation, 0.5 * deaf);
  EXPECT_EQ(t->best().error, std::min_element(t->log().begin(), t->log().end(), [](const auto& x, const auto& y) {
                               return x.validation < y.validation;
                             })->validation);
  EXPECT_TRUE(std::filesystem::exists(t->folder().model()));
  EXPECT_THAT(read_file(t->folder().file("log.csv")), HasSubstr("step,loss"));
}

TEST(Trainer, SameSeedSameBits) {
  Bench a, b;
  auto ta = a.trainer(), tb = b.trainer();
  ta->run();
  tb->run();
  EXPECT_TRUE(same(*ta->trained().model, *tb->trained().model));
}

// Validation looks at the averaged weights; training goes on from the live ones.
TEST(Trainer, ValidationLeavesTrainingAlone) {
  Bench often, once;
  often.config.ema = once.config.ema = 0.9;
  often.config.validate_every = 1;
  once.config.validate_every = 40;
  auto a = often.trainer(), b = once.trainer();
  a->run();
  b->run();
  EXPECT_TRUE(same(*a->trained().model, *b->trained().model));
}

TEST(Trainer, ClipsGradients) {
  Bench clipped, free;
  clipped.config.clip_norm = 1e-9;  // far below Adam's epsilon, so that hardly anything moves
  free.config.clip_norm = 0;
  clipped.config.optimizer.weight_decay = free.config.optimizer.weight_decay = 0;
  const auto moved = [](Bench& b) {
    auto t = b.trainer();
    const auto before = t->trained().model->parameters().front().clone();
    t->run();
    return (t->trained().model->parameters().front() - before).abs().max().item<double>();
  };
  EXPECT_LT(moved(clipped), 0.1 * moved(free));
}

// The loss of every step and, at the end, the validation error.
std::vector<double> training_curve(Engine engine, bool nudge = false) {
  Bench b;
  b.config.engine = engine;
  b.config.schedule.steps = 50;
  auto t = b.trainer();
  if (nudge) {  // every weight by one rounding of a float, up and down in turn
    torch::NoGradGuard no_grad;
    for (auto& p : t->trained().model->parameters()) {
      const auto sign = 1 - 2 * (torch::arange(p.numel()) % 2).to(torch::kFloat32).view(p.sizes());
      p.mul_(1 + std::numeric_limits<float>::epsilon() * sign);
    }
  }
  std::vector<double> curve;
  TrainCallbacks callbacks;
  callbacks.on_step = [&](Index, double loss, double) { curve.push_back(loss); };
  t->run(callbacks);
  curve.push_back(t->log().back().validation);
  return curve;
}

double largest_gap(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double gap = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) gap = std::max(gap, std::abs(a[i] / b[i] - 1));
  return gap;
}

// Both engines do the same arithmetic in another order, so their curves may part as fast as rounding makes curves part,
// and no faster.  How fast that is, a run of the reference engine tells whose weights start one rounding away.  Within
// one gradient both engines round some hundred times over, in steps that average out: ten nudges.
TEST(Trainer, EnginesGiveTheSameCurve) {
  const auto reference = training_curve(Engine::kReference), fused = training_curve(Engine::kFused);
  ASSERT_EQ(reference.size(), 51u);
  const double rounding = largest_gap(training_curve(Engine::kReference, true), reference);
  EXPECT_GT(rounding, 0);
  EXPECT_LT(rounding, 1e-4);
  EXPECT_LT(largest_gap(fused, reference), 10 * rounding);
}

// Stopping at any step and resuming must give the very bits of an uninterrupted run, with every stateful option on.
TEST(Trainer, ResumesBitForBit) {
  for (auto schedule : {ScheduleKind::kPlateau, ScheduleKind::kOneCycle}) {
    Bench whole, parts;
    for (auto* b : {&whole, &parts}) {
      b->config.ema = 0.9;
      b->config.sensor_dropout = 0.2;
      b->config.sensor_noise = 0.01;
      b->config.schedule.kind = schedule;
      b->config.schedule.patience = 0;
      b->config.optimizer.kind = schedule == ScheduleKind::kPlateau ? OptimizerKind::kAdam : OptimizerKind::kSoap;
      b->config.sampling.kind = SamplingKind::kRms;
    }
    auto t = whole.trainer();
    t->run();
    for (Index stop_at : {7, 15, 26}) {
      auto p = parts.trainer();
      if (stop_at > 7) p->resume();
      TrainCallbacks callbacks;
      callbacks.should_stop = [&] { return p->counters().step == stop_at; };
      EXPECT_EQ(p->run(callbacks), TrainOutcome::interrupted);
    }
    auto p = parts.trainer();
    p->resume();
    EXPECT_EQ(p->run(), TrainOutcome::finished);
    EXPECT_TRUE(same(*t->trained().model, *p->trained().model)) << int(schedule);
    EXPECT_EQ(t->best().error, p->best().error);
    ASSERT_EQ(t->log().size(), p->log().size());
    for (std::size_t i = 0; i < t->log().size(); ++i) {
      const auto &a = t->log()[i], &b = p->log()[i];
      EXPECT_EQ(std::tie(a.step, a.loss, a.data, a.observation, a.gradient, a.validation),
                std::tie(b.step, b.loss, b.data, b.observation, b.gradient, b.validation));
    }
  }
}

TEST(Trainer, RefusesToResumeWithOtherSettings) {
  Bench b;
  b.trainer()->run();
  b.config.schedule.rate *= 2;
  auto t = b.trainer();
  EXPECT_THAT([&] { t->resume(); },
              ThrowsMessage<Error>(AllOf(HasSubstr("other settings"), HasSubstr("train.rate was 0.003 and is 0.006"))));
  // The checkpoint is still good for the settings it was made with.
  b.config.schedule.rate /= 2;
  auto right = b.trainer();
  right->resume();
  EXPECT_EQ(right->counters().step, b.config.schedule.steps);
}

// A rate that is absurd makes the loss explode; the run must notice, go back, slow down, and stay finite.
TEST(Trainer, RollsBackWhenTheLossExplodes) {
  Bench b;
  b.config.checkpoint_every = 5;
  b.config.explode_factor = 5;
  b.config.schedule.steps = 40;
  auto t = b.trainer();
  std::vector<std::string> events;
  Index highest = 0;
  TrainCallbacks callbacks;
  callbacks.on_event = [&](const std::string& what) { events.push_back(what); };
  callbacks.on_step = [&](Index step, double, double) {
    // Once, well after the mean loss has settled: weights that are finite and far off.
    if (step == 32 && highest < 32)
      for (auto& p : t->trained().model->parameters()) p.data().mul_(3);
    highest = std::max(highest, step);
  };
  t->run(callbacks);
  ASSERT_EQ(events.size(), 1u);
  // The checkpoint of step 30 has not yet held for checkpoint_every steps.
  EXPECT_THAT(events.front(), AllOf(HasSubstr("the loss jumped"), HasSubstr("back to step 25")));
  EXPECT_EQ(t->counters().rate_scale, 0.5);
  EXPECT_EQ(highest, 40);
  for (const auto& p : t->trained().model->parameters()) EXPECT_TRUE(torch::isfinite(p).all().item<bool>());
}

TEST(Trainer, GivesUpAfterTooManyRollbacksAndKeepsTheGoodModel) {
  Bench b;
  b.config.validate_every = 5;
  b.config.schedule.steps = 20;
  b.trainer()->run();
  const auto good = read_file(std::filesystem::path(b.config.out) / "model.safetensors");

  b.config.max_rollbacks = 0;
  auto t = b.trainer();
  for (auto& p : t->trained().model->parameters()) p.data().fill_(std::nan(""));
  EXPECT_THAT([&] { t->run(); }, ThrowsMessage<Error>(HasSubstr("smaller train.rate")));
  EXPECT_TRUE(read_file(t->folder().model()) == good) << "a broken model replaced a good one";
}

// A model that was kept was judged.  After a rollback a worse validation must not take its place.
TEST(Trainer, ARollbackDoesNotForgetTheBestModel) {
  Bench b;
  b.config.validate_every = 1;
  b.config.checkpoint_every = 10;
  b.config.explode_factor = 5;
  b.config.schedule.steps = 40;
  auto t = b.trainer();
  double least = 1e300, kept_at_spike = 0;
  bool thrown = false;
  std::vector<double> kept;
  TrainCallbacks callbacks;
  callbacks.on_validation = [&](const LogRow& row, bool best) {
    if (best) {
      EXPECT_LT(row.validation, least) << "a worse model replaced the best one, step " << row.step;
      least = row.validation;
    }
    kept.push_back(t->best().error);
  };
  callbacks.on_step = [&](Index step, double, double) {
    if (step != 39 || thrown) return;
    thrown = true;
    kept_at_spike = t->best().error;
    for (auto& p : t->trained().model->parameters()) p.data().mul_(3);
  };
  t->run(callbacks);
  ASSERT_EQ(t->counters().rollbacks, 1);
  EXPECT_LE(t->best().error, kept_at_spike);
  for (std::size_t i = 1; i < kept.size(); ++i) EXPECT_LE(kept[i], kept[i - 1]);
}

// Without validation cases there is nothing to choose by: the newest weights are kept, and nothing is called
// divergence.
TEST(Trainer, WithoutValidationCasesTheLastModelIsKept) {
  Bench b;
  auto split = make_split(b.config.data, b.data);
  split.validation.clear();
  Trainer t(b.config, b.data, split, make_sensors(b.config.sensors, b.data));
  EXPECT_EQ(t.run(), TrainOutcome::finished);
  EXPECT_EQ(t.counters().rollbacks, 0);
  EXPECT_TRUE(same(*load_model(t.folder().model()).model, *t.trained().model));
}

// The time may be up before the first validation is due: what the run leaves is its own model all the same.
TEST(Trainer, OutOfTimeLeavesAJudgedModelOfThisRun) {
  Bench b;
  b.config.schedule.steps = 10;
  b.trainer()->run();
  const auto old = read_file(std::filesystem::path(b.config.out) / "model.safetensors");
  b.config.max_minutes = 1e-9;
  b.config.validate_every = 1000;
  b.config.seed = 7;
  auto t = b.trainer();
  EXPECT_EQ(t->run(), TrainOutcome::out_of_time);
  ASSERT_EQ(t->log().size(), 1u);
  EXPECT_EQ(t->best().step, t->counters().step);
  EXPECT_TRUE(same(*load_model(t->folder().model()).model, *t->trained().model));
  EXPECT_FALSE(read_file(t->folder().model()) == old);
}

// A constructor leaves libtorch's threads and random numbers alone.
TEST(Trainer, HasNoGlobalSideEffects) {
  Bench b;
  b.config.threads = 2;
  torch::set_num_threads(1);
  torch::manual_seed(5);
  const auto expected = torch::rand({3});
  torch::manual_seed(5);
  auto t = b.trainer();
  EXPECT_EQ(torch::get_num_threads(), 1);
  EXPECT_TRUE(torch::equal(torch::rand({3}), expected));
}

TEST(Trainer, StopsEarlyWhenValidationStalls) {
  Bench b;
  b.config.schedule.kind = ScheduleKind::kConstant;
  b.config.schedule.rate = 1e-9;
  b.config.validate_every = 1;
  b.config.early_stop = 3;
  b.config.schedule.steps = 200;
  auto t = b.trainer();
  EXPECT_EQ(t->run(), TrainOutcome::early_stopped);
  // At such a rate no later validation is better than the first by chance for long; the stop comes with the third in a
  // row that is not.
  EXPECT_EQ(t->counters().step, t->best().step + 3);
}

TEST(Schedule, ShapesAreWhatTheyAreCalled) {
  ScheduleConfig c;
  c.rate = 1;
  c.final_rate = 0.01;
  c.steps = 100;
  c.kind = ScheduleKind::kOneCycle;
  Schedule one(c);
  EXPECT_NEAR(one.rate(0), 1.0 / 25, 1e-12);
  EXPECT_NEAR(one.rate(30), 1, 1e-12);
  EXPECT_NEAR(one.rate(100), 0.01, 1e-12);
  EXPECT_LT(one.rate(70), one.rate(50));
  c.kind = ScheduleKind::kCosine;
  EXPECT_NEAR(Schedule(c).rate(0), 1, 1e-12);
  EXPECT_NEAR(Schedule(c).rate(50), 0.505, 1e-12);
  c.kind = ScheduleKind::kPlateau;
  c.patience = 2;
  Schedule plateau(c);
  for (double e : {1.0, 0.9, 0.95, 0.95}) plateau.report(e);
  EXPECT_NEAR(plateau.rate(0), 1, 1e-12);
  plateau.report(0.95);
  EXPECT_NEAR(plateau.rate(0), 0.5, 1e-12);
}

TEST(TorchRandperm, IsWhatLibtorchGives) {
  for (Index n : {1, 2, 300, 5000}) {
    torch::manual_seed(123);
    const auto theirs = torch::randperm(n);
    const auto mine = field::torch_randperm(n, 123);
    for (Index i = 0; i < n; ++i) ASSERT_EQ(mine[i], theirs[i].item<Index>()) << i;
  }
}

TEST(Checkpoint, KeepsEveryCounter) {
  TemporaryFolder folder;
  Checkpoint c;
  c.now.counters = {1, 3, 0.125, 6.5, 8.5, {}};
  c.now.counters.schedule.plateau_scale = 0.25;
  c.now.counters.schedule.best = 0.75;
  c.now.counters.schedule.waited = 9;
  c.now.averaged.emplace("w", torch::arange(3, torch::kFloat32));
  c.best = {7.5, 11, 4, 0.5, {{"w", torch::ones({2})}}};
  save_checkpoint(folder / "c.safetensors", c);
  const auto loaded = load_checkpoint(folder / "c.safetensors");
  const auto& back = loaded.now;
  EXPECT_EQ(back.counters.step, 1);
  EXPECT_EQ(back.counters.rollbacks, 3);
  EXPECT_EQ(back.counters.rate_scale, 0.125);
  EXPECT_EQ(back.counters.mean_loss, 6.5);
  EXPECT_EQ(back.counters.seconds, 8.5);
  EXPECT_EQ(back.counters.schedule.plateau_scale, 0.25);
  EXPECT_EQ(back.counters.schedule.best, 0.75);
  EXPECT_EQ(back.counters.schedule.waited, 9);
  EXPECT_TRUE(torch::equal(back.averaged.at("w"), c.now.averaged.at("w")));
  EXPECT_EQ(loaded.best.error, 7.5);
  EXPECT_EQ(loaded.best.step, 11);
  EXPECT_EQ(loaded.best.network_scale, 0.5);
  EXPECT_EQ(loaded.best.validations_since, 4);
  EXPECT_TRUE(torch::equal(loaded.best.weights.at("w"), c.best.weights.at("w")));
  c.best = {};
  save_checkpoint(folder / "c.safetensors", c);
  EXPECT_TRUE(std::isinf(load_checkpoint(folder / "c.safetensors").best.error)) << "no validation yet";
}

TEST(Checkpoint, TruncatedAtAnyPlaceIsAnErrorNotACrash) {
  Bench b;
  b.trainer()->run();
  const auto path = std::filesystem::path(b.config.out) / "checkpoint.safetensors";
  const auto bytes = read_file(path);
  for (double share : {0.0, 0.001, 0.01, 0.5, 0.999}) {
    write_file(path, bytes.substr(0, std::size_t(share * double(bytes.size()))));
    EXPECT_THROW(load_checkpoint(path), Error) << share;
  }
  EXPECT_THROW(load_checkpoint(b.folder / "nothing"), Error);
}

TEST(ModelFile, RoundTripGivesTheSameAnswer) {
  Bench b;
  auto t = b.trainer();
  t->run();
  TorchFieldModel first(load_model(t->folder().model()));
  const auto again = b.folder / "again.safetensors";
  save_model(again, first.trained());
  TorchFieldModel second(load_model(again));
  const auto c = b.data.load(3);
  const field::SensorPlacement sensors(first.sensors(), b.data);
  const auto readings = sensors.read(c, 3);
  EXPECT_EQ(first.reconstruct(readings, c.descriptors, c.mesh).field,
            second.reconstruct(readings, c.descriptors, c.mesh).field);
  EXPECT_EQ(first.schema(), b.data.schema());
  EXPECT_TRUE(read_file(again) == read_file(t->folder().model()));
}

TEST(ModelFile, HostileFilesAreErrors) {
  Bench b;
  auto t = b.trainer();
  t->run();
  const auto path = t->folder().model();
  const auto file = io::SafetensorsFile::open(path);
  std::map<std::string, io::Array> tensors;
  for (const auto& name : file.names()) tensors[name] = file.get(name).copy();
  auto expect_error = [&](const std::map<std::string, io::Array>& ts, std::map<std::string, std::string> meta,
                          const std::string& text) {
    const auto bad = b.folder / "bad.safetensors";
    io::write_safetensors(bad, ts, meta);
    try {
      load_model(bad);
      ADD_FAILURE() << "no error for " << text;
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr("bad.safetensors"));
      EXPECT_THAT(e.what(), HasSubstr(text));
    }
  };
  const auto meta = file.metadata();
  auto changed = meta;
  changed.erase("config");
  expect_error(tensors, changed, "config");
  changed = meta;
  changed["schema"] = "99";
  expect_error(tensors, changed, "schema \"99\"");
  changed = meta;
  changed["config"] = "{\"model\": 3}";
  expect_error(tensors, changed, "");
  changed = meta;
  const auto at = changed["config"].find("\"primitives\":6");
  ASSERT_NE(at, std::string::npos);
  changed["config"].replace(at, 14, "\"primitives\":7");
  expect_error(tensors, changed, "head.");
  changed = meta;
  changed["config"].replace(at, 14, "\"primitives\":99999999");
  expect_error(tensors, changed, "model.primitives");
  auto missing = tensors;
  missing.erase("head.bias");
  expect_error(missing, meta, "head.bias");
  auto extra = tensors;
  extra["surprise"] = tensors.at("head.bias");
  expect_error(extra, meta, "surprise");
}

}  // namespace
}  // namespace fluidsplat::learn
