// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/panel_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "sim/panel_fixture.h"

namespace fluidsplat::sim {
namespace {

using ::testing::HasSubstr;

std::string complaint(const PanelMesh& mesh) {
  try {
    check_closed(mesh, "body");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(PanelMesh, ABoxIsClosedAndHasItsVolume) {
  const auto box = box_surface({0, 1, 3}, {-1, 0, 0.5, 1}, {2, 4});
  EXPECT_EQ(complaint(box), "");
  EXPECT_NEAR(enclosed_volume(box), 3 * 2 * 2, 1e-12);
  EXPECT_EQ(box.panels.size(), 2u * (2 * 3 + 3 * 1 + 1 * 2));
  // Euler: a closed surface without holes.
  EXPECT_EQ(std::ssize(box.vertices) - 2 * std::ssize(box.panels) + std::ssize(box.panels), 2);
  EXPECT_EQ(complaint(cut(box)), "");
}

TEST(PanelMesh, WhatIsNoClosedBodyIsRefused) {
  const auto whole = sphere_mesh(3);
  auto open = whole;
  open.panels.pop_back();
  EXPECT_THAT(complaint(open), HasSubstr("is open at the edge"));
  auto turned = whole;
  std::swap(turned.panels[5][1], turned.panels[5][3]);
  EXPECT_THAT(complaint(turned), HasSubstr("turned the other way"));
  auto inside_out = whole;
  for (auto& p : inside_out.panels) std::swap(p[1], p[3]);
  EXPECT_THAT(complaint(inside_out), HasSubstr("look inward"));
  auto stray = whole;
  stray.panels[0][2] = std::ssize(stray.vertices);
  EXPECT_THAT(complaint(stray), HasSubstr("names vertex"));
}

}  // namespace
}  // namespace fluidsplat::sim
