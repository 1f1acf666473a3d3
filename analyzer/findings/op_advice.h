/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice on some ops of PyTorch, such as those of a layer: the finding about them.
 */
#ifndef FINDINGS_OP_ADVICE_H
#define FINDINGS_OP_ADVICE_H

#include <stdbool.h>

#include "findings/context.h"

struct op_advice {
    const struct finding *finding; /* the most promising finding with a repair; NULL: none concerns
                                      them */
    double share;                  /* share of the ops' time that the finding concerns */
    const char *most;              /* the name of the op with the most time; NULL: there is none */
    double most_share;             /* that op's share of the ops' time */
};

/* Find the advice.  The wanted ops include those that computed their gradients.
 * Shape: `is_wanted`: one an op of the session. */
void op_advice_find(struct op_advice *advice, const struct findings *findings,
                    const struct findings_context *context, const bool *is_wanted);

#endif
