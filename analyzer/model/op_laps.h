/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The times of ops, down to the outermost OP_LAPS_DEPTH levels of each thread.  If there are too
 * many ops, the short ones are left out and counted: programs run ops by the million.
 */
#ifndef MODEL_OP_LAPS_H
#define MODEL_OP_LAPS_H

#include <stdint.h>

#include "base/array.h"

enum { OP_LAPS_DEPTH = 4 };

struct op_lap {
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t op;
    uint32_t thread;
    uint32_t depth; /* ops around it */
};

struct op_laps {
    struct array list;  /* of struct op_lap, by their end */
    uint64_t least_ns;  /* shorter ones are left out */
    uint64_t left_out;  /* their number */
};

void op_laps_init(struct op_laps *laps);
void op_laps_fini(struct op_laps *laps);

/* Forget all. */
void op_laps_restart(struct op_laps *laps);

void op_laps_add(struct op_laps *laps, const struct op_lap *lap);

#endif
