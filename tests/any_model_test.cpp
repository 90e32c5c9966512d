// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Models of other structures than FluidSplat's, from training to the page that shows the run, on one path.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "learn/config/setup.h"
#include "learn/config/toy_wake.h"
#include "learn/model/open_model.h"
#include "learn/model/toy_models.h"
#include "learn/train/trainer.h"
#include "reconstruct/evaluate_model.h"
#include "report/run_page.h"

namespace fluidsplat {
namespace {

TEST(AnyModel, IsTrainedJudgedAndShown) {
  learn::register_toy_models();
  const TemporaryFolder folder;
  {
    const auto wake = learn::toy_wake();
    field::DatasetWriter writer(folder / "wake.h5", wake.schema(), "A toy wake");
    for (Index i = 0; i < wake.size(); ++i) writer.add(wake.load(i));
    writer.commit();
  }
  const field::DatasetFile data(folder / "wake.h5");
  for (const std::string kind : {"toy-grid", "toy-linear", "fluidsplat"}) {
    SCOPED_TRACE(kind);
    auto config = learn::toy_config((folder / kind).string());
    config.model = learn::parse_train_config("", "test", {"model.kind=" + kind}).model;
    const auto split = learn::make_split(config.data, data);
    learn::Trainer trainer(config, data, split, learn::make_sensors(config.sensors, data));
    trainer.run();
    const auto model = learn::open_field_model(trainer.folder().model(), 1);
    reconstruct::EvaluationRequest request;
    request.cases = split.test;
    request.sensors = model->sensors();
    request.out = config.out;
    const auto results = reconstruct::evaluate_model(*model, data, request);
    ASSERT_EQ(results.size(), split.test.size());
    const auto page = report::write_run_page(*model, data, {config.out, folder / kind / "report", "A run"});
    EXPECT_THAT(read_file(page), testing::HasSubstr("A model of kind " + kind));
  }
}

}  // namespace
}  // namespace fluidsplat
