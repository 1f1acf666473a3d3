/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a row of drawn blocks has of an amount, and how far off that may be.
 *
 * A drawn block k is known for certain, with its amount y: 1, or its bytes.  It also stands for
 * 1 / p - 1 others, its rest.  What all rows have in all is often known: then that of the blocks
 * that were not drawn is, too, and rows share it by their rests:
 *
 *     estimate of row i = D_i + X R_i / R,   D_i = sum of y,   R_i = sum of (1 / p - 1) y,
 *
 * with R the sum over all rows and X the known amount of blocks that were not drawn.  So rows
 * sum up to what is known, and a block that is large enough to be drawn for certain is never
 * scaled.  Linearized (Sarndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992,
 * 5.5), each drawn block adds y / p ([k in i] - R_i / R) to the error; blocks are drawn
 * independently, so that the variance is estimated by
 *
 *     (X / R)^2 (V_i (1 - 2 R_i / R) + (R_i / R)^2 V),   V = sum of (1 - p) / p^2 y^2.
 *
 * Where all drawn blocks are of one row, that is 0, and it would be certain that no other has
 * any.  So one more block is thought of that is of another row, as by the rule of succession:
 * with n = R^2 / V, the number of like blocks that vary as much, the share may be smaller by
 * R_i / R / (n + 1), and varies about as much: 2 (X R_i / R / (n + 1))^2 is added.
 *
 * Where nothing is known, X is R (Horvitz and Thompson), and the variance V_i.
 */
#ifndef MODEL_SHARES_H
#define MODEL_SHARES_H

#include <stdbool.h>

/* Of one row, or of all that share an amount. */
struct shares_sum {
    double drawn;    /* D */
    double rest;     /* R */
    double variance; /* V */
};

struct shares_part {
    double amount;
    double variance;
};

/* Tell what a row has.  `known_rest` is X; NAN: not known. */
struct shares_part shares_of(const struct shares_sum *row, const struct shares_sum *all,
                             double known_rest);

/* Returns: X / R, by which rests are to be multiplied; 1 where nothing is known. */
double shares_scale(const struct shares_sum *all, double known_rest);

/* Returns: what is known of blocks that none of the drawn ones stands for, or 0. */
double shares_of_none(const struct shares_sum *all, double known_rest);

/* Add a row to others. */
void shares_add(struct shares_sum *to, const struct shares_sum *row);

#endif
