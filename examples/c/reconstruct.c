/* SPDX-FileCopyrightText: The fluidsplat authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reconstructs a field on a small grid from one set of readings and prints it as CSV.
 *
 *   reconstruct_c MODEL [READING ...]
 *
 * Readings come sensor by sensor, channel by channel; "nan", or leaving the rest out, means a silent sensor.
 */
#include <fluidsplat/fluidsplat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { kGrid = 16 };

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

  /* A grid over the domain; in 3-D its middle plane. */
  const size_t count = kGrid * kGrid;
  float* points = malloc(count * info.dim * sizeof(float));
  float* field = malloc(count * info.channels * sizeof(float));
  float* readings = malloc((info.sensors * info.channels + 1) * sizeof(float));
  if (!points || !field || !readings) return 1;
  for (size_t i = 0; i < count; ++i) {
    const double along[3] = {(double)(i % kGrid) / (kGrid - 1), (double)(i / kGrid) / (kGrid - 1), 0.5};
    for (size_t a = 0; a < info.dim; ++a)
      points[i * info.dim + a] = (float)(low[a] + along[a] * (high[a] - low[a]));
  }
  for (size_t i = 0; i < info.sensors * info.channels; ++i)
    readings[i] = (int)i + 2 < argc ? strtof(argv[i + 2], NULL) : NAN;

  fluidsplat_plan_options options = fluidsplat_plan_default_options();
  options.points = points;
  options.count = count;
  fluidsplat_plan* plan = NULL;
  if (fluidsplat_plan_create(model, &options, &plan)) return failed("plan");
  fluidsplat_outputs out = {0};
  out.field = field;
  if (fluidsplat_run(plan, readings, NULL, &out)) return failed("run");

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
