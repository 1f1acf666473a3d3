/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taps on padding by the terms of a shape.
 *
 * Decision: doc/decisions/padded-convolutions.
 */
#include "kernels/padding.h"

#include <math.h>
#include <string.h>

#include "kernels/taps.h"
#include "model/session_kernels.h"

/* The positions of one dimension's terms in the shape. */
struct axis {
    int input, output, kernel, stride, dilation, padding; /* -1: none */
};

static int find_term(const struct catalog_kernel *kernel, const char *name)
{
    for (unsigned i = 0; i < kernel->shape_count; i++)
        if (strcmp(kernel->shape[i].name, name) == 0)
            return (int)i;
    return -1;
}

static long double value_of(const struct session_slot *slot, int term)
{
    return (long double)slot->shape[term];
}

/* Whether FLOPs count every value of a term: twice as many for twice the size. */
static bool counts_each(const struct session_slot *slot, int term)
{
    int64_t twice[CATALOG_SHAPE_MAX];

    if (slot->shape[term] > INT64_MAX / 2)
        return false;
    memcpy(twice, slot->shape, sizeof twice);
    twice[term] *= 2;
    return catalog_evaluate(&slot->kernel->flops, twice) == 2 * slot->flops_each;
}

/* Places are outputs of a convolution, and inputs of one that is transposed. */
static struct taps_line read_line(const struct session_slot *slot, const struct axis *axis)
{
    bool is_transposed = counts_each(slot, axis->input);

    return (struct taps_line){.size = value_of(slot, is_transposed ? axis->output : axis->input),
                              .places = value_of(slot, is_transposed ? axis->input : axis->output),
                              .kernel = value_of(slot, axis->kernel),
                              .stride = value_of(slot, axis->stride),
                              .padding = value_of(slot, axis->padding),
                              .spacing = value_of(slot, axis->dilation) + 1};
}

static bool is_whole(const struct axis *axis)
{
    return axis->input >= 0 && axis->output >= 0 && axis->kernel >= 0 && axis->stride >= 0 &&
           axis->dilation >= 0 && axis->padding >= 0;
}

static bool is_possible(const struct taps_line *line)
{
    return line->size >= 1 && line->places >= 1 && line->kernel >= 1 && line->kernel <= TAPS_MOST &&
           line->stride >= 1 && line->spacing >= 1 && line->padding >= 0;
}

/* Returns: the part of the taps of one dimension that fall on data. */
static long double part_of(const struct session_slot *slot, const struct axis *axis)
{
    struct taps_line line;

    if (!is_whole(axis) || !counts_each(slot, axis->kernel) ||
        counts_each(slot, axis->input) == counts_each(slot, axis->output))
        return 1;
    line = read_line(slot, axis);
    return is_possible(&line) ? taps_count(&line) / (line.places * line.kernel) : 1;
}

/* Only a convention counts FLOPs that are not executed. */
long double padding_executed_flops(const struct session_slot *slot)
{
    /* Terms of a shape by dimension, in the order of struct axis.  A dilation of 0 means a dense
     * window, as in oneDNN. */
    static const char *const names[][6] = {{"id", "od", "kd", "sd", "dd", "pd"},
                                           {"ih", "oh", "kh", "sh", "dh", "ph"},
                                           {"iw", "ow", "kw", "sw", "dw", "pw"}};
    const struct catalog_kernel *kernel = slot->kernel;
    long double flops = slot->flops_each;

    if (!kernel || kernel->accuracy != CATALOG_NOMINAL || !(flops > 0) ||
        slot->dims != kernel->shape_count)
        return flops;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct axis axis = {find_term(kernel, names[i][0]), find_term(kernel, names[i][1]),
                                  find_term(kernel, names[i][2]), find_term(kernel, names[i][3]),
                                  find_term(kernel, names[i][4]), find_term(kernel, names[i][5])};

        flops *= part_of(slot, &axis);
    }
    return roundl(flops);
}
