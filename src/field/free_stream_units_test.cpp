// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/free_stream_units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "field/seen_data.h"

namespace fluidsplat::field {
namespace {

// The same flow at several speeds: u grows with the speed, p with its square, a tracer with neither.
MemoryDataset alike(const std::vector<double>& speeds, const std::string& unit = "m2/s2") {
  Schema schema;
  schema.coordinates = {{"x", "m"}, {"y", "m"}};
  schema.channels = {{"u", unit.empty() ? "" : "m/s"}, {"p", unit}, {"c", "kg/m3"}};
  schema.descriptors = {{"Reynolds", ""}};
  MemoryDataset out(schema, "tunnel");
  auto mesh = std::make_shared<Mesh>();
  mesh->points = Matrix::Random(3, 2);
  mesh->features.resize(3, 0);
  mesh->wall = make_wall(Matrix::Random(2, 2), Matrix(2, 0), Matrix(), {});
  for (const double speed : speeds) {
    Case c;
    c.name = "a flow";
    c.mesh = mesh;
    c.fields.resize(3, 3);
    c.fields << 1, 2, 3, 4, 5, 6, 7, 8, 9;
    c.wall_fields = c.fields.topRows(2);
    for (Matrix* m : {&c.fields, &c.wall_fields}) m->col(0) *= float(speed), m->col(1) *= float(speed * speed);
    c.descriptors = Vector::Constant(1, 100);
    c.reference = {speed, 1.2, {1, 0}};
    out.add(std::move(c));
  }
  return out;
}

TEST(FreeStreamUnits, FlowsThatDifferInSpeedAloneAreTheSame) {
  const auto data = alike({1, 3, 40});
  const FreeStreamUnits seen(data);
  const Matrix one = data.load(0).fields;
  for (Index i = 0; i < 3; ++i) {
    const auto c = seen.load(i);
    EXPECT_TRUE(c.fields.isApprox(one, 1e-6f)) << i;
    EXPECT_TRUE(c.wall_fields.isApprox(one.topRows(2), 1e-6f)) << i;
    EXPECT_EQ(c.reference.speed, 1);
    EXPECT_EQ(c.reference.density, 1.2);
    EXPECT_EQ(seen.reference(i).speed, 1);
    EXPECT_EQ(seen.without_fields(i).reference.speed, 1);
    EXPECT_EQ(seen.values_in(i, 1, 2), c.fields.bottomRows(2)) << i;
    const std::vector<Index> places = {4, 0};  // the second of the wall, the first of the mesh
    Matrix there_too(2, 3);
    there_too << c.wall_fields.row(1), c.fields.row(0);
    EXPECT_EQ(seen.values_at(i, places), there_too) << i;
    Matrix there = data.load(i).fields;
    const CaseUnits units(seen.schema(), data.schema(), data.load(i), "case");
    units.into_model(there);
    EXPECT_EQ(there, c.fields) << i;
    units.into_data(there);
    EXPECT_TRUE(there.isApprox(data.load(i).fields, 1e-6f)) << i;
  }
  EXPECT_EQ(seen.schema().channels[0].unit, "U");
  EXPECT_EQ(seen.schema().channels[1].unit, "U^2");
  EXPECT_EQ(seen.schema().channels[2].unit, "kg/m3");
  EXPECT_EQ(seen.schema().descriptors, data.schema().descriptors);
}

TEST(FreeStreamUnits, ADescriptorMayTellTheSpeed) {
  const auto known = alike({1, 3});
  auto schema = known.schema();
  schema.descriptors = {{"angle", "deg"}, {"Speed", "m/s"}};
  MemoryDataset told(schema, "told");
  for (Index i = 0; i < 2; ++i) {
    auto c = known.load(i);
    c.descriptors.resize(2);
    c.descriptors << 5, float(c.reference.speed);
    c.reference = {};
    told.add(std::move(c));
  }
  const FreeStreamUnits seen(told);
  EXPECT_TRUE(seen.load(1).fields.isApprox(known.load(0).fields, 1e-6f));
  EXPECT_EQ(seen.load(1).descriptors[1], 3);
  EXPECT_EQ(seen.load(1).reference.speed, 1);
}

TEST(FreeStreamUnits, SayWhatIsMissing) {
  const auto message = [](const MemoryDataset& data) -> std::string {
    try {
      const FreeStreamUnits seen(data);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(message(alike({1, 0})), testing::HasSubstr("tunnel, case 1 \"a flow\": does not tell the speed"));
  EXPECT_THAT(message(alike({1}, "")), testing::HasSubstr("none of its channels is in m/s"));
}

TEST(SeenData, IsAsTheModelWasTrained) {
  const auto data = alike({2});
  const SeenData plain(data, data.schema());
  EXPECT_EQ(&*plain, &data);
  const FreeStreamUnits units(data);
  const SeenData same(data, units.schema());
  EXPECT_EQ(&same.data(), &data);
  EXPECT_TRUE(same->load(0).fields.isApprox(units.load(0).fields));
  EXPECT_EQ(same->load(0).descriptors.size(), 1);
  // Data that are in these units already are seen as they are.
  const SeenData again(units, units.schema());
  EXPECT_EQ(&*again, &units);
  auto untold = units.schema();
  untold.descriptors.clear();
  const SeenData both(data, untold);
  EXPECT_EQ(both->load(0).descriptors.size(), 0);
  EXPECT_TRUE(both->load(0).fields.isApprox(units.load(0).fields));
}

TEST(CaseUnits, AreTheSameForAModelInTheDatasUnits) {
  const auto data = alike({7});
  Matrix values = data.load(0).fields;
  const Matrix before = values;
  const CaseUnits units(data.schema(), data.schema(), data.load(0), "case");
  units.into_model(values);
  units.into_data(values);
  EXPECT_EQ(values, before);
}

}  // namespace
}  // namespace fluidsplat::field
