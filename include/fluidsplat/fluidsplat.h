/* SPDX-FileCopyrightText: The fluidsplat authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Flow fields from sparse sensors: the C interface of a trained model.  Needs no deep-learning framework.
 *
 *   #include <fluidsplat/fluidsplat.h>
 *
 *   fluidsplat_model* model;
 *   if (fluidsplat_model_open("model.safetensors", &model)) { puts(fluidsplat_last_error()); return 1; }
 *
 *   fluidsplat_plan_options options = fluidsplat_plan_default_options();
 *   options.points = xy;                       // [count][dim], in the units of the training data
 *   options.count = count;
 *   fluidsplat_plan* plan;
 *   fluidsplat_plan_create(model, &options, &plan);
 *
 *   fluidsplat_outputs out = {0};
 *   out.field = field;                         // [count][channels]
 *   while (next_readings(readings))            // what the sensors measure, NaN = this one says nothing
 *     if (fluidsplat_run_readings(plan, readings, reading_count, NULL, 0, &out)) puts(fluidsplat_last_error());
 *
 *   fluidsplat_plan_destroy(plan);
 *   fluidsplat_model_close(model);
 *
 * Threads: a model may be used by any number of threads at once.  A plan may be called from any thread; calls on one
 * plan wait for each other, so give each thread its own plan.  The last-error text belongs to the calling thread.
 *
 * Memory: after fluidsplat_plan_create nothing is allocated.  A plan keeps its model alive, so the two may be closed in
 * any order.  All arrays are row-major floats.
 */
#ifndef FLUIDSPLAT_FLUIDSPLAT_H_
#define FLUIDSPLAT_FLUIDSPLAT_H_

#include <stddef.h>

#if defined(_WIN32)
#define FLUIDSPLAT_API
#else
#define FLUIDSPLAT_API __attribute__((visibility("default")))
#endif

#define FLUIDSPLAT_VERSION_MAJOR 0
#define FLUIDSPLAT_VERSION_MINOR 1
#define FLUIDSPLAT_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fluidsplat_model fluidsplat_model;
typedef struct fluidsplat_plan fluidsplat_plan;

typedef enum fluidsplat_status {
  FLUIDSPLAT_OK = 0,
  FLUIDSPLAT_INVALID = 1,       /* what was given cannot be used; fluidsplat_last_error() says why */
  FLUIDSPLAT_OUT_OF_MEMORY = 2,
  FLUIDSPLAT_INTERNAL = 3       /* a mistake in this library */
} fluidsplat_status;

/* The version of the library that is linked, "0.1.0". */
FLUIDSPLAT_API const char* fluidsplat_version(void);

/* Why the calling thread's last call failed; "" when it did not.  Valid until that thread's next call. */
FLUIDSPLAT_API const char* fluidsplat_last_error(void);

/* ---- models ---- */

/* Opens a model file.  Every size in it is checked; a damaged or hostile file gives FLUIDSPLAT_INVALID. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_model_open(const char* path, fluidsplat_model** model);
FLUIDSPLAT_API void fluidsplat_model_close(fluidsplat_model* model); /* NULL is fine */

/* Sizes. */
typedef struct fluidsplat_model_info {
  size_t dim;               /* 2 or 3 */
  size_t channels;          /* quantities reconstructed at every point */
  size_t features;          /* inputs needed at every point, often 0 */
  size_t descriptors;       /* inputs needed once per case, often 0 */
  size_t sensors;           /* of the layout the model was trained with */
  size_t primitives;        /* Gaussians of the scaffold */
  size_t primitive_columns; /* numbers of each, see fluidsplat_primitives */
  size_t parameters;        /* trained numbers */
  size_t geometry_features; /* inputs needed at every wall point; 0 when the model does not look at the wall */
  size_t readings;          /* numbers that these sensors measure: see fluidsplat_model_reading */
} fluidsplat_model_info;
FLUIDSPLAT_API fluidsplat_status fluidsplat_model_get_info(const fluidsplat_model* model, fluidsplat_model_info* info);

/* Names and units live as long as the model; NULL for an index out of range. */
FLUIDSPLAT_API const char* fluidsplat_model_channel_name(const fluidsplat_model* model, size_t channel);
FLUIDSPLAT_API const char* fluidsplat_model_channel_unit(const fluidsplat_model* model, size_t channel);
FLUIDSPLAT_API const char* fluidsplat_model_feature_name(const fluidsplat_model* model, size_t feature);
FLUIDSPLAT_API const char* fluidsplat_model_descriptor_name(const fluidsplat_model* model, size_t descriptor);
/* "" for a sensor without a name. */
FLUIDSPLAT_API const char* fluidsplat_model_sensor_name(const fluidsplat_model* model, size_t sensor);
/* Which channel of which sensor a reading is.  Readings are numbered sensor by sensor, and of each only the channels
 * that it measures. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_model_reading(const fluidsplat_model* model, size_t reading, size_t* sensor,
                                                          size_t* channel);
/* The box the model was trained in: low and high are [dim]. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_model_domain(const fluidsplat_model* model, double* low, double* high);
/* Where the model's sensors are: positions [sensors][dim]. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_model_sensor_positions(const fluidsplat_model* model, float* positions);
/* What each of them says on average over the training data: means [sensors][channels].  A model looks at the
 * difference. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_model_sensor_mean_readings(const fluidsplat_model* model, float* means);

/* How wrong the model was on cases it had not seen ("fluidsplat calibrate" measures it): the highest level that bands
 * can be asked for, and how many sensors may be silent; 0 and 0 for a model that was not calibrated. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_model_calibration(const fluidsplat_model* model, double* highest_level,
                                                              size_t* silent_sensors);

/* ---- plans ---- */

/* Which side of the truth a band is for. */
typedef enum fluidsplat_side {
  FLUIDSPLAT_BOTH = 0,
  FLUIDSPLAT_UPPER = 1, /* the truth lies below the upper edge; the lower one is -infinity */
  FLUIDSPLAT_LOWER = 2  /* the truth lies above the lower edge; the upper one is infinity */
} fluidsplat_side;

typedef struct fluidsplat_plan_options {
  const float* points;   /* [count][dim]; NULL for a plan that only uses fluidsplat_evaluate_at */
  size_t count;
  const float* features; /* [count][features]; NULL when the model has none */

  const float* sensor_positions; /* [sensor_count][dim]; NULL: the model's own layout */
  size_t sensor_count;
  /* What each of these sensors says on average, [sensor_count][channels].  NULL: a sensor that stands exactly where one
   * of the model's stands is that sensor; for any other the average over all sensors is taken.  When the model's
   * sensors have moved with the wall, give fluidsplat_model_sensor_mean_readings here. */
  const float* sensor_mean_readings;

  const float* wall_points;   /* [wall_count][dim], for models that look at the wall's shape */
  const float* wall_features; /* [wall_count][geometry features] */
  size_t wall_count;

  int threads;   /* default 1 */
  int gradients; /* nonzero: gradient, vorticity and divergence will be asked for; default 0 */

  double level;         /* of the bands that will be asked for, such as 0.9; default 0: none */
  int simultaneous;     /* nonzero: bands hold for all points of a channel at once; default 0: for each by itself */
  fluidsplat_side side; /* default FLUIDSPLAT_BOTH */
  int check_sensors;    /* nonzero: fluidsplat_check_sensors will be called; default 0 */

  /* [sensors][features] at the plan's sensors, when the model has features: needed to check sensors, and for a model that
   * corrects itself at its sensors, where NULL stands for those of the nearest of the points. */
  const float* sensor_features;

  int on_average; /* nonzero: bands hold their level on average over calibrations; default 0: at least the level */
} fluidsplat_plan_options;
FLUIDSPLAT_API fluidsplat_plan_options fluidsplat_plan_default_options(void);

FLUIDSPLAT_API fluidsplat_status fluidsplat_plan_create(const fluidsplat_model* model,
                                                        const fluidsplat_plan_options* options, fluidsplat_plan** plan);
FLUIDSPLAT_API void fluidsplat_plan_destroy(fluidsplat_plan* plan); /* NULL is fine */

/* How many numbers a plan takes and gives. */
typedef struct fluidsplat_plan_sizes {
  size_t readings;    /* what its sensors measure, for fluidsplat_run_readings */
  size_t values;      /* sensors times channels, for fluidsplat_run and fluidsplat_observe */
  size_t descriptors; /* once per case, often 0 */
  size_t points;      /* that it was made for */
} fluidsplat_plan_sizes;
FLUIDSPLAT_API fluidsplat_status fluidsplat_plan_get_sizes(const fluidsplat_plan* plan, fluidsplat_plan_sizes* sizes);

/* Arrays to fill, in the units of the training data; those left NULL are not computed. */
typedef struct fluidsplat_outputs {
  float* field;      /* [count][channels] */
  float* primitive;  /* [count][channels]: the Gaussian scaffold alone */
  float* mass;       /* [count]: how much the scaffold knows of a place */
  float* gradient;   /* [count][channels][dim] */
  float* vorticity;  /* [count] in 2-D, [count][3] in 3-D */
  float* divergence; /* [count] */
  float* lower;      /* [count][channels]: the band's edges, infinite when too many sensors are silent to promise any */
  float* upper;      /* [count][channels] */
  float* scale;      /* [count][channels]: the local scale that the band's width is a multiple of */
} fluidsplat_outputs;

/* From what the sensors measure and nothing else, in the order of fluidsplat_model_reading; NaN where one says nothing.
 * Other counts than those of fluidsplat_plan_get_sizes are refused. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_run_readings(fluidsplat_plan* plan, const float* readings,
                                                         size_t reading_count, const float* descriptors,
                                                         size_t descriptor_count, const fluidsplat_outputs* out);
/* The same from an array that the caller vouches for: readings [sensors][channels], every channel of every sensor
 * (`values` in all), NaN where a sensor says nothing or does not measure a channel; descriptors [descriptors] or NULL. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_run(fluidsplat_plan* plan, const float* readings, const float* descriptors,
                                                const fluidsplat_outputs* out);
/* The same for many instants: every array gains a leading [frames] axis. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_run_batch(fluidsplat_plan* plan, const float* readings,
                                                      const float* descriptors, size_t frames,
                                                      const fluidsplat_outputs* out);
/* fluidsplat_run in two steps: take in one instant, then ask for it anywhere, for any number of points. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_observe(fluidsplat_plan* plan, const float* readings,
                                                    const float* descriptors);
FLUIDSPLAT_API fluidsplat_status fluidsplat_evaluate_at(fluidsplat_plan* plan, const float* points,
                                                        const float* features, size_t count,
                                                        const fluidsplat_outputs* out);
/* What the plan's bands promise, in one sentence; "" for a plan without.  Lives as long as the plan. */
FLUIDSPLAT_API const char* fluidsplat_plan_guarantee(const fluidsplat_plan* plan);

/* ---- sensors ---- */

typedef enum fluidsplat_sensor_state {
  FLUIDSPLAT_SENSOR_FINE = 0,
  FLUIDSPLAT_SENSOR_SILENT = 1,       /* said nothing */
  FLUIDSPLAT_SENSOR_OUT_OF_RANGE = 2, /* said what it never does */
  FLUIDSPLAT_SENSOR_DISAGREES = 3,    /* with what the others suggest */
  FLUIDSPLAT_SENSOR_SWAPPED = 4       /* said what another one should */
} fluidsplat_sensor_state;

typedef struct fluidsplat_sensor_finding {
  fluidsplat_sensor_state state;
  size_t channel;  /* of its reading that fits worst */
  float said, expected; /* that reading, and what the sound others suggest; NaN when they suggest nothing */
  float steps;     /* the difference in units of what it usually is */
} fluidsplat_sensor_finding;

/* Holds each sensor against what the others suggest, for one instant of what fluidsplat_run_readings takes.  Gives the
 * state of each sensor, findings [sensors], and in `checked` [reading_count] the readings with NaN for every sensor that
 * is not fine: give these to fluidsplat_run_readings, and the answer does not depend on what the others said.
 * *unresolved is set to 1 when half of the sensors were taken out and the rest still do not fit each other: another
 * flow, or columns in another order.  findings, checked and unresolved may be NULL.  Needs a calibrated model and a plan
 * with check_sensors.  This call allocates. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_check_sensors(fluidsplat_plan* plan, const float* readings,
                                                          size_t reading_count, const float* descriptors,
                                                          size_t descriptor_count, float* checked,
                                                          fluidsplat_sensor_finding* findings, int* unresolved);
/* The share of instants with sound sensors in which some sensor is wrongly taken out, on average; 0 for a plan without
 * check_sensors. */
FLUIDSPLAT_API double fluidsplat_plan_false_alarms(const fluidsplat_plan* plan);

/* The last instant's Gaussians [primitives][primitive_columns], positions in the unit box and amplitudes normalised:
 * centre [dim], scales [dim], rotation matrix [dim][dim] (rows are axes; absent for axis-aligned models), log weight,
 * amplitude [channels]. */
FLUIDSPLAT_API fluidsplat_status fluidsplat_primitives(fluidsplat_plan* plan, float* primitives);

#ifdef __cplusplus
}
#endif

#endif /* FLUIDSPLAT_FLUIDSPLAT_H_ */
