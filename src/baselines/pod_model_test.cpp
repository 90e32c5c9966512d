// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/pod_model.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "baselines/baseline_bench.h"

namespace fluidsplat::baselines {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

BaselineBench pod(const std::string& map) {
  return BaselineBench("kind = \"pod\"\nmap = \"" + map + "\"\n");
}

class PodMaps : public testing::TestWithParam<const char*> {};

// The wave is linear in its readings, so every map must be nearly exact, after saving and loading.
TEST_P(PodMaps, ReconstructsAWaveFromTheFile) {
  EXPECT_LT(pod(GetParam()).error(), 2e-3);
}
INSTANTIATE_TEST_SUITE_P(All, PodMaps, testing::Values("best", "linear", "quadratic", "gaussian", "matern", "gappy"));

TEST(PodModel, TheOrderOfSensorsDoesNotMatter) {
  const auto b = pod("best");
  const double turned = b.error([](field::SensorReadings& r) {
    r.positions = r.positions.colwise().reverse().eval();
    r.values = r.values.colwise().reverse().eval();
    r.mean = r.mean.colwise().reverse().eval();
  });
  EXPECT_NEAR(turned, b.error(), 1e-6);
}

// Two phases need two readings: with half of the sensors dead the rest still tell.
TEST(PodModel, ADeadSensorIsLeftOutOfTheMap) {
  for (const char* map : {"best", "gappy"}) {
    const auto b = pod(map);
    const double one_left = b.error([](field::SensorReadings& r) {
      for (Index s = 1; s < r.values.rows(); ++s) r.values.row(s).setConstant(std::nanf(""));
    });
    EXPECT_LT(one_left, 0.05) << map;
    const double none_left = b.error([](field::SensorReadings& r) { r.values.setConstant(std::nanf("")); });
    EXPECT_GT(none_left, one_left) << map << ": without readings only the mean is left";
    EXPECT_LT(none_left, 0.1) << map << ": and that is not a bad field here";
  }
}

// On another mesh than that of training the field is interpolated.
TEST(PodModel, AnswersAnywhere) {
  const auto b = pod("best");
  const auto c = b.data.load(b.split().test.front());
  const field::SensorPlacement sensors(b.model->sensors(), b.data);
  const auto readings = sensors.read(c, b.split().test.front());
  auto between = std::make_shared<field::Mesh>();
  between->points = (c.mesh->points.topRows(11) + c.mesh->points.middleRows(1, 11)) / 2;
  between->features.resize(11, 0);
  const auto field = b.model->reconstruct(readings, c.descriptors, between).field;
  const auto whole = b.model->reconstruct(readings, c.descriptors, c.mesh).field;
  for (Index i = 0; i < 11; ++i)
    EXPECT_NEAR(field(i, 0), (whole(i, 0) + whole(i + 1, 0)) / 2, 0.05) << "the wave bends little from point to point";
}

TEST(PodModel, DifferentMeshesMeetOnABackgroundGrid) {
  const std::string sensors =
      "[sensors]\nkind = \"positions\"\npositions = [[3.0, 4.0], [8.0, 6.0], [15.0, 9.0], [19.0, 3.0]]\n";
  const BaselineBench best("kind = \"pod\"\n" + sensors, wave_on_two_meshes());
  const BaselineBench mean("kind = \"mean\"\n" + sensors, wave_on_two_meshes());
  EXPECT_LT(best.error(), 0.1 * mean.error());
}

// The nearest points to a sensor's place are others on every mesh: it is the same sensor.
TEST(PodModel, SensorsThatMeetOtherPointsOnEveryMeshStayTheSame) {
  const std::string sensors =
      "[sensors]\nkind = \"positions\"\npositions = [[3.3, 4.4], [8.4, 6.3], [15.3, 9.4], [19.4, 3.3]]\n";
  auto data = wave_on_two_meshes();
  field::MemoryDataset moved(data.schema(), "wave on moved meshes");
  for (Index i = 0; i < data.size(); ++i) {
    auto c = data.load(i);
    if (i % 2 == 1) {
      auto mesh = std::make_shared<field::Mesh>(*c.mesh);
      mesh->points.array() += 0.1f;
      c.mesh = mesh;
    }
    moved.add(c);
  }
  const BaselineBench matern("kind = \"pod\"\nmap = \"matern\"\n" + sensors, moved);
  const BaselineBench mean("kind = \"mean\"\n" + sensors, moved);
  EXPECT_LT(matern.error(), 0.3 * mean.error());
}

// Sensors that are others in every case have no order: modes are fitted to them, and a map is refused.
TEST(PodModel, SensorsMayBeOthersInEveryCase) {
  const std::string sensors = "[sensors]\nkind = \"random-each\"\ncount = 6\n";
  const BaselineBench b("kind = \"pod\"\n" + sensors, wave_on_two_meshes());
  const BaselineBench mean("kind = \"mean\"\n" + sensors, wave_on_two_meshes());
  EXPECT_LT(b.error(), 0.2 * mean.error());
  EXPECT_THAT([&] { BaselineBench("kind = \"pod\"\nmap = \"matern\"\n" + sensors, wave_on_two_meshes()); },
              ThrowsMessage<Error>(HasSubstr("use gappy or best")));
}

}  // namespace
}  // namespace fluidsplat::baselines
