// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/input_files.h"

#include "base/atomic_file.h"
#include "import/import_fixture.h"
#include "io/npy.h"

namespace fluidsplat::importing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

class InputFiles : public ImportFixture {
 protected:
  std::string at(const std::string& name) { return (folder_ / name).string(); }
  void touch(const std::string& name) { write_file(folder_ / name, ""); }
  std::vector<std::string> expanded(const std::vector<std::string>& patterns) {
    std::vector<std::string> out;
    for (const auto& file : expand_inputs(patterns).files) out.push_back(file.path.filename().string());
    return out;
  }
};

TEST_F(InputFiles, AreSortedAsPeopleCountHoweverTheyArrive) {
  for (const char* name : {"s_1.npy", "s_2.npy", "s_10.npy"}) touch(name);
  EXPECT_THAT(expanded({at("s_*.npy")}), ElementsAre("s_1.npy", "s_2.npy", "s_10.npy"));
  EXPECT_THAT(expanded({at("s_1.npy"), at("s_10.npy"), at("s_2.npy")}), ElementsAre("s_1.npy", "s_2.npy", "s_10.npy"))
      << "as a shell sorts them";
  EXPECT_THAT(expanded({folder_.path().string()}), ElementsAre("s_1.npy", "s_2.npy", "s_10.npy"));
  EXPECT_THAT(expand_inputs({at("s_10.npy"), at("s_2.npy")}).notes,
              ElementsAre(HasSubstr("sorted as people count: s_2.npy, s_10.npy")));
  EXPECT_THAT(expand_inputs({at("s_2.npy"), at("s_10.npy")}).notes, IsEmpty());
}

// A case that is there twice could be trained on and judged by; hidden files are an editor's or a desktop's.
TEST_F(InputFiles, NoneIsReadTwiceAndHiddenOnesNever) {
  for (const char* name : {"s_1.csv", "s_2.csv", "._s_1.csv"}) touch(name);
  EXPECT_THAT(expanded({folder_.path().string(), at("./s_1.csv")}), ElementsAre("s_1.csv", "s_2.csv"));
  EXPECT_THAT(expand_inputs({at("s_1.csv"), at("s_1.csv"), at("s_2.csv")}).notes,
              ElementsAre(HasSubstr("1 file is named twice: read once")));
  EXPECT_THAT(expand_inputs({folder_.path().string(), at("s_1.csv")}).notes, SizeIs(1))
      << "and nothing is out of order";
}

TEST_F(InputFiles, APatternStandsForAListThatAShellMade) {
  for (const char* name : {"s_1.npy", "s_2.npy", "s_10.npy", "u.npy"}) touch(name);
  EXPECT_EQ(pattern_of({at("s_1.npy"), at("s_10.npy"), at("s_2.npy")}), at("s_*.npy"));
  EXPECT_EQ(pattern_of({at("s_1.npy"), at("s_10.npy")}), at("s_1*.npy"));
  EXPECT_EQ(pattern_of({at("s_1.npy"), at("s_2.npy")}), "") << "it would match s_10 too";
  EXPECT_EQ(pattern_of({at("s_1.npy")}), "");
}

TEST_F(InputFiles, ASeriesOfParaViewTellsTheTimes) {
  touch("b.vtu");
  touch("a.vtu");
  write_file(
      folder_ / "run.vtu.series",
      R"({"file-series-version": "1.0", "files": [{"name": "b.vtu", "time": 0.5}, {"name": "a.vtu", "time": 2}]})");
  const auto list = expand_inputs({at("run.vtu.series")});
  EXPECT_EQ(list.kind, InputKind::vtk);
  ASSERT_EQ(list.files.size(), 2u);
  EXPECT_EQ(list.files[0].path.filename(), "b.vtu");
  EXPECT_EQ(list.files[1].time, 2);
  write_file(folder_ / "bad.vtu.series", R"({"files": [{"name": 3}]})");
  EXPECT_THAT([&] { expand_inputs({at("bad.vtu.series")}); }, ThrowsMessage<Error>(HasSubstr("bad.vtu.series")));
}

TEST_F(InputFiles, OfSeveralKindsAreNotGuessedAt) {
  touch("a.npy");
  touch("b.csv");
  EXPECT_THAT([&] { expand_inputs({folder_.path().string()}); },
              ThrowsMessage<Error>(AllOf(HasSubstr("*.npy\" (1)"), HasSubstr("*.csv\" (1)"))));
  EXPECT_THAT(
      [&] {
        expand_inputs({at("a.npy"), at("b.csv")});
      },
      ThrowsMessage<Error>(HasSubstr("arrays and tables cannot be mixed")));
}

TEST_F(InputFiles, ArraysOneAfterTheOtherAreSaidToBeCases) {
  std::vector<float> u(3 * 5 * 6), v(3 * 5 * 6);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = float(i), v[i] = -float(i);
  io::write_npy(folder_ / "u.npy", io::Array::from<float>({3, 5, 6}, u));
  io::write_npy(folder_ / "v.npy", io::Array::from<float>({3, 5, 6}, v));
  Recipe r;
  r.files = {at("u.npy"), at("v.npy")};
  EXPECT_THAT(import(r).notes,
              Contains(AllOf(HasSubstr("6 cases of 1 channel"), HasSubstr("arrays = " + at("u.npy")))));
  r.arrays = {at("u.npy"), at("v.npy")};
  import(r);
  EXPECT_EQ(result().size(), 3);
  EXPECT_EQ(result().schema().channels.size(), 2u);
  EXPECT_EQ(result().load(1).fields(2, 1), -32);
}

}  // namespace
}  // namespace fluidsplat::importing
