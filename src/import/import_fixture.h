// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "import/import_dataset.h"

namespace fluidsplat::importing {

// For tests: a folder of a user's files, and the dataset that is made of them.
class ImportFixture : public testing::Test {
 protected:
  Recipe recipe(const std::string& file) {
    Recipe r;
    r.files = {(folder_ / file).string()};
    return r;
  }
  ImportReport import(const Recipe& r) { return import_dataset(r, folder_ / "out.h5"); }
  field::DatasetFile result() { return field::DatasetFile(folder_ / "out.h5"); }
  // What a refusal says; it must leave nothing behind.
  std::string error_of(const Recipe& r) {
    std::filesystem::remove(folder_ / "out.h5");
    try {
      import(r);
    } catch (const Error& e) {
      for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
        EXPECT_THAT(entry.path().filename().string(), testing::Not(testing::StartsWith("out.h5")));
      return e.what();
    }
    return "no error";
  }
  TemporaryFolder folder_;
};

}  // namespace fluidsplat::importing
