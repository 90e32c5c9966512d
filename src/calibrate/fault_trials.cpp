// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fault_trials.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "field/metrics.h"
#include "reconstruct/left_out_readings.h"
#include "uncertainty/fault_kind.h"
#include "uncertainty/series_check.h"

namespace fluidsplat::calibrate {
namespace {

using uncertainty::Fault;
using uncertainty::SensorState;
using Values = std::vector<std::vector<float>>;

struct KindAndSize {
  SensorState kind;
  double size;
};
constexpr KindAndSize kTried[] = {
    {SensorState::fine, 0},          {SensorState::silent, 0},    {SensorState::stuck, 0},
    {SensorState::out_of_range, 10}, {SensorState::biased, 0.25}, {SensorState::biased, 0.5},
    {SensorState::biased, 1},        {SensorState::biased, 2},    {SensorState::drifting, 0.5},
    {SensorState::drifting, 1},      {SensorState::drifting, 2},  {SensorState::noisy, 0.25},
    {SensorState::noisy, 0.5},       {SensorState::noisy, 1},     {SensorState::spiking, 0.5},
    {SensorState::spiking, 1},       {SensorState::spiking, 2},   {SensorState::swapped, 0},
};

class Trials {
 public:
  Trials(reconstruct::FieldModel& model, const field::Dataset& dataset, const FaultRequest& request)
      : model_(model),
        dataset_(dataset),
        request_(request),
        placement_(model.sensors(), dataset),
        left_out_(model),
        own_(left_out_.own()),
        check_(request.calibration, own_, [this](const float* v, float* e) { left_out_(v, e); },
               {.false_alarms = request.false_alarms}) {
    learn_spread();
  }

  FaultRow run(const KindAndSize& tried, const std::function<bool()>& go_on) {
    FaultRow out{.kind = tried.kind, .size = tried.size, .trials = request_.trials};
    for (Index t = 0; t < request_.trials; ++t) {
      // The same series and sensors for every kind and size.
      Random random(request_.seed, std::uint64_t(t));
      draw_series(random);
      Fault fault{tried.kind, tried.size, Index(random.below(own_.sensors()))};
      fault.partner = (fault.sensor + 1 + Index(random.below(own_.sensors() - 1))) % own_.sensors();
      one(fault, random, out);
      if (!go_on()) return out;
    }
    return out;
  }

 private:
  void learn_spread() {
    std::vector<double> sum(own_.size()), squares(own_.size());
    const double n = double(request_.train_cases.size());
    for (auto index : request_.train_cases) {
      const auto values = placement_.read(dataset_.load(index), index).values;
      for (Index v = 0; v < own_.size(); ++v) {
        const double x = values.data()[own_.readings()[v].place];
        sum[v] += x, squares[v] += x * x;
      }
    }
    for (Index v = 0; v < own_.size(); ++v)
      spread_.push_back(float(std::sqrt(std::max(0.0, squares[v] / n - sum[v] * sum[v] / (n * n)))));
  }

  // Frames in a row, or cases drawn at random where each counts for itself.
  void draw_series(Random& random) {
    auto order = request_.cases;
    const Index rows = std::min(request_.rows, std::ssize(order));
    if (request_.calibration->block > 1)
      std::rotate(order.begin(), order.begin() + Index(random.below(std::ssize(order) - rows + 1)), order.end());
    else
      random.shuffle(order);
    order.resize(rows);
    rows_.clear();
    for (auto index : order) rows_.push_back(&seen(index));
  }

  // What is known of a case without its field; read once.
  struct Seen {
    Index index;
    std::shared_ptr<const field::Mesh> mesh;
    field::Vector descriptors;
    field::SensorReadings readings;
  };
  const Seen& seen(Index index) {
    if (const auto it = seen_.find(index); it != seen_.end()) return it->second;
    const auto c = dataset_.load(index);
    auto readings = reconstruct::disturb(placement_.read(c, index),
                                         {.noise = request_.calibration->noise, .seed = request_.seed + 1000},
                                         model_.description().normalization.readings);
    Seen out{index, c.mesh, reconstruct::descriptors_for(c.descriptors, model_.schema()), std::move(readings)};
    return seen_.emplace(index, std::move(out)).first->second;
  }

  double error_of(Index row, const std::vector<float>& values) {
    const auto& known = *rows_[row];
    auto readings = known.readings;
    std::ranges::copy(values, readings.values.data());
    if (readings.values.array().isNaN().all()) return std::numeric_limits<double>::quiet_NaN();
    return field::compare(model_.reconstruct(readings, known.descriptors, known.mesh).field,
                          dataset_.load(known.index).fields)
        .relative_l2;
  }

  void one(const Fault& fault, Random& random, FaultRow& out) {
    Values values;
    for (const auto* r : rows_)
      values.emplace_back(r->readings.values.data(), r->readings.values.data() + r->readings.values.size());
    if (fault.kind != SensorState::fine) uncertainty::inject(fault, own_, spread_, values, random);
    const auto believed = values;
    const auto go_to = [&](Index row) {
      left_out_.go_to(rows_[row]->readings, rows_[row]->descriptors, rows_[row]->mesh);
    };
    const auto found =
        uncertainty::check_rows(check_, *request_.calibration, own_, values, request_.false_alarms, go_to);
    tally(fault, found, out);
    judge(fault, believed, values, out);
  }

  void tally(const Fault& fault, const uncertainty::SeriesFindings& found, FaultRow& out) const {
    const double share = 1.0 / double(request_.trials);
    const auto is_wrong = [&](Index i) {
      return fault.kind != SensorState::fine &&
             (i == fault.sensor || (fault.kind == SensorState::swapped && i == fault.partner));
    };
    bool blamed = false;
    for (Index i = 0; i < own_.sensors(); ++i) {
      uncertainty::SensorHistory history;
      for (const auto& row : found.rows) history.push_back(row.sensors[i]);
      const auto state = uncertainty::fault_of(history);
      if (is_wrong(i) && i == fault.sensor) {
        out.found += state != SensorState::fine ? share : 0;
        out.named += state == fault.kind ? share : 0;
      }
      blamed = blamed || (!is_wrong(i) && state != SensorState::fine);
    }
    out.blamed += blamed ? share : 0;
    Index acting = 0, seen = 0, wrongly = 0;
    for (Index r = 0; r < std::ssize(found.rows); ++r) {
      bool any = false;
      for (Index i = 0; i < own_.sensors(); ++i) any = any || (!is_wrong(i) && found.rows[r].sensors[i].is_ignored());
      wrongly += any;
      if (fault.kind == SensorState::fine || !uncertainty::acts_in(fault, r)) continue;
      ++acting;
      seen += found.rows[r].sensors[fault.sensor].is_ignored();
    }
    if (acting > 0) out.found_rows += share * double(seen) / double(acting);
    out.blamed_rows += share * double(wrongly) / double(found.rows.size());
  }

  // The last rows in which the fault acts.
  void judge(const Fault& fault, const Values& believed, const Values& handled, FaultRow& out) {
    std::vector<Index> rows;
    for (Index r = std::ssize(believed) - 1; r >= 0 && std::ssize(rows) < request_.judged; --r)
      if (uncertainty::acts_in(fault, r)) rows.push_back(r);
    const double share = 1.0 / double(request_.trials * std::ssize(rows));
    for (Index r : rows) {
      auto oracle = believed[r];
      const Index channels = std::ssize(oracle) / own_.sensors();
      for (Index i : {fault.sensor, fault.kind == SensorState::swapped ? fault.partner : fault.sensor})
        if (fault.kind != SensorState::fine)
          std::fill_n(oracle.begin() + i * channels, channels, std::numeric_limits<float>::quiet_NaN());
      out.handled += share * error_of(r, handled[r]);
      out.believed += share * error_of(r, believed[r]);
      out.oracle += share * error_of(r, oracle);
    }
  }

  reconstruct::FieldModel& model_;
  const field::Dataset& dataset_;
  const FaultRequest& request_;
  field::SensorPlacement placement_;
  reconstruct::LeftOutModel left_out_;
  const uncertainty::InstantReadings& own_;
  uncertainty::SensorCheck check_;
  std::vector<float> spread_;
  std::map<Index, Seen> seen_;
  std::vector<const Seen*> rows_;  // of the series
};

}  // namespace

std::vector<FaultRow> try_faults(reconstruct::FieldModel& model, const field::Dataset& dataset,
                                 const FaultRequest& request, const CalibrationHooks& hooks) {
  if (request.cases.empty()) fail("{}: no cases are left that neither trained nor calibrated", dataset.name());
  Trials trials(model, dataset, request);
  std::vector<FaultRow> out;
  const Index total = std::ssize(kTried) * request.trials;
  Index done = 0;
  bool stopped = false;
  const auto go_on = [&] {
    if (hooks.progress) hooks.progress("putting faults into readings", ++done, total);
    stopped = stopped || (hooks.interrupted && hooks.interrupted());
    return !stopped;
  };
  for (const auto& tried : kTried) {
    out.push_back(trials.run(tried, go_on));
    if (stopped) return {};
  }
  return out;
}

std::string faults_csv(const std::vector<FaultRow>& rows) {
  std::string out = "kind,size,trials,found,found_rows,named,blamed,blamed_rows,handled,believed,oracle\n";
  for (const auto& r : rows)
    out += fmt::format("{},{:g},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.6g},{:.6g},{:.6g}\n",
                       r.kind == SensorState::fine ? "none" : name_of(r.kind), r.size, r.trials, r.found, r.found_rows,
                       r.named, r.blamed, r.blamed_rows, r.handled, r.believed, r.oracle);
  return out;
}

}  // namespace fluidsplat::calibrate
