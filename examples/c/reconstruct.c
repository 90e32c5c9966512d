/* SPDX-FileCopyrightText: The fluidsplat authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reconstructs a field on a small grid from one set of readings and prints it as CSV.
 *
 *   reconstruct_c MODEL [READING ...]
 *
 * Readings come sensor by sensor, of each the channels that it measures; "nan" means a silent one.  Without readings the
 * program says which it wants.
 */
#include <fluidsplat/fluidsplat.h>
#include <stdio.h>
#include <stdlib.h>

enum { kGrid = 16 };

static int say_what_is_wanted(const fluidsplat_model* model, size_t readings) {
  fprintf(stderr, "the model's sensors measure %zu values:\n", readings);
  for (size_t i = 0; i < readings; ++i) {
    size_t sensor, channel;
    if (fluidsplat_model_reading(model, i, &sensor, &channel)) return 1;
    fprintf(stderr, "  %zu: %s of sensor %zu %s\n", i + 1, fluidsplat_model_channel_name(model, channel), sensor,
            fluidsplat_model_sensor_name(model, sensor));
  }
  return 2;
}

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, fluidsplat_last_error());
  return 1;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s MODEL [READING ...]\n", argv[0]);
    return 2;
  }
  fluidsplat_model* model = NULL;
  if (fluidsplat_model_open(argv[1], &model)) return failed("open");
  fluidsplat_model_info info;
  double low[3], high[3];
  if (fluidsplat_model_get_info(model, &info) || fluidsplat_model_domain(model, low, high))
    return failed("info");
  if (info.features > 0 || info.descriptors > 0) {
    fprintf(stderr, "this example is for models without point features and descriptors\n");
    return 1;
  }
  if (argc == 2) return say_what_is_wanted(model, info.readings);
  const size_t given = (size_t)argc - 2;

  /* A grid over the domain; in 3-D its middle plane. */
  const size_t count = kGrid * kGrid;
  float* points = malloc(count * info.dim * sizeof(float));
  float* field = malloc(count * info.channels * sizeof(float));
  float* readings = malloc(given * sizeof(float));
  if (!points || !field || !readings) return 1;
  for (size_t i = 0; i < count; ++i) {
    const double along[3] = {(double)(i % kGrid) / (kGrid - 1), (double)(i / kGrid) / (kGrid - 1), 0.5};
    for (size_t a = 0; a < info.dim; ++a)
      points[i * info.dim + a] = (float)(low[a] + along[a] * (high[a] - low[a]));
  }
  for (size_t i = 0; i < given; ++i) {
    char* end = NULL;
    readings[i] = strtof(argv[i + 2], &end);
    if (end == argv[i + 2] || *end != '\0') {
      fprintf(stderr, "\"%s\" is not a number\n", argv[i + 2]);
      return 2;
    }
  }

  fluidsplat_plan_options options = fluidsplat_plan_default_options();
  options.points = points;
  options.count = count;
  fluidsplat_plan* plan = NULL;
  if (fluidsplat_plan_create(model, &options, &plan)) return failed("plan");
  fluidsplat_outputs out = {0};
  out.field = field;
  if (fluidsplat_run_readings(plan, readings, given, NULL, 0, &out)) return failed("run");

  for (size_t a = 0; a < info.dim; ++a) printf("x%zu,", a);
  for (size_t c = 0; c < info.channels; ++c)
    printf("%s%s", fluidsplat_model_channel_name(model, c), c + 1 < info.channels ? "," : "\n");
  for (size_t i = 0; i < count; ++i) {
    for (size_t a = 0; a < info.dim; ++a) printf("%g,", points[i * info.dim + a]);
    for (size_t c = 0; c < info.channels; ++c)
      printf("%g%s", field[i * info.channels + c], c + 1 < info.channels ? "," : "\n");
  }
  fluidsplat_plan_destroy(plan);
  fluidsplat_model_close(model);
  free(points);
  free(field);
  free(readings);
  return 0;
}
