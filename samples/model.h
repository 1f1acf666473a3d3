/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interface of a model, and the loop that runs one: batches of synthetic data,
 * forward, loss, and with --train backward and a step of gradient descent.
 * The batch is shared among workers; each has a part, made of whole items
 * that follow each other, and the same part in each step.
 */
#ifndef SAMPLES_MODEL_H
#define SAMPLES_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "nn.h"
#include "options.h"

/* Streams of the seed; each item of a run has one too, counted from 0. */
#define MODEL_STREAM_WEIGHTS UINT64_MAX
#define MODEL_STREAM_DATA (UINT64_MAX - 1) /* what all items share */

/* The data of one worker. */
struct part {
    size_t first; /* its first item of the batch */
    size_t count; /* its items; 0 when there are more workers than items */
    struct nn nn;
    struct truth truth;
    struct arena arena;
    void *state; /* the model's own */
    unsigned *labels;
    struct matrix scores; /* shape: count by classes */
    struct matrix score_gradients;
    double loss; /* summed over the items of this step */
    size_t correct;
};

struct model {
    const char *title;
    const struct options *options;
    const void *layers; /* the model's own */
    size_t parameters;
    size_t classes;
    size_t rows_an_item;                    /* the most rows of a matrix that one item needs */
    float rate;                             /* of gradient descent */
    uint64_t forward_flops, backward_flops; /* of a step, by formula */

    /* Fill the learned numbers. */
    void (*init)(const struct model *model, float *values, struct random_stream *random);
    /* Take the memory of a part from its arena. */
    void (*prepare)(const struct model *model, struct part *part);
    /* Make one item and give its label; `index` counts within the part. */
    unsigned (*load)(const struct model *model, struct part *part, size_t index,
                     struct random_stream *random);
    /* Compute the scores, and from their gradients those of the parameters. */
    void (*forward)(const struct model *model, struct part *part);
    void (*backward)(const struct model *model, struct part *part);
};

/* Run a model and print its truth.
 *
 * Returns: the exit status: 1 when count and formula disagree.
 */
int model_run(const struct model *model);

#endif
