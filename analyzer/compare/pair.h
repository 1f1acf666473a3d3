/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two sides joined by part: each part of any run, with its rows of all runs.
 */
#ifndef COMPARE_PAIR_H
#define COMPARE_PAIR_H

#include "runs/run.h"

/* The texts belong to a run. */
struct pair_part {
    enum run_subject subject;
    const char *name;
    const char *shape;
    struct array base; /* const struct run_row *, in the order of the runs */
    struct array changed;
};

struct pair {
    const struct run_side *base;
    const struct run_side *changed;
    struct array parts; /* of struct pair_part: those of the first run, then new ones of the
                           others */
};

/* The sides must outlive the pair. */
void pair_init(struct pair *pair, const struct run_side *base, const struct run_side *changed);
void pair_fini(struct pair *pair);

/* Returns: the part, or NULL. */
const struct pair_part *pair_find(const struct pair *pair, enum run_subject subject,
                                  const char *name, const char *shape);

/* Ask whether one side has runs, but none with this part. */
bool pair_part_is_new(const struct pair_part *part);
bool pair_part_is_missing(const struct pair_part *part);

/* Ask whether a run of each side knows a quantity. */
bool pair_part_knows(const struct pair_part *part, enum run_quantity quantity);

/* "cblas_sgemm m=1 n=2 k=3", "region train/step", "the whole run". */
void pair_part_append(struct text *text, const struct pair_part *part);

#endif
