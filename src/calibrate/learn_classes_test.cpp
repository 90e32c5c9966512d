// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/learn_classes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace fluidsplat::calibrate {
namespace {

using uncertainty::PlaceClasses;

// Points along x at four heights, with a wall at the left: two heights are behind it, two are far.
std::shared_ptr<const field::Mesh> make_mesh(Index points) {
  constexpr float kHeights[] = {0, 1, 20, 30};
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points.resize(points, 2);
  for (Index i = 0; i < points; ++i) mesh->points.row(i) << 10 * float(i) / float(points), kHeights[i % 4];
  mesh->surface = {0, 1};
  return mesh;
}

LessonList make_lessons(const std::shared_ptr<const field::Mesh>& mesh, Index cases) {
  Random random(1);
  LessonList out;
  for (Index k = 0; k < cases; ++k) {
    auto lesson = std::make_shared<Lesson>();
    lesson->mesh = mesh;
    lesson->errors.resize(mesh->size(), 1);
    // Errors grow along x.
    for (Index i = 0; i < mesh->size(); ++i) lesson->errors(i, 0) = float((1 + mesh->points(i, 0)) * random.normal());
    out.push_back(lesson);
  }
  return out;
}

TEST(LearnClasses, AreRegionsByHowMuchTheModelErrs) {
  const auto mesh = make_mesh(400);
  const auto lessons = make_lessons(mesh, 60);
  const auto classes = learn_classes(lessons, 2);
  const auto numbers = classes.at(mesh->points, mesh->features);
  const auto regions = regions_of(*mesh);
  std::vector<std::vector<bool>> together(classes.count(), std::vector<bool>(kRegions));
  for (Index i = 0; i < mesh->size(); ++i) together[numbers[i]][regions[i]] = true;
  for (const auto& regions_of_class : together) EXPECT_EQ(std::ranges::count(regions_of_class, true), 1);
  // Of one region the class with the higher number is where errors are larger: further along x.
  std::vector<double> mean(classes.count()), count(classes.count());
  for (Index i = 0; i < mesh->size(); ++i) mean[numbers[i]] += mesh->points(i, 0), ++count[numbers[i]];
  const Index last = classes.count() - 1;
  EXPECT_GT(mean[last] / count[last], mean[last - 1] / count[last - 1] + 2);
  EXPECT_THAT(classes.meaning(), testing::HasSubstr("far"));
  EXPECT_EQ(learn_classes(lessons, 0).count(), 1);
  EXPECT_THROW(learn_classes({}, 2), std::logic_error);
}

TEST(LearnClasses, OfOneLevelAreTheRegions) {
  const auto mesh = make_mesh(400);
  const auto classes = learn_classes(make_lessons(mesh, 5), 1);
  const auto regions = regions_of(*mesh);
  EXPECT_EQ(classes.count(), std::ranges::max(regions) - std::ranges::min(regions) + 1);
}

// Cases on a grid with a wall point in another place each, and two features, the second the distance from it in other
// units and with noise.
LessonList make_lessons_with_moving_walls(Index cases, bool with_distance, float noise = 0) {
  constexpr Index kSide = 40;
  Random random(3);
  LessonList out;
  for (Index k = 0; k < cases; ++k) {
    auto mesh = std::make_shared<field::Mesh>();
    mesh->points.resize(kSide * kSide, 2);
    mesh->features.resize(kSide * kSide, 2);
    for (Index i = 0; i < kSide * kSide; ++i) mesh->points.row(i) << float(i % kSide), float(i / kSide);
    const auto wall = Index(random.below(kSide * kSide));
    mesh->surface = {wall};
    auto lesson = std::make_shared<Lesson>();
    lesson->errors.resize(kSide * kSide, 1);
    for (Index i = 0; i < kSide * kSide; ++i) {
      const float distance = (mesh->points.row(i) - mesh->points.row(wall)).norm();
      mesh->features.row(i) << float(random.normal()),
          with_distance ? 7 * (distance + noise * float(random.normal())) : float(random.normal());
      lesson->errors(i, 0) = float(random.normal()) * (distance < 1.5f ? 10.f : 1.f);
    }
    lesson->mesh = mesh;
    out.push_back(lesson);
  }
  return out;
}

TEST(LearnClasses, FollowAWallThatMoves) {
  const auto lessons = make_lessons_with_moving_walls(30, true);
  const auto classes = learn_classes(lessons, 2);
  EXPECT_EQ(classes.near_wall().feature, 1);
  // Of a case that was not learnt from: the first classes are near its wall, and none of them is elsewhere.
  const auto mesh = make_lessons_with_moving_walls(31, true).back()->mesh;
  const auto numbers = classes.at(mesh->points, mesh->features);
  const auto regions = regions_of(*mesh);
  const auto edges = std::ssize(classes.near_wall().edges);
  for (Index i = 0; i < mesh->size(); ++i) EXPECT_EQ(numbers[i] < edges, regions[i] == kNearWall) << i;
  EXPECT_GT(std::ranges::count(regions, kNearWall), 0);
  // Without a feature that tells, places decide.
  EXPECT_TRUE(learn_classes(make_lessons_with_moving_walls(30, false), 2).near_wall().edges.empty());
}

// A distance that is not that of the nearest known point of the wall: those that it misses are not left to the open.
TEST(LearnClasses, HaveNearlyAllPointsNearAWall) {
  const auto lessons = make_lessons_with_moving_walls(200, true, 0.25f);
  const auto classes = learn_classes(lessons, 2);
  const auto& near_wall = classes.near_wall();
  ASSERT_FALSE(near_wall.edges.empty());
  Index near = 0, held = 0, taken = 0;
  for (const auto& l : lessons) {
    const auto numbers = classes.at(l->mesh->points, l->mesh->features);
    const auto regions = regions_of(*l->mesh);
    for (Index i = 0; i < l->mesh->size(); ++i) {
      const bool in_part = numbers[i] < std::ssize(near_wall.edges);
      near += regions[i] == kNearWall;
      held += in_part && regions[i] == kNearWall;
      taken += in_part;
    }
  }
  EXPECT_GT(double(held), 0.96 * double(near));
  EXPECT_LT(double(taken), 2.2 * double(near));
}

TEST(LearnClasses, AreJoinedWhereAGroupHasNoPointOfOne) {
  std::vector<CaseErrors> cases(3);
  const std::vector<std::vector<Index>> each = {{0}, {1}, {2}}, two = {{0, 1}, {2}};
  const auto set = [&](std::vector<unsigned char> a, std::vector<unsigned char> b, std::vector<unsigned char> c) {
    cases[0].place_class = std::move(a), cases[1].place_class = std::move(b), cases[2].place_class = std::move(c);
  };
  using Numbers = std::vector<PlaceClasses::Class>;
  set({0, 1, 2}, {2, 1, 0}, {0, 1, 2, 2});
  EXPECT_EQ(joined_classes(cases, each, 3), (Numbers{0, 1, 2}));
  set({0, 1, 2}, {2, 1, 1}, {0, 1, 2});  // the second has none of class 0
  EXPECT_EQ(joined_classes(cases, each, 3), (Numbers{0, 0, 1}));
  EXPECT_EQ(joined_classes(cases, two, 3), (Numbers{0, 1, 2})) << "a block has what its frames have";
  set({0, 1, 2}, {0, 1, 1}, {0, 1, 2});  // nor of the last
  EXPECT_EQ(joined_classes(cases, each, 3), (Numbers{0, 1, 1}));
  set({0}, {1}, {2});
  EXPECT_EQ(joined_classes(cases, each, 3), (Numbers{0, 0, 0}));
}

TEST(LearnClasses, JoinedOnesAddUp) {
  CaseErrors e;
  e.place_class = {0, 1, 2, 1};
  e.mean_scale = {{1, 2, 4}};
  renumber_classes(e, {0, 1, 1});
  EXPECT_EQ(e.place_class, (std::vector<unsigned char>{0, 1, 1, 1}));
  EXPECT_EQ(e.mean_scale, (std::vector<std::vector<double>>{{1, 6}}));
}

}  // namespace
}  // namespace fluidsplat::calibrate
