// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/contents.h"

#include <map>

#include "base/error.h"
#include "import/foam_fixture.h"
#include "import/import_fixture.h"
#include "io/npy.h"
#include "io/npz.h"

namespace fluidsplat::importing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class ContentsTest : public ImportFixture {
 protected:
  std::map<std::string, std::string> suggested(const std::string& file) {
    const auto said = look_inside({(folder_ / file).string()});
    return {said.recipe.begin(), said.recipe.end()};
  }
  std::string layout_of(std::vector<Index> shape) {
    std::vector<float> values(std::size_t(io::checked_count(shape, "a")));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i);
    io::write_npy(folder_ / "a.npy", io::Array::from<float>(std::move(shape), values));
    auto r = recipe("a.npy");
    const auto s = suggested("a.npy");
    if (s.contains("layout")) r.layout = s.at("layout");
    EXPECT_GE(import(r).cases, 1) << "what is suggested works";
    return r.layout;
  }
};

TEST_F(ContentsTest, AShapeThatLeavesAChoiceGetsALayout) {
  EXPECT_EQ(layout_of({4, 5, 6}), "") << "one reading";
  EXPECT_EQ(layout_of({4, 9, 10, 3}), "tyxc");
  EXPECT_EQ(layout_of({4, 3, 9, 10}), "tcyx");
  EXPECT_EQ(layout_of({4, 9, 9, 10}), "tzyx");
  EXPECT_EQ(layout_of({4, 9, 10, 11, 2}), "tzyxc");
  EXPECT_EQ(layout_of({9, 10, 3}), "yxc");
}

// Clouds of points: a guess at a grid would be one case of nonsense.
TEST_F(ContentsTest, PointsAreSuggestedForWhatIsGivenAtThem) {
  const auto array = [](std::vector<Index> shape) {
    std::vector<float> values(std::size_t(io::checked_count(shape, "a")));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i % 7) + 0.01f * float(i);
    return io::Array::from<float>(std::move(shape), values);
  };
  io::write_npz(folder_ / "a.npz", {{"f", array({6, 40, 4})}, {"xyz", array({40, 3})}, {"t", array({6})}});
  auto s = suggested("a.npz");
  EXPECT_EQ(s, (std::map<std::string, std::string>{{"arrays", "f"}, {"points", "xyz"}, {"times", "t"}}));
  auto r = recipe("a.npz");
  r.arrays = {s["arrays"]}, r.points = s["points"], r.times = s["times"];
  EXPECT_EQ(import(r).cases, 6) << "what is suggested works";
  // The places of every case outnumber its values.
  io::write_npz(folder_ / "a.npz", {{"p", array({6, 40})}, {"vertices", array({6, 40, 3})}});
  s = suggested("a.npz");
  EXPECT_EQ(s, (std::map<std::string, std::string>{{"arrays", "p"}, {"points", "vertices"}}));
  io::write_npz(folder_ / "a.npz", {{"p", array({6, 41})}, {"vertices", array({6, 40, 3})}});
  EXPECT_FALSE(suggested("a.npz").contains("points")) << "they are of something else";
}

// A letter in a name is not the field of that name: there is no "p" here.
TEST_F(ContentsTest, OpenFoamFieldsAreSuggestedByTheirWholeNames) {
  FoamCaseWriter foam(folder_ / "tank", 4, 3);
  for (const char* time : {"1", "2"}) foam.add_time(time);
  const auto folder = folder_ / "tank";
  EXPECT_EQ(suggested("tank").at("arrays"), "U,p");
  // A field has its name in its header too.
  const auto copy = [&](const std::string& from, const std::string& to) {
    for (const char* time : {"1", "2"}) {
      auto text = read_file(folder / time / from);
      const auto object = fmt::format("object {};", from);
      write_file(folder / time / to, text.replace(text.find(object), object.size(), fmt::format("object {};", to)));
    }
  };
  const auto remove = [&](const char* field) {
    for (const char* time : {"1", "2"}) std::filesystem::remove(folder / time / field);
  };
  copy("p", "p_rgh");
  copy("p", "alpha.water");
  remove("p");
  EXPECT_EQ(suggested("tank").at("arrays"), "U,p_rgh");
  remove("p_rgh");
  EXPECT_EQ(suggested("tank").at("arrays"), "U,alpha.water");
  remove("U");
  remove("alpha.water");
  EXPECT_THAT([&] { suggested("tank"); }, ThrowsMessage<Error>(AllOf(HasSubstr("tank"), HasSubstr("no fields"))));
}

}  // namespace
}  // namespace fluidsplat::importing
