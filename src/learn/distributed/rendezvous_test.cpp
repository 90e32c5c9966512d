// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/distributed/rendezvous.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/error.h"

namespace fluidsplat::learn {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::optional<Rendezvous> found(const std::map<std::string, std::string>& variables) {
  return find_rendezvous([&](const char* name) -> const char* {
    const auto it = variables.find(name);
    return it == variables.end() ? nullptr : it->second.c_str();
  });
}

TEST(Rendezvous, AProcessWithoutVariablesIsAlone) {
  EXPECT_FALSE(found({}));
  EXPECT_FALSE(found({{"RANK", "0"}, {"WORLD_SIZE", "1"}}));
  // A batch script of Slurm is no rank: srun starts those.
  EXPECT_FALSE(found({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}, {"SLURM_JOB_ID", "7"}}));
}

TEST(Rendezvous, UnderstandsTorchrun) {
  const auto r = found({{"RANK", "3"},
                        {"WORLD_SIZE", "8"},
                        {"LOCAL_RANK", "1"},
                        {"MASTER_ADDR", "node7"},
                        {"MASTER_PORT", "4000"},
                        {"OMPI_COMM_WORLD_SIZE", "2"}});
  ASSERT_TRUE(r);
  EXPECT_EQ(r->rank, 3);
  EXPECT_EQ(r->size, 8);
  EXPECT_EQ(r->local_rank, 1);
  EXPECT_EQ(r->address, "node7");
  EXPECT_EQ(r->port, 4000);
}

TEST(Rendezvous, UnderstandsSlurm) {
  const auto r = found({{"SLURM_PROCID", "5"},
                        {"SLURM_STEP_NUM_TASKS", "6"},
                        {"SLURM_LOCALID", "2"},
                        {"SLURM_STEP_NODELIST", "cn[012-014,020]"},
                        {"SLURM_JOB_ID", "41234"}});
  ASSERT_TRUE(r);
  EXPECT_EQ(r->rank, 5);
  EXPECT_EQ(r->size, 6);
  EXPECT_EQ(r->local_rank, 2);
  EXPECT_EQ(r->address, "cn012");
  EXPECT_EQ(r->port, 29734);
}

TEST(Rendezvous, UnderstandsOpenMpi) {
  std::map<std::string, std::string> v = {{"OMPI_COMM_WORLD_RANK", "1"},
                                          {"OMPI_COMM_WORLD_SIZE", "2"},
                                          {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                          {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
  EXPECT_EQ(found(v)->address, "127.0.0.1");
  EXPECT_EQ(found(v)->port, 29500);
  v["OMPI_COMM_WORLD_LOCAL_SIZE"] = "1";
  EXPECT_THAT([&] { found(v); }, ThrowsMessage<Error>(HasSubstr("MASTER_ADDR")));
  v["MASTER_ADDR"] = "head";
  EXPECT_EQ(found(v)->address, "head");
}

TEST(Rendezvous, NamesTheVariableThatMakesNoSense) {
  EXPECT_THAT([] { found({{"WORLD_SIZE", "2"}}); }, ThrowsMessage<Error>(HasSubstr("RANK is not")));
  EXPECT_THAT(
      [] {
        found({{"WORLD_SIZE", "two"}, {"RANK", "0"}});
      },
      ThrowsMessage<Error>(AllOf(HasSubstr("WORLD_SIZE"), HasSubstr("\"two\""))));
  EXPECT_THAT(
      [] {
        found({{"WORLD_SIZE", "2"}, {"RANK", "2"}});
      },
      ThrowsMessage<Error>(AllOf(HasSubstr("RANK"), HasSubstr("from 0 to 1"))));
  EXPECT_THAT(
      [] {
        found({{"WORLD_SIZE", "2"}, {"RANK", "0"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "70000"}});
      },
      ThrowsMessage<Error>(HasSubstr("MASTER_PORT")));
}

TEST(Rendezvous, FindsTheFirstHostOfAList) {
  EXPECT_EQ(first_host("a"), "a");
  EXPECT_EQ(first_host("a,b[1-2]"), "a");
  EXPECT_EQ(first_host("n[3,5]"), "n3");
  EXPECT_EQ(first_host("n[7]"), "n7");
  EXPECT_EQ(first_host("rack1-n[003-010],rack2"), "rack1-n003");
}

}  // namespace
}  // namespace fluidsplat::learn
