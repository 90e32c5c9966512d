// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::field {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Split, ProtocolTestsEverythingThatDoesNotTrain) {
  const auto s = protocol_split(300, 50, 20, 123);
  EXPECT_EQ(s.train.size(), 50u);
  EXPECT_EQ(s.test.size(), 250u);
  EXPECT_EQ(s.validation.size(), 20u);
  std::set<Index> train(s.train.begin(), s.train.end()), test(s.test.begin(), s.test.end());
  EXPECT_EQ(train.size() + test.size(), 300u);
  for (auto v : s.validation) EXPECT_TRUE(test.contains(v));
  for (auto t : s.train) EXPECT_FALSE(test.contains(t));
  EXPECT_EQ(s.train, protocol_split(300, 50, 20, 123).train);
  EXPECT_NE(s.train, protocol_split(300, 50, 20, 124).train);
  EXPECT_THROW(protocol_split(40, 50, 0, 1), Error);
}

TEST(Split, DisjointSetsShareNothing) {
  const auto s = disjoint_split(100, 60, 15, 9);
  std::set<Index> all;
  for (const auto* list : {&s.train, &s.validation, &s.test}) all.insert(list->begin(), list->end());
  EXPECT_EQ(all.size(), 100u);
  EXPECT_EQ(s.test.size(), 25u);
}

// Cases on one mesh with these names.
MemoryDataset named(const std::vector<std::string>& names) {
  Schema schema;
  schema.coordinates = {{"x", ""}};
  schema.channels = {{"u", ""}};
  MemoryDataset data(schema, "data.h5");
  auto mesh = std::make_shared<Mesh>();
  mesh->points = Matrix::Zero(1, 1);
  mesh->features.resize(1, 0);
  for (const auto& name : names) {
    Case c;
    c.name = name;
    c.mesh = mesh;
    c.fields = Matrix::Zero(1, 1);
    data.add(c);
  }
  return data;
}

MemoryDataset nameless(int cases) {
  return named(std::vector<std::string>(cases));
}

class SplitFile : public ::testing::Test {
 protected:
  std::string complaint(const std::string& text, const Dataset& data) {
    write_file(path, text);
    try {
      read_split(path, data);
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr("split.json"));
      return e.what();
    }
    return "";
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "split.json";
};

TEST_F(SplitFile, ReadsBackAndIsChecked) {
  const auto s = disjoint_split(20, 10, 5, 9);
  write_split(path, s);
  const auto back = read_split(path, nameless(20));
  EXPECT_EQ(back.train, s.train);
  EXPECT_EQ(back.validation, s.validation);
  EXPECT_EQ(back.test, s.test);
  EXPECT_EQ(back.seed, 9u);
  EXPECT_THROW(read_split(path, nameless(19)), Error) << "an index outside the dataset";
  const auto data = nameless(20);
  EXPECT_THAT(complaint(R"({"train":[1],"validation":[],"test":[1]})", data),
              HasSubstr("in \"train\" and in \"test\""));
  EXPECT_THAT(complaint(R"({"train":[1,2,1],"validation":[],"test":[]})", data),
              HasSubstr("case 1 is in \"train\" twice"));
  EXPECT_THAT(complaint(R"({"train":[-1],"validation":[],"test":[]})", data), HasSubstr("case -1 is outside data.h5"));
  EXPECT_THAT(complaint(R"({"train":[1.5],"validation":[],"test":[]})", data), HasSubstr("1.5 is neither"));
  for (const char* text : {"", "{", "[]", R"({"train":[1]})", R"({"train":1,"validation":[],"test":[]})",
                           R"({"train":[[1]],"validation":[],"test":[]})"})
    EXPECT_NE(complaint(text, data), "") << text;
}

TEST_F(SplitFile, CasesMayBeListedByName) {
  const auto data = named({"a0", "a5", "b0", "b5", ""});
  write_file(path, R"({"train":["b0",0],"validation":["a5"],"test":[3,4,"a5"]})");
  const auto split = read_split(path, data);
  EXPECT_EQ(split.train, (std::vector<Index>{2, 0}));
  EXPECT_EQ(split.validation, (std::vector<Index>{1}));
  EXPECT_EQ(split.test, (std::vector<Index>{3, 4, 1}));
  EXPECT_THAT(complaint(R"({"train":["b0",2],"validation":[],"test":[]})", data),
              HasSubstr("case 2 \"b0\" is in \"train\" twice"));
}

TEST_F(SplitFile, ANameMustBeKnownAndUnique) {
  const auto data = named({"angle 0", "angle 5", "wing", "wing"});
  EXPECT_THAT(complaint(R"({"train":["angel 5"],"validation":[],"test":[]})", data),
              AllOf(HasSubstr("data.h5 has no case \"angel 5\""), HasSubstr("is \"angle 5\" meant?")));
  EXPECT_THAT(complaint(R"({"train":[0],"validation":[],"test":["wing"]})", data),
              AllOf(HasSubstr("\"wing\""), HasSubstr("case 2 and of case 3")));
  EXPECT_EQ(complaint(R"({"train":[0],"validation":[],"test":[2]})", data), "") << "by index there is no doubt";
}

TEST_F(SplitFile, NamesAreWrittenForReadersAndTellOfAnotherOrder) {
  const Split split{{2, 0}, {1}, {1, 3}, 9};
  write_split(path, split);
  EXPECT_EQ(read_file(path).find("names"), std::string::npos);
  const auto nobody = nameless(4);
  write_split(path, split, &nobody);
  EXPECT_EQ(read_file(path).find("names"), std::string::npos) << "no names to write";

  const auto data = named({"a", "b", "c", "c"});
  write_split(path, split, &data);
  const auto text = read_file(path);
  EXPECT_THAT(text, AllOf(HasSubstr("\"names\""), HasSubstr("\"b\"")));
  EXPECT_EQ(read_split(path, data).train, split.train);
  EXPECT_EQ(read_split(path, data).test, split.test);
  EXPECT_THAT(complaint(text, named({"c", "b", "a", "c"})),
              AllOf(HasSubstr("calls case 2 \"c\""), HasSubstr("in data.h5 its name is \"a\"")));
  EXPECT_THAT(complaint(text, nobody), HasSubstr("calls case 2"));
  EXPECT_THAT(
      complaint(R"({"train":[0,1],"validation":[],"test":[],"names":{"train":["a"],"validation":[],"test":[]}})", data),
      HasSubstr("1 names for 2 cases in \"train\""));
}

TEST(Split, TheFirstOfATorchPermutationAreThoseOfTheWhole) {
  const auto whole = torch_randperm(1000, 1), first = torch_randperm(1000, 1, 15);
  EXPECT_EQ(first, std::vector<Index>(whole.begin(), whole.begin() + 15));
  EXPECT_EQ(torch_randperm(5, 1), (std::vector<Index>{0, 4, 2, 3, 1}));
  EXPECT_EQ(torch_randperm(5, 1, 9).size(), 5u);
}

}  // namespace
}  // namespace fluidsplat::field
