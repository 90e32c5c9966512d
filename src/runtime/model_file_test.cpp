// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "runtime/random_model.h"
#include "runtime/reconstructor.h"

namespace fluidsplat::runtime {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// The text of the Error that opening the changed model gives.
std::string error_of(const std::function<void(RandomModel&)>& damage) {
  TemporaryFolder folder;
  RandomModel model;
  damage(model);
  model.write(folder / "bad.safetensors");
  try {
    Reconstructor::open(folder / "bad.safetensors");
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("bad.safetensors"));
    return e.what();
  }
  return "opened without complaint";
}

TEST(ModelFile, OpensWhatIsSound) {
  EXPECT_EQ(error_of([](RandomModel&) {}), "opened without complaint");
}

TEST(ModelFile, EverySettingIsCheckedForPresenceTypeAndRange) {
  const RandomModel sound;
  for (const auto& [name, value] : sound.config["model"].items()) {
    SCOPED_TRACE(name);
    const std::string key = name;
    EXPECT_THAT(error_of([&](RandomModel& m) { m.config["model"].erase(key); }), HasSubstr(key));
    for (const json& wrong : {json(nullptr), json("x"), json(-1), json(1e300), json(json::array()), json(2.5)}) {
      if (wrong == json(2.5) && (value.is_number_float())) continue;
      EXPECT_THAT(error_of([&](RandomModel& m) { m.config["model"][key] = wrong; }), HasSubstr(key)) << wrong;
    }
  }
}

TEST(ModelFile, ABaseFieldThatDoesNotFitIsNamed) {
  const auto broken = [](const std::function<void(RandomModel&)>& damage) {
    return error_of([&](RandomModel& m) {
      m.add_base_field(20);
      damage(m);
    });
  };
  EXPECT_EQ(broken([](RandomModel&) {}), "opened without complaint");
  for (const char* part : {"points", "values"}) {
    const auto name = std::string("base_field/") + part;
    EXPECT_THAT(broken([&](RandomModel& m) { m.tensors.erase(name); }), HasSubstr(part));
    EXPECT_THAT(broken([&](RandomModel& m) { m.tensors[name].shape = {40}; }), HasSubstr(part));
    EXPECT_THAT(broken([&](RandomModel& m) { m.tensors[name].shape = {10, 4}; }), HasSubstr(part));
    EXPECT_THAT(broken([&](RandomModel& m) {
                  const float nan = std::nanf("");
                  std::memcpy(m.tensors[name].bytes.data(), &nan, sizeof nan);
                }),
                HasSubstr(part));
  }
  EXPECT_THAT(broken([](RandomModel& m) {
                m.tensors["base_field/points"] = io::Array::from({19, 2}, std::vector<float>(38));
              }),
              HasSubstr("19 points"));
  EXPECT_THAT(broken([](RandomModel& m) { m.metadata["block:base_field"] = R"({"version": 7, "config": {}})"; }),
              HasSubstr("base_field"));
}

TEST(ModelFile, APriorThatDoesNotFitIsNamed) {
  const auto broken = [](const std::function<void(RandomModel&)>& damage) {
    return error_of([&](RandomModel& m) {
      m.add_base_field(20);
      m.add_prior(3, 7);
      damage(m);
    });
  };
  EXPECT_EQ(broken([](RandomModel&) {}), "opened without complaint");
  for (const char* part : {"modes", "readings", "coefficients", "places"}) {
    const auto name = std::string("prior/") + part;
    EXPECT_THAT(broken([&](RandomModel& m) { m.tensors.erase(name); }), HasSubstr(part));
    EXPECT_THAT(broken([&](RandomModel& m) {
                  m.tensors[name] = io::Array::from({1, 1}, std::vector<float>(1));
                }),
                HasSubstr("the prior"));
    EXPECT_THAT(broken([&](RandomModel& m) {
                  const float nan = std::nanf("");
                  std::memcpy(m.tensors[name].bytes.data(), &nan, sizeof nan);
                }),
                HasSubstr(part));
  }
  EXPECT_THAT(broken([](RandomModel& m) {
                m.metadata.erase("block:base_field");
                m.tensors.erase("base_field/points");
                m.tensors.erase("base_field/values");
              }),
              HasSubstr("no base field"));
  const auto with_settings = [&](int version, const std::string& config) {
    return broken([&](RandomModel& m) {
      m.metadata["block:prior"] = fmt::format(R"({{"version": {}, "config": {}}})", version, config);
    });
  };
  const auto one = [](const char* rung) {
    return fmt::format(R"({{"noise": 0, "network_scale": 1, "judge": 0, "rungs": [{}]}})", rung);
  };
  const char* sound = R"({"noise": 0, "kernel": 1, "length": 1, "ridge": 1, "quiet": 0, "loud": 0})";
  EXPECT_EQ(with_settings(2, one(sound)), "opened without complaint");
  EXPECT_EQ(with_settings(3, one(R"({"noise": 0, "kernel": 4, "length": 1, "ridge": 1, "quiet": 0, "loud": 0})")),
            "opened without complaint");
  for (const auto& config :
       {std::string("{}"), one(""), one(R"({"noise": 0, "kernel": 9, "length": 1, "ridge": 1, "quiet": 0, "loud": 0})"),
        one(R"({"noise": 0, "kernel": 1, "length": 1, "ridge": 0, "quiet": 0, "loud": 0})"),
        one(R"({"noise": 0, "kernel": 1, "length": 1, "ridge": 1, "quiet": 2, "loud": 1})"),
        fmt::format(R"({{"noise": 0, "network_scale": 1, "judge": 1, "rungs": [{}]}})", sound)})
    EXPECT_THAT(with_settings(2, config), HasSubstr("the prior's settings")) << config;
  // Version 1 had one map, whose settings stood beside the others.
  EXPECT_EQ(with_settings(1, R"({"kernel": 1, "length": 1, "ridge": 1, "noise": 0.01, "network_scale": 1})"),
            "opened without complaint");
  EXPECT_THAT(with_settings(1, R"({"kernel": 1, "length": 1, "ridge": 0, "noise": 0, "network_scale": 1})"),
              HasSubstr("the prior's settings"));
}

TEST(ModelFile, ADamagedCorrectionIsRefused) {
  const auto with = [](double length, double contrast, double noise) {
    return error_of([&](RandomModel& m) { m.add_correction(length, contrast, noise); });
  };
  EXPECT_EQ(with(0.1, 1, 0.1), "opened without complaint");
  for (const auto& error : {with(-1, 1, 0.1), with(0.1, 0, 0.1), with(0.1, 1, 0), with(0.1, 1e300, 0.1)})
    EXPECT_THAT(error, HasSubstr("the correction's settings are out of range"));
  EXPECT_THAT(error_of([](RandomModel& m) {
                m.metadata["block:correction"] = R"({"version": 1, "config": {"length": "far"}})";
              }),
              HasSubstr("the correction's settings cannot be read"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.metadata["block:correction"] = R"({"version": 2, "config": {}})"; }),
              HasSubstr("correction"));
}

TEST(ModelFile, SizesThatContradictTheTensorsAreNamed) {
  const auto grow = [](const char* key) {
    return error_of([&](RandomModel& m) { m.config["model"][key] = m.config["model"][key].get<int>() + 2; });
  };
  EXPECT_THAT(grow("primitives"), HasSubstr("head.weight"));
  EXPECT_THAT(grow("width"), HasSubstr("decoder.mlp.0.weight"));
  EXPECT_THAT(grow("attention_width"), HasSubstr("decoder.query.weight"));
  EXPECT_THAT(grow("context"), HasSubstr("encoder.fuse.0.weight"));
  EXPECT_THAT(grow("encoder_width"), HasSubstr("encoder.token.0"));
  EXPECT_THAT(grow("layers"), HasSubstr("decoder.mlp"));
  EXPECT_THAT(grow("bands"), HasSubstr("decoder.query.weight"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["model"]["heads"] = 3; }), HasSubstr("heads"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["model"]["primitives"] = 65536; }), HasSubstr("head.weight"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["model"]["attention"] = false; }), HasSubstr("decoder."));
}

TEST(ModelFile, TensorsMustBeThereBeFloatsBeFiniteAndBeWanted) {
  EXPECT_THAT(error_of([](RandomModel& m) { m.tensors.erase("head.bias"); }), HasSubstr("head.bias"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.tensors["spare"] = m.tensors["head.bias"]; }), HasSubstr("spare"));
  EXPECT_THAT(error_of([](RandomModel& m) {
                auto& t = m.tensors["head.bias"];
                const auto values = t.as<double>();
                t = io::Array::from(t.shape, values);
              }),
              HasSubstr("F32"));
  EXPECT_THAT(error_of([](RandomModel& m) {
                auto& t = m.tensors["decoder.ffn.0.weight"];
                reinterpret_cast<float*>(t.bytes.data())[3] = std::numeric_limits<float>::infinity();
              }),
              HasSubstr("decoder.ffn.0.weight"));
}

TEST(ModelFile, MetadataColumnsDomainAndSensorsAreChecked) {
  EXPECT_THAT(error_of([](RandomModel& m) { m.metadata.erase("format"); }), HasSubstr("format"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.metadata["schema"] = "3"; }), HasSubstr("schema"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.metadata["config"] = "{"; }), HasSubstr("JSON"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.metadata["config"] = "[]"; }), HasSubstr("object"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["channels"].erase(1); }), HasSubstr("channels"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["channels"][0]["scale"] = 0; }), HasSubstr("scale"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["domain"]["high"] = m.config["domain"]["low"]; }),
              HasSubstr("high"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["sensors"]["channels"][0] = {5}; }), HasSubstr("channel 5"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["sensors"]["positions"].erase(0); }), HasSubstr("sensors"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["sensors"]["positions"][0] = {1}; }), HasSubstr("coordinates"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["sensors"]["mean_readings"].erase(0); }),
              HasSubstr("mean readings"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["channels"][1].erase("reading_scale"); }),
              HasSubstr("reading_scale"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["sensors"]["names"] = {"a"}; }), HasSubstr("names"));
}

// Files of before: no kind, and mean readings by another name.
TEST(ModelFile, SchemaOneIsStillReadAndGivesTheSameField) {
  const TemporaryFolder folder;
  RandomModel model;
  model.write(folder / "new.safetensors");
  model.metadata["schema"] = "1";
  model.config.erase("kind");
  model.config["sensors"]["usual"] = model.config["sensors"]["mean_readings"];
  model.config["sensors"].erase("mean_readings");
  model.write(folder / "old.safetensors");
  const std::vector<float> points = {0.5f, 0.25f, 2, 1}, readings(10, 0.3f);
  std::vector<float> fields[2];
  for (int i = 0; i < 2; ++i) {
    const auto opened = Reconstructor::open(folder / (i == 0 ? "new.safetensors" : "old.safetensors"));
    fields[i].resize(4);
    PlanOptions options;
    options.points = points.data();
    options.count = 2;
    Outputs out;
    out.field = fields[i].data();
    opened.plan(options).run(readings.data(), nullptr, out);
  }
  EXPECT_EQ(fields[0], fields[1]);
}

TEST(ModelFile, AModelOfAnotherKindIsNamed) {
  EXPECT_THAT(error_of([](RandomModel& m) { m.config["kind"] = "senseiver"; }), HasSubstr("senseiver"));
  EXPECT_THAT(error_of([](RandomModel& m) { m.config.erase("kind"); }), HasSubstr("kind"));
}

TEST(ModelFile, BlocksRoundTripAndDoNotDisturb) {
  const TemporaryFolder folder;
  RandomModel().write(folder / "plain.safetensors");
  const auto plain = model::ModelFile::open(folder / "plain.safetensors");
  model::ModelContents contents{plain.description(), {}, {}};
  for (const auto& name : plain.tensor_names()) contents.tensors[name] = plain.tensor(name).copy();
  contents.blocks["remarks"] = {
      2, "{\"level\":0.9}", {{"width", io::Array::from<float>({2}, std::vector<float>{1, 2})}}};
  const auto path = folder / "with.safetensors";
  model::write_model_file(path, contents);
  EXPECT_NO_THROW(Reconstructor::open(path)) << "a block that the runtime does not know";
  EXPECT_EQ(Reconstructor::open(path).parameters(), Reconstructor::open(folder / "plain.safetensors").parameters());
  const auto file = model::ModelFile::open(path);
  EXPECT_EQ(file.block_names(), (std::vector<std::string>{"remarks"}));
  const auto block = file.block("remarks", 2);
  EXPECT_EQ(block.config, "{\"level\":0.9}");
  EXPECT_EQ(block.tensors.at("width").as<float>(), (std::vector<float>{1, 2}));
  const auto error = [&](const char* name, int newest) -> std::string {
    try {
      file.block(name, newest);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_THAT(error("remarks", 1), HasSubstr("version 2"));
  EXPECT_THAT(error("bands", 1), HasSubstr("\"bands\""));
}

// Opens the bytes as a model and, should they be one, uses it.  True when it was opened.
bool use(const std::string& bytes, const TemporaryFolder& folder) {
  const auto path = folder / "bytes.safetensors";
  std::ofstream(path, std::ios::binary) << bytes;  // many times over: without write_file's wait for the disk
  try {
    const auto model = Reconstructor::open(path);
    const auto& d = model.description();
    const std::vector<float> points(3 * d.spec.dim, 0.5f), readings(d.sensors.size() * d.spec.channels, 0.1f);
    std::vector<float> field(3 * d.spec.channels);
    PlanOptions options;
    options.points = points.data();
    options.count = 3;
    Outputs out;
    out.field = field.data();
    model.plan(options).run(readings.data(), nullptr, out);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string sound_bytes(const TemporaryFolder& folder) {
  RandomModel().write(folder / "sound.safetensors");
  return read_file(folder / "sound.safetensors");
}

TEST(ModelFile, CutAnywhereIsAnError) {
  const TemporaryFolder folder;
  const std::string sound = sound_bytes(folder);
  ASSERT_TRUE(use(sound, folder));
  for (Index length = 0; length < std::ssize(sound); length += 1 + std::ssize(sound) / 97)
    EXPECT_FALSE(use(sound.substr(0, length), folder)) << length;
  EXPECT_FALSE(use(sound.substr(0, sound.size() - 1), folder));
  EXPECT_FALSE(use(sound + "x", folder));
}

// Whatever a changed byte of the header says, the outcome is a model or an Error: no crash, no wild memory (the
// sanitizers watch), no other exception.
TEST(ModelFile, DamagedHeadersAreModelsOrErrors) {
  const TemporaryFolder folder;
  const std::string sound = sound_bytes(folder);
  std::uint64_t length = 0;
  std::memcpy(&length, sound.data(), sizeof(length));
  const Index header = sizeof(length) + length;
  Random random(6);
  int refused = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::string bytes = sound;
    for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes)
      bytes[random.below(header)] = static_cast<char>("0129-.,:\"[]{}ex\xff\0"[random.below(17)]);
    refused += !use(bytes, folder);
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace fluidsplat::runtime
