/* SPDX-FileCopyrightText: The fluidsplat authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * 03: a control loop in C.  Readings come in at a fixed rate, the pressure's force on a wall goes out.
 *
 *   control_loop MODEL PRESSURE WALL < READINGS
 *
 * PRESSURE is the pressure's channel.  WALL has a line "x y nx ny length" per point of the wall, the normal out of the
 * body; READINGS a line of what the sensors measure per instant, "nan" for a silent one.  Each answer is a line
 * "instant fx fy microseconds"; at the end comes how long answers took.  After the plan is made nothing is allocated.
 */
#define _POSIX_C_SOURCE 200809L
#include <fluidsplat/fluidsplat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMostWall = 100000, kMostInstants = 1000000, kMostReadings = 1024 };
static const long kPeriod = 1000000; /* ns: 1 kHz */

static int failed(const char* what, const char* why) {
  fprintf(stderr, "%s: %s\n", what, why);
  return 1;
}

static double microseconds(struct timespec from, struct timespec to) {
  return 1e6 * (double)(to.tv_sec - from.tv_sec) + 1e-3 * (double)(to.tv_nsec - from.tv_nsec);
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* The next readings; 0 at the end. */
static int next_readings(float* readings, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (scanf("%f", &readings[i]) != 1) return 0;
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 4) return failed("usage", "control_loop MODEL PRESSURE WALL < READINGS");
  fluidsplat_model* model = NULL;
  fluidsplat_model_info info;
  if (fluidsplat_model_open(argv[1], &model) || fluidsplat_model_get_info(model, &info))
    return failed(argv[1], fluidsplat_last_error());
  size_t pressure = 0;
  while (pressure < info.channels && strcmp(fluidsplat_model_channel_name(model, pressure), argv[2]) != 0) ++pressure;
  if (pressure == info.channels) return failed(argv[2], "the model has no such channel");
  if (info.dim != 2 || info.features > 0 || info.descriptors > 0 || info.readings > kMostReadings)
    return failed(argv[1], "this example is for 2-D models without features and descriptors");

  /* The wall: points for the plan, and normals times lengths. */
  static float points[2 * kMostWall], weights[2 * kMostWall], readings[kMostReadings];
  static double taken[kMostInstants];
  FILE* wall = fopen(argv[3], "r");
  if (!wall) return failed(argv[3], "cannot be read");
  size_t count = 0;
  float x, y, nx, ny, length;
  while (count < kMostWall && fscanf(wall, "%f %f %f %f %f", &x, &y, &nx, &ny, &length) == 5) {
    points[2 * count] = x, points[2 * count + 1] = y;
    weights[2 * count] = nx * length, weights[2 * count + 1] = ny * length;
    ++count;
  }
  fclose(wall);
  float* field = malloc(count * info.channels * sizeof(float));
  if (count == 0 || !field) return failed(argv[3], "no points");

  fluidsplat_plan_options options = fluidsplat_plan_default_options();
  options.points = points;
  options.count = count;
  fluidsplat_plan* plan = NULL;
  if (fluidsplat_plan_create(model, &options, &plan)) return failed("plan", fluidsplat_last_error());
  fluidsplat_outputs out = {0};
  out.field = field;

  struct timespec due, begin, end;
  clock_gettime(CLOCK_MONOTONIC, &due);
  size_t instant = 0;
  for (; instant < kMostInstants && next_readings(readings, info.readings); ++instant) {
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (fluidsplat_run_readings(plan, readings, info.readings, NULL, 0, &out))
      return failed("run", fluidsplat_last_error());
    double fx = 0, fy = 0;
    for (size_t i = 0; i < count; ++i) {
      const double p = field[i * info.channels + pressure];
      fx -= p * weights[2 * i];
      fy -= p * weights[2 * i + 1];
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    taken[instant] = microseconds(begin, end);
    printf("%zu %.6g %.6g %.1f\n", instant, fx, fy, taken[instant]);
    due.tv_nsec += kPeriod;
    if (due.tv_nsec >= 1000000000L) due.tv_nsec -= 1000000000L, ++due.tv_sec;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
  }
  if (instant == 0) return failed("readings", "none came in");
  qsort(taken, instant, sizeof(double), ascending);
  fprintf(stderr, "%zu answers for %zu wall points: p50 %.0f us, p99 %.0f us, longest %.0f us\n", instant, count,
          taken[instant / 2], taken[instant * 99 / 100], taken[instant - 1]);
  fluidsplat_plan_destroy(plan);
  fluidsplat_model_close(model);
  free(field);
  return 0;
}
