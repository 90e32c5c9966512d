// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Every neural baseline goes the way of FluidSplat: trained, judged, asked and shown by the same commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/wave_fixture.h"

namespace fluidsplat::tests {
namespace {

using ::testing::HasSubstr;

class Baseline : public WaveTest, public testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(Baseline, IsTrainedJudgedAskedAndShown) {
  const auto [kind, sizes] = GetParam();
  write_file(
      folder_ / "baseline.toml",
      "out = 'run'\n[data]\nfile = 'wave.h5'\ntrain_cases = 10\nvalidation_cases = 4\n"
      "[sensors]\nkind = 'cells'\ncells = [[1, 2], [4, 6], [6, 10]]\n[model]\nkind = '" +
          std::string(kind) + "'\n" + sizes +
          "[sampling]\nqueries = 32\n"
          "[train]\nsteps = 40\nbatch = 4\nschedule = 'cosine'\nrate = 3e-3\nvalidate_every = 20\nthreads = 1\n");
  const auto trained = fluidsplat({"train", "baseline.toml"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("relative L2 error"));
  const auto relative_l2 = [&](const char* file) {
    return nlohmann::json::parse(contents(file)).at("relative_l2").get<double>();
  };
  const auto judged = fluidsplat({"eval", "run", "--data", "wave.h5", "--out", "again"});
  ASSERT_EQ(judged.exit_code, 0) << judged.err;
  EXPECT_EQ(relative_l2("again/metrics.json"), relative_l2("run/metrics.json"));
  ASSERT_EQ(fluidsplat({"eval", "run", "--data", "wave.h5", "--dead", "1", "--out", "dead"}).exit_code, 0);
  EXPECT_NE(relative_l2("dead/metrics.json"), relative_l2("run/metrics.json"));
  EXPECT_THAT(fluidsplat({"inspect", "run"}).out, HasSubstr(kind));
  ASSERT_EQ(fluidsplat({"readings", "run", "--data", "wave.h5", "--out", "r.csv"}).exit_code, 0);
  const auto fields = fluidsplat({"reconstruct", "run", "--readings", "r.csv", "--data", "wave.h5", "--out", "fields"});
  EXPECT_EQ(fields.exit_code, 0) << fields.err;
  const auto shown = fluidsplat({"report", "run", "--data", "wave.h5"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, Baseline,
    testing::Values(std::pair("senseiver", "bands = 4\nlatents = 8\nself_layers = 1\n"),
                    std::pair("deeponet", "token_width = 16\ncontext = 16\nrank = 16\nwidth = 16\n"),
                    std::pair("recfno",
                              "token_width = 16\ncontext = 16\nseed_nodes = 4\nnodes = 12\nwidth = 8\nmodes = 3\n"
                              "layers = 2\n"),
                    std::pair("flronet", "token_width = 16\nnodes = 12\nwidth = 8\nlevels = 2\n")),
    [](const auto& info) { return std::string(info.param.first); });

}  // namespace
}  // namespace fluidsplat::tests
