// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfrans_import.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "benchmarks/airfoil_set.h"
#include "benchmarks/airfrans_case.h"
#include "field/dataset_file.h"

namespace fluidsplat::benchmarks {

namespace {

constexpr Index kValidationEvery = 10;

struct ListedSplit {
  const char *name, *train, *test;
};
constexpr ListedSplit kSplits[] = {{"full", "full_train", "full_test"},
                                   {"scarce", "scarce_train", "full_test"},
                                   {"aoa", "aoa_train", "aoa_test"},
                                   {"reynolds", "reynolds_train", "reynolds_test"}};

// Every case once, in the order of the lists above.
std::vector<std::string> all_names(const Manifest& manifest) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const auto& split : kSplits)
    for (const auto* list : {split.train, split.test})
      if (const auto found = manifest.find(list); found != manifest.end())
        for (const auto& name : found->second)
          if (seen.insert(name).second) out.push_back(name);
  return out;
}

}  // namespace

Manifest read_manifest(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file))
    fail("{}: missing; the folder of AirfRANS holds it beside the folders of its cases", file.string());
  try {
    const auto manifest = nlohmann::json::parse(read_file(file, std::size_t{1} << 26)).get<Manifest>();
    // A name that cannot be understood is told before hours of reading.
    for (const auto& name : all_names(manifest)) parse_airfrans_name(name);
    if (all_names(manifest).empty())
      fail(
          "{}: lists no cases under full_train, full_test, scarce_train, aoa_train, aoa_test, reynolds_train or "
          "reynolds_test",
          file.string());
    return manifest;
  } catch (const nlohmann::json::exception& e) {
    fail("{}: not a manifest (JSON with lists of case names such as \"full_train\"): {}", file.string(), e.what());
  } catch (const Error& e) {
    const std::string text = e.what();
    if (text.starts_with(file.string())) throw;
    fail("{}: {}", file.string(), text);
  }
}

std::map<std::string, field::Split> airfrans_splits(const Manifest& manifest, const std::vector<std::string>& names) {
  std::unordered_map<std::string, Index> number;
  for (Index i = 0; i < std::ssize(names); ++i) number[names[i]] = i;
  std::map<std::string, field::Split> out;
  for (const auto& listed : kSplits) {
    const auto train = manifest.find(listed.train), test = manifest.find(listed.test);
    if (train == manifest.end() || test == manifest.end() || train->second.size() < 2 || test->second.empty()) continue;
    field::Split split;
    const Index count = std::ssize(train->second), every = std::min(kValidationEvery, count);
    for (Index i = 0; i < count; ++i)
      (i % every == every - 1 ? split.validation : split.train).push_back(number.at(train->second[i]));
    for (const auto& name : test->second) split.test.push_back(number.at(name));
    out[listed.name] = split;
  }
  return out;
}

Outcome import_airfrans(const std::filesystem::path& folder, const std::filesystem::path& dataset,
                        const RunHooks& hooks) {
  const AirfransFiles files{folder};
  const auto manifest = read_manifest(files.manifest());
  const auto names = all_names(manifest);
  // A set that is not all there is told at once, too.
  for (const auto& name : names)
    for (const auto& file : {files.internal(name), files.aerofoil(name)})
      if (!std::filesystem::exists(file))
        fail("{}: missing; {} lists its case", file.string(), files.manifest().string());
  field::DatasetWriter writer(dataset, airfrans_schema(), "AirfRANS airfoils");
  const auto splits = airfrans_splits(manifest, names);
  writer.set_splits(splits);
  writer.set_notes({{"benchmark", "airfrans"}});
  Outcome out;
  double slowest = 1e30, fastest = 0;
  for (const auto& name : names) {
    if (hooks.should_stop()) {
      out.complete = false;
      return out;
    }
    const auto c = read_airfrans_case(files, name);
    slowest = std::min(slowest, double(c.descriptors[0])), fastest = std::max(fastest, double(c.descriptors[0]));
    writer.add(c);
    hooks.tell(double(++out.cases) / double(std::ssize(names)), "cases");
  }
  writer.commit();
  out.notes.push_back(fmt::format("Reynolds numbers {:.4g} to {:.4g}", slowest, fastest));
  for (const auto& [name, split] : splits)
    out.notes.push_back(fmt::format("split \"{}\": {} cases train, {} choose the checkpoint, {} test", name,
                                    split.train.size(), split.validation.size(), split.test.size()));
  return out;
}

Outcome make_airfrans(const std::filesystem::path& folder, const RunHooks& hooks) {
  return make_airfoil_set(folder, {}, hooks);
}

}  // namespace fluidsplat::benchmarks
