/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The share of a row of drawn blocks in an amount, and its error.
 *
 * A drawn block k is known exactly, with its amount y: 1, or its bytes.  It also represents 1 / p -
 * 1 others, its rest.  The total of all rows is often known: then the total of the blocks that were
 * not drawn is known, too, and rows share it by their rests:
 *
 *     estimate of row i = D_i + X R_i / R,   D_i = sum of y,   R_i = sum of (1 / p - 1) y,
 *
 * with R the sum over all rows and X the known amount of blocks that were not drawn.  So rows sum
 * up to the known total, and a block large enough to be drawn with certainty is never scaled.
 * Linearized (Sarndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992, 5.5), each drawn
 * block adds y / p ([k in i] - R_i / R) to the error.  Blocks are drawn independently, so the
 * variance is estimated by
 *
 *     (X / R)^2 (V_i (1 - 2 R_i / R) + (R_i / R)^2 V),   V = sum of (1 - p) / p^2 y^2.
 *
 * If all drawn blocks are in one row, this estimate is 0, as if no other row could have any.  So
 * one more block in another row is assumed, by the rule of succession: with n = R^2 / V, the number
 * of equal blocks with the same variation, the share may be smaller by R_i / R / (n + 1), and
 * varies about as much: 2 (X R_i / R / (n + 1))^2 is added.
 *
 * If the total is unknown, X is R (Horvitz and Thompson), and the variance is V_i.
 */
#ifndef MODEL_SHARES_H
#define MODEL_SHARES_H

#include <stdbool.h>

/* Sums of one row, or of all rows that share an amount. */
struct shares_sum {
    double drawn;    /* D */
    double rest;     /* R */
    double variance; /* V */
};

struct shares_part {
    double amount;
    double variance;
};

/* Give the share of a row.  `known_rest` is X; NAN: unknown. */
struct shares_part shares_of(const struct shares_sum *row, const struct shares_sum *all,
                             double known_rest);

/* Returns: X / R, the factor of rests; 1 when X is unknown. */
double shares_scale(const struct shares_sum *all, double known_rest);

/* Returns: the known amount of blocks that no drawn block represents, or 0. */
double shares_of_none(const struct shares_sum *all, double known_rest);

/* Add a row to others. */
void shares_add(struct shares_sum *to, const struct shares_sum *row);

#endif
