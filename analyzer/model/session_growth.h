/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensors that grow with each call of a model, and are freed at the end of a sequence: a cache of
 * keys and values.
 */
#ifndef MODEL_SESSION_GROWTH_H
#define MODEL_SESSION_GROWTH_H

#include <stdint.h>

/* Growth of the ops of one name, in one layer, from one line. */
struct session_growth {
    uint32_t op;         /* one of the ops */
    uint64_t step_bytes; /* more after each call of the model */
    uint64_t steps;      /* calls in the longest sequence */
    uint64_t sequences;
    uint64_t from_ns;  /* start of the longest sequence */
    uint64_t freed_ns; /* when the first sequence was freed */
};

#endif
