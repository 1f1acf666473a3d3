/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop of the three models.  The main thread leads: it adds the gradients
 * of the workers in their order and updates the values while they rest.  All
 * sums have a fixed order, so that the same options print the same bytes;
 * other numbers of workers add in another order and round differently.
 */
#include "model.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "annotate.h"
#include "workers.h"

/* OpenBLAS's own; absent from other libraries. */
void openblas_set_num_threads(int count) __attribute__((weak));

enum { REPORTS = 5 }; /* lines of progress a run */

struct run {
    const struct model *model;
    struct arena arena;
    struct part *parts;
    size_t part_count;
    struct nn nn; /* of the main thread */
    struct truth truth;
    uint64_t step;
    double loss, accuracy;         /* of the step */
    double loss_sum, accuracy_sum; /* of the last steps */
    uint64_t summed_steps;
};

static uint64_t option(const struct run *run, enum option_id id)
{
    return run->model->options->values[id];
}

/* Each item of a run has its own stream, whoever draws it. */
static void load_part(const struct run *run, struct part *part)
{
    for (size_t i = 0; i < part->count; i++) {
        uint64_t item = run->step * option(run, OPTION_BATCH) + part->first + i;
        struct random_stream random = random_open(option(run, OPTION_SEED), item);

        part->labels[i] = run->model->load(run->model, part, i, &random);
    }
}

static void compute_loss(const struct run *run, struct part *part)
{
    float share = 1.0f / (float)option(run, OPTION_BATCH);

    annotate_begin("loss");
    part->loss = cross_entropy(part->scores, part->labels, part->score_gradients, share);
    part->correct = correct_count(part->scores, part->labels);
    annotate_end("loss");
}

static void compute_gradients(const struct run *run, struct part *part)
{
    annotate_begin("backward");
    memset(part->nn.gradients, 0, run->model->parameters * sizeof(float));
    run->model->backward(run->model, part);
    annotate_end("backward");
}

static void run_part(const struct run *run, struct part *part)
{
    load_part(run, part);
    run->model->forward(run->model, part);
    compute_loss(run, part);
    if (run->model->options->train)
        compute_gradients(run, part);
}

/* The task of a worker.  A thread of its own has its own open regions; the
 * main thread as the only worker is inside a step already. */
static void run_worker(void *context, size_t index)
{
    const struct run *run = context;
    struct part *part = &run->parts[index];

    if (part->count == 0)
        return;
    if (run->part_count > 1)
        annotate_begin("step");
    run_part(run, part);
    if (run->part_count > 1)
        annotate_end("step");
}

/* The first part has at least one item, and takes the sum. */
static void update(struct run *run)
{
    size_t parameters = run->model->parameters;
    float *sum = run->parts[0].nn.gradients;

    annotate_begin("update");
    for (size_t i = 1; i < run->part_count; i++)
        if (run->parts[i].count > 0)
            nn_add_scaled(&run->nn, parameters, 1.0f, run->parts[i].nn.gradients, sum);
    nn_add_scaled(&run->nn, parameters, -run->model->rate, sum, run->nn.values);
    annotate_end("update");
}

/* The result of a run is the mean over its last quarter. */
static void sum_up_step(struct run *run)
{
    uint64_t steps = option(run, OPTION_STEPS);
    double batch = (double)option(run, OPTION_BATCH);
    size_t correct = 0;

    run->loss = 0.0;
    for (size_t i = 0; i < run->part_count; i++) {
        run->loss += run->parts[i].loss;
        correct += run->parts[i].correct;
    }
    run->loss /= batch;
    run->accuracy = (double)correct / batch;
    if (steps - run->step > (steps + 3) / 4)
        return;
    run->loss_sum += run->loss;
    run->accuracy_sum += run->accuracy;
    run->summed_steps++;
}

static void report_step(const struct run *run)
{
    uint64_t steps = option(run, OPTION_STEPS);
    uint64_t interval = (steps + REPORTS - 1) / REPORTS;
    bool is_due = run->step % interval == 0 || run->step + 1 == steps;

    annotate_metric("loss", run->loss);
    annotate_metric("accuracy", run->accuracy);
    if (!is_due)
        return;
    printf("step %" PRIu64 " of %" PRIu64 ": loss %.4f, accuracy %.3f\n", run->step + 1, steps,
           run->loss, run->accuracy);
    fflush(stdout);
}

static void run_step(struct run *run, struct workers *workers)
{
    annotate_begin("step");
    workers_run(workers);
    if (run->model->options->train)
        update(run);
    annotate_items(option(run, OPTION_BATCH));
    sum_up_step(run);
    report_step(run);
    annotate_end("step");
}

static void prepare_part(struct run *run, struct part *part)
{
    const struct model *model = run->model;
    size_t rows = part->count * model->rows_an_item;

    part->nn =
        (struct nn){.values = run->nn.values, .truth = &part->truth, .multiply = nn_multiply};
    part->nn.ones = arena_take_floats(&part->arena, rows);
    for (size_t i = 0; i < rows; i++)
        part->nn.ones[i] = 1.0f;
    if (model->options->train)
        part->nn.gradients = arena_take_floats(&part->arena, model->parameters);
    part->labels = arena_take(&part->arena, part->count * sizeof *part->labels);
    part->scores = matrix_take(&part->arena, part->count, model->classes);
    part->score_gradients = matrix_take(&part->arena, part->count, model->classes);
    model->prepare(model, part);
}

/* The first parts have one item more where the batch does not divide: part 0
 * is never empty, and parts without items come last. */
static void prepare_parts(struct run *run)
{
    size_t batch = (size_t)option(run, OPTION_BATCH);
    size_t first = 0;

    run->part_count = (size_t)option(run, OPTION_THREADS);
    run->parts = arena_take(&run->arena, run->part_count * sizeof *run->parts);
    for (size_t i = 0; i < run->part_count; i++) {
        struct part *part = &run->parts[i];

        part->first = first;
        part->count = batch / run->part_count + (i < batch % run->part_count);
        first += part->count;
        if (part->count > 0)
            prepare_part(run, part);
    }
}

static void prepare(struct run *run)
{
    const struct model *model = run->model;
    struct random_stream random = random_open(option(run, OPTION_SEED), MODEL_STREAM_WEIGHTS);

    run->nn.values = arena_take_floats(&run->arena, model->parameters);
    run->nn.truth = &run->truth;
    run->nn.multiply = nn_multiply;
    model->init(model, run->nn.values, &random);
    prepare_parts(run);
}

static void finish(struct run *run)
{
    for (size_t i = 0; i < run->part_count; i++)
        arena_fini(&run->parts[i].arena);
    arena_fini(&run->arena);
}

/* Scores of the last step in the order of the items, then the values. */
static uint64_t checksum(const struct run *run)
{
    uint64_t hash = TRUTH_HASH_START;

    for (size_t i = 0; i < run->part_count; i++) {
        const struct part *part = &run->parts[i];

        if (part->count > 0)
            hash = truth_hash(hash, part->scores.data,
                              part->count * run->model->classes * sizeof(float));
    }
    return truth_hash(hash, run->nn.values, run->model->parameters * sizeof(float));
}

static uint64_t formula_flops(const struct run *run)
{
    uint64_t step = run->model->forward_flops;

    if (run->model->options->train)
        step += run->model->backward_flops;
    return step * option(run, OPTION_STEPS);
}

static void print_truth(struct run *run)
{
    double steps = (double)run->summed_steps;

    for (size_t i = 0; i < run->part_count; i++)
        truth_add(&run->truth, &run->parts[i].truth);
    truth_print(&run->truth, stdout);
    printf("truth: formula_flops %" PRIu64 "\n", formula_flops(run));
    printf("truth: parameters %zu\n", run->model->parameters);
    printf("truth: loss %.6f\n", run->loss_sum / steps);
    printf("truth: accuracy %.6f\n", run->accuracy_sum / steps);
    printf("truth: checksum %016" PRIx64 "\n", checksum(run));
}

/* Returns: the FLOPs of the matrix products, those that the formula covers. */
static uint64_t counted_flops(const struct run *run)
{
    return truth_flops(&run->truth, TRUTH_SGEMM) + truth_flops(&run->truth, TRUTH_DGEMM) +
           truth_flops(&run->truth, TRUTH_SGEMV);
}

static int check_formula(const struct run *run)
{
    if (counted_flops(run) == formula_flops(run))
        return EXIT_SUCCESS;
    fprintf(stderr, "%s: the formula says %" PRIu64 " FLOPs, the count %" PRIu64 "\n",
            run->model->title, formula_flops(run), counted_flops(run));
    return EXIT_FAILURE;
}

static double now_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Time goes to stderr: stdout is the same on each run. */
static void print_time(const struct run *run, double seconds)
{
    fprintf(stderr, "%.3f s, %.1f GFLOP/s\n", seconds, 1e-9 * (double)formula_flops(run) / seconds);
}

static void print_title(const struct run *run)
{
    printf("%s\n%s: batch %" PRIu64 ", steps %" PRIu64 ", threads %" PRIu64 ", seed %" PRIu64 "\n",
           run->model->title, run->model->options->train ? "training" : "inference",
           option(run, OPTION_BATCH), option(run, OPTION_STEPS), option(run, OPTION_THREADS),
           option(run, OPTION_SEED));
    fflush(stdout);
}

static void run_steps(struct run *run)
{
    struct workers *workers = workers_start(run->part_count, run_worker, run);
    double start = now_seconds();

    annotate_metric("parameters", (double)run->model->parameters);
    for (run->step = 0; run->step < option(run, OPTION_STEPS); run->step++)
        run_step(run, workers);
    print_time(run, now_seconds() - start);
    workers_stop(workers);
}

int model_run(const struct model *model)
{
    /* static: the tally is too large for a small stack */
    static struct run run;

    run.model = model;
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    prepare(&run);
    print_title(&run);
    annotate_snapshot("prepared");
    run_steps(&run);
    annotate_snapshot("finished");
    print_truth(&run);
    int status = check_formula(&run);
    finish(&run);
    return status;
}
