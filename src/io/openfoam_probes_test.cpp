// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/openfoam_probes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::string kHeader = "# Probe 0 (0.5 1 0)\n# Probe 1 (2 -1e-3 0)\n#  Probe   0   1\n#  Time\n";

class Probes : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& rows) {
    const auto path = folder_ / ("postProcessing/probes/" + file);
    std::filesystem::create_directories(path.parent_path());
    write_file(path, kHeader + rows);
  }
  TemporaryFolder folder_;
};

TEST_F(Probes, ARunThatWasStartedAgainReplacesWhatFollowed) {
  write("0/p", "  0.1   1 2\n  0.2   3 4\n  0.3   5 6\n");
  write("0/U", "  0.1   (1 0 0) (2 0 0)\n  0.2   (3 0 0) (4 0 0)\n 0.3 (9 9 9) (9 9 9)\n");
  write("0.2/p", "  0.2   -3 -4\n  0.25   7 8\n");
  write("0.2/U", "  0.2   (3 1 0) (4 1 0)\n  0.25   (5 1 0) (6 1 0)\n");
  for (const char* name : {"postProcessing/probes", "postProcessing", "."}) {
    const auto probes = read_foam_probes(folder_ / name);
    EXPECT_THAT(probes.places, ElementsAre(ElementsAre(0.5, 1, 0), ElementsAre(2, -1e-3, 0)));
    EXPECT_THAT(probes.readings.header, ElementsAre("time", "probe0.u", "probe0.v", "probe0.w", "probe0.p", "probe1.u",
                                                    "probe1.v", "probe1.w", "probe1.p"));
    EXPECT_THAT(probes.readings.column("time"), ElementsAre(0.1, 0.2, 0.25));
    EXPECT_THAT(probes.readings.column("probe1.p"), ElementsAre(2, -4, 8));
    EXPECT_THAT(probes.readings.column("probe0.v"), ElementsAre(0, 1, 1));
  }
}

TEST_F(Probes, DamagedFilesNameTheLine) {
  write("0/p", "  0.1   1 2\n  0.2   3\n");
  EXPECT_THAT([&] { read_foam_probes(folder_ / "postProcessing"); }, ThrowsMessage<Error>(HasSubstr("p:6")));
  EXPECT_THAT([&] { read_foam_probes(folder_ / "nothing"); }, ThrowsMessage<Error>(HasSubstr("no such folder")));
}

}  // namespace
}  // namespace fluidsplat::io
