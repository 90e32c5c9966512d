// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Sample {
  std::int64_t steps = 10;
  double rate = 0.5;
  bool on = false;
  std::string mode = "fast";
  std::vector<double> bounds = {0, 1};
  void bind(Config& c) {
    c.add("train.steps", &steps, "optimiser steps").at_least(1);
    c.add("train.rate", &rate, "learning rate").at_least(0).at_most(1);
    c.add("model.on", &on, "a switch");
    c.add("model.mode", &mode, "how").one_of({"fast", "exact"});
    c.add("model.bounds", &bounds, "two numbers");
  }
};

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Config, ReadsEveryTypeAndKeepsDefaults) {
  Sample s;
  Config c;
  s.bind(c);
  c.read_text("[train]\nsteps = 5\n[model]\non = true\nbounds = [1, 2.5]\n", "x.toml");
  EXPECT_EQ(s.steps, 5);
  EXPECT_EQ(s.rate, 0.5);
  EXPECT_TRUE(s.on);
  EXPECT_EQ(s.bounds, (std::vector<double>{1, 2.5}));
}

TEST(Config, DumpReadsBackToTheSameValues) {
  Sample a;
  a.mode = "exact";
  a.rate = 0.1234567890123456789;
  Config ca;
  a.bind(ca);
  Sample b;
  Config cb;
  b.bind(cb);
  cb.read_text(ca.to_toml(), "dump");
  EXPECT_EQ(a.rate, b.rate);
  EXPECT_EQ(b.mode, "exact");
}

TEST(Config, OverridesTakeTomlOrBareWords) {
  Sample s;
  Config c;
  s.bind(c);
  c.override_with("model.mode=exact");
  c.override_with("train.rate=1");
  c.override_with("model.bounds=[3, 4]");
  EXPECT_EQ(s.mode, "exact");
  EXPECT_EQ(s.rate, 1.0);
  EXPECT_EQ(s.bounds[1], 4.0);
}

TEST(Config, ListsMayBeWrittenAsOnACommandLine) {
  std::vector<std::string> names;
  std::vector<double> numbers;
  std::vector<std::int64_t> counts;
  std::string title;
  Config c;
  c.add("names", &names, "");
  c.add("numbers", &numbers, "");
  c.add("counts", &counts, "");
  c.add("title", &title, "");
  c.override_with_list("names", "u,v \"2\",p");
  c.override_with_list("numbers", "-1,2.5e-3");
  c.override_with_list("counts", "[3, 4]");
  c.override_with_list("title", "a, b");
  EXPECT_EQ(names, (std::vector<std::string>{"u", "v \"2\"", "p"}));
  EXPECT_EQ(numbers, (std::vector<double>{-1, 2.5e-3}));
  EXPECT_EQ(counts, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(title, "a, b");
  EXPECT_EQ(c.value_text("numbers"), "[-1.0, 0.0025]");
  EXPECT_THAT(error_of([&] { c.override_with_list("numbers", "1,x"); }), HasSubstr("a list of numbers"));
  EXPECT_THAT(error_of([&] { c.override_with_list("name", "x"); }), HasSubstr("\"names\""));
}

TEST(Config, TheNearestNameIsTheOneThatWasMeant) {
  EXPECT_EQ(nearest_name("froce", {"from", "force", "show"}), "force") << "two letters in the wrong order are one slip";
  EXPECT_EQ(nearest_name("trian", {"main", "train"}), "train");
  EXPECT_EQ(nearest_name("stps", {"step", "steps"}), "steps");
  EXPECT_EQ(nearest_name("", {}), "");
  EXPECT_EQ(nearest_name("nonsense", {"a", "b"}), "");
}

TEST(Config, ErrorsNameThePlaceTheKeyAndTheRemedy) {
  Sample s;
  Config c;
  s.bind(c);
  auto read = [&](const char* text) { return error_of([&] { c.read_text(text, "x.toml"); }); };
  EXPECT_THAT(read("[train]\nstep = 5\n"), AllOf(HasSubstr("x.toml:2"), HasSubstr("\"train.steps\"")));
  EXPECT_THAT(read("[train]\nsteps = 0\n"), AllOf(HasSubstr("x.toml:2"), HasSubstr("least is 1")));
  EXPECT_THAT(read("[train]\nsteps = 1.5\n"), HasSubstr("whole number"));
  EXPECT_THAT(read("[train]\nrate = nan\n"), HasSubstr("not finite"));
  EXPECT_THAT(read("[model]\nmode = 'slow'\n"), HasSubstr("fast, exact"));
  EXPECT_THAT(read("[model\n"), HasSubstr("x.toml:1"));
  EXPECT_THAT(error_of([&] { c.override_with("train.steps=many"); }), HasSubstr("whole number"));
  EXPECT_THAT(error_of([&] { c.override_with("nothing"); }), HasSubstr("key=value"));
  EXPECT_THAT(error_of([&] { c.override_with("trian.steps=1"); }), HasSubstr("train.steps"));
}

}  // namespace
}  // namespace fluidsplat
